/** The most specific first, as browsers also name those that they descend from. */
const programs: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const nameIn = (table: typeof programs, userAgent: string): string | undefined =>
  table.find(([pattern]) => pattern.test(userAgent))?.[1];

/** What a person may recognise a browser or program by: `Firefox on Windows`, `curl`. Empty if it does not say. */
export function deviceOf(userAgent: string): string {
  const system = nameIn(systems, userAgent);
  const program = nameIn(programs, userAgent) ?? /^[\w.-]{1,40}/.exec(userAgent.replace(/^Mozilla\b/, ""))?.[0];
  return program && system ? `${program} on ${system}` : (program ?? system ?? "");
}
