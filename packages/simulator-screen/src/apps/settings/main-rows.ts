import { hasBattery } from "@terrarium/simulator/screen";
import type { Row } from "../../ui/rows.ts";
import type { PageContext, PageName } from "./page.ts";

/** The first page: what there is, with what holds now below each title. */
export function mainRows(context: PageContext): Row[] {
  const { host } = context.shell;
  const { battery, darkTheme, volume, wifi, airplaneMode } = host.state.values;
  const { hardware, image } = host.spec;
  const network = airplaneMode ? "Airplane mode is on" : wifi ? "Wi-Fi is on" : "Wi-Fi is off";
  const row = (page: PageName, title: string, detail: string, look: Pick<Row, "icon" | "hue">): Row => ({
    id: `settings/${page}`,
    title,
    detail,
    ...look,
    tap: () => context.go(page),
  });
  const rows = [
    row("network", "Network & internet", network, { icon: "wifi", hue: 250 }),
    row("apps", "Apps", `${host.apps().length} apps installed`, { icon: "apps", hue: 320 }),
    row("display", "Display", darkTheme ? "Dark theme, font size" : "Light theme, font size", { icon: "sun", hue: 70 }),
    row("sound", "Sound", `Media volume ${Math.round((volume / 15) * 100)}%`, { icon: "sound", hue: 15 }),
    row("battery", "Battery", `${battery.level}% – ${batteryWord(battery.status)}`, { icon: "battery", hue: 150 }),
    row("storage", "Storage", `${gigabytes(hardware.dataDiskMb)} data disk`, { icon: "storage", hue: 290 }),
    row("system", "System", "Languages, date & time", { icon: "info", hue: 210 }),
    row("about", "About device", `${host.property("ro.product.model") || hardware.name} – Android ${image.osVersion}`, {
      icon: "display",
      hue: 180,
    }),
  ];
  return hasBattery(hardware.formFactor) ? rows : rows.filter(({ id }) => id !== "settings/battery");
}

export const gigabytes = (mb: number): string => (mb < 1024 ? `${mb} MB` : `${Number((mb / 1024).toFixed(1))} GB`);

export const batteryWord = (status: "charging" | "discharging" | "full"): string =>
  ({ charging: "charging", discharging: "not charging", full: "full" })[status];
