import type { HardwareProfile, OsImage } from "@terrarium/contract";
import type { TFunction } from "i18next";

/** What a hardware profile is, in a line: its displays, processor and memory. */
export function profileLine(
  t: TFunction,
  { display_settings: { displays }, cpu_count: cpu, ram_size }: HardwareProfile,
) {
  const sizes = displays.map((display) => t("recipes.page.size", display));
  return [...sizes, t("recipes.page.hardware", { cpu, ram: ram_size / 1024 })].join(" · ");
}

/** `Android 15` for `15.0`, but 5.0 and 5.1 as people call them. */
export function androidOf(t: TFunction, { os_version: { os_version: version } }: Pick<OsImage, "os_version">): string {
  return t("recipes.page.android", { version: version.startsWith("5") ? version : version.replace(/\.0$/, "") });
}

/** What an OS image is, in a line: its Android, architecture and version. */
export const imageLine = (t: TFunction, image: OsImage): string =>
  [androidOf(t, image), image.arch, image.image_version].join(" · ");
