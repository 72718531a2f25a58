import type { ScreenHost } from "@terrarium/simulator/screen";

const formats = new Map<string, Intl.DateTimeFormat>();

const shapes = {
  time: { hour: "numeric", minute: "2-digit" },
  fullTime: { hour: "numeric", minute: "2-digit" },
  day: { weekday: "short", month: "short", day: "numeric" },
  longDay: { weekday: "long", month: "long", day: "numeric" },
  date: { dateStyle: "long" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** The time as text in the device's time zone and language. Like Android's status bar it says no AM or PM, but in `fullTime`. */
export function timeText(host: ScreenHost, shape: keyof typeof shapes, timeZone = host.state.values.timeZone): string {
  return formatOf(host.state.values.locale, timeZone, shape)
    .formatToParts(host.clock.now())
    .filter((part) => shape === "fullTime" || part.type !== "dayPeriod")
    .map((part) => part.value)
    .join("")
    .trim();
}

function formatOf(locale: string, timeZone: string, shape: keyof typeof shapes): Intl.DateTimeFormat {
  const key = `${locale}|${timeZone}|${shape}`;
  let format = formats.get(key);
  if (!format) formats.set(key, (format = createFormat(locale, timeZone, shapes[shape])));
  return format;
}

/** The locale or time zone may be invalid; then English or UTC is used. */
function createFormat(locale: string, timeZone: string, shape: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const tries: [string, string][] = [
    [locale.replace("_", "-"), timeZone],
    ["en-US", timeZone],
    [locale.replace("_", "-"), "UTC"],
  ];
  for (const [language, zone] of tries) {
    try {
      return new Intl.DateTimeFormat(language, { ...shape, timeZone: zone });
    } catch {
      continue;
    }
  }
  return new Intl.DateTimeFormat("en-US", { ...shape, timeZone: "UTC" });
}
