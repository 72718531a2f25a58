/** `strftime` for the letters that scripts use, in an IANA time zone. */
export function dateText(ms: number, timeZone: string, format: string): string {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      weekday: "short",
      timeZoneName: "short",
    })
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const month = new Intl.DateTimeFormat("en-US", { timeZone, month: "short" }).format(ms);
  const local = Date.UTC(
    Number(parts.year),
    Number(parts.month) - 1,
    Number(parts.day),
    Number(parts.hour),
    Number(parts.minute),
    Number(parts.second),
  );
  const offset = Math.round((local - Math.floor(ms / 1000) * 1000) / 60_000);
  const two = (value: number) => String(value).padStart(2, "0");
  const zone = `${offset < 0 ? "-" : "+"}${two(Math.floor(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`;
  const fields: Record<string, string> = {
    Y: parts.year!,
    y: parts.year!.slice(2),
    m: parts.month!,
    d: parts.day!,
    e: String(Number(parts.day)).padStart(2),
    H: parts.hour!,
    I: two(Number(parts.hour) % 12 || 12),
    M: parts.minute!,
    S: parts.second!,
    N: String((ms % 1000) * 1_000_000).padStart(9, "0"),
    s: String(Math.floor(ms / 1000)),
    a: parts.weekday!,
    b: month,
    h: month,
    p: Number(parts.hour) < 12 ? "AM" : "PM",
    Z: timeZone === "UTC" ? "UTC" : parts.timeZoneName!,
    z: zone,
    n: "\n",
    t: "\t",
    "%": "%",
    F: `${parts.year}-${parts.month}-${parts.day}`,
    T: `${parts.hour}:${parts.minute}:${parts.second}`,
    R: `${parts.hour}:${parts.minute}`,
    D: `${parts.month}/${parts.day}/${parts.year!.slice(2)}`,
  };
  return format.replaceAll(/%([A-Za-z%])/g, (all, letter: string) => fields[letter] ?? all);
}
