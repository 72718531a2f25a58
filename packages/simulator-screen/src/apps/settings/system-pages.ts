import { timeText } from "../../system/time-text.ts";
import type { Page } from "./page.ts";

export const systemPage: Page = {
  title: "System",
  rows: ({ go, shell: { host } }) => [
    {
      id: "system/languages",
      title: "Languages",
      detail: languageName(host.state.values.locale),
      icon: "globe",
      tap: () => go("languages"),
    },
    {
      id: "system/time",
      title: "Date & time",
      detail: `${timeText(host, "fullTime")}, ${host.state.values.timeZone}`,
      icon: "clock",
      tap: () => go("time"),
    },
    {
      id: "system/about",
      title: "About device",
      detail: `Android ${host.spec.image.osVersion}`,
      icon: "info",
      tap: () => go("about"),
    },
  ],
};

const LOCALES = [
  "en-US",
  "en-GB",
  "de-DE",
  "es-ES",
  "fr-FR",
  "it-IT",
  "nl-NL",
  "pl-PL",
  "pt-BR",
  "sv-SE",
  "tr-TR",
  "uk-UA",
  "zh-CN",
];

/** The language sets how dates and times are written; the words of the screen stay English. */
export const languagesPage: Page = {
  title: "Languages",
  rows: ({ shell: { host } }) => {
    const { locale } = host.state.values;
    const known = LOCALES.includes(locale) ? LOCALES : [locale, ...LOCALES];
    return known.map((code) => ({
      id: `language/${code}`,
      title: languageName(code),
      detail: code,
      chosen: code === locale,
      tap: () => host.state.set({ locale: code }),
    }));
  },
};

function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([code, "en"], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

export const timePage: Page = {
  title: "Date & time",
  rows: ({ go, shell: { host } }) => [
    { id: "time/date", title: "Date", detail: timeText(host, "date"), icon: "note" },
    { id: "time/time", title: "Time", detail: timeText(host, "fullTime"), icon: "clock" },
    { id: "time/zone", title: "Time zone", detail: host.state.values.timeZone, icon: "globe", tap: () => go("zones") },
  ],
};

const ZONES = [
  "UTC",
  "Pacific/Honolulu",
  "America/Los_Angeles",
  "America/Denver",
  "America/Chicago",
  "America/New_York",
  "America/Sao_Paulo",
  "Europe/London",
  "Europe/Berlin",
  "Europe/Paris",
  "Europe/Kyiv",
  "Europe/Istanbul",
  "Africa/Cairo",
  "Africa/Nairobi",
  "Asia/Dubai",
  "Asia/Kolkata",
  "Asia/Bangkok",
  "Asia/Shanghai",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Pacific/Auckland",
];

export const zonesPage: Page = {
  title: "Time zone",
  rows: ({ shell: { host } }) => {
    const { timeZone } = host.state.values;
    const known = ZONES.includes(timeZone) ? ZONES : [timeZone, ...ZONES];
    return known.map((zone) => ({
      id: `zone/${zone}`,
      title: (zone.split("/").at(-1) ?? zone).replaceAll("_", " "),
      detail: `${zone} – ${timeText(host, "fullTime", zone)}`,
      chosen: zone === timeZone,
      tap: () => host.state.set({ timeZone: zone }),
    }));
  },
};
