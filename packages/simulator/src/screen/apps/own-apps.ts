import type { IconName } from "../draw/icons.ts";
import type { InstalledApp } from "../screen.ts";

/** The launcher is an app too: it is what `focused` names when no other app is in front. */
export const LAUNCHER = "com.terrarium.launcher";

interface OwnApp extends InstalledApp {
  icon: IconName;
  hue: number;
}

const own = (name: string, label: string, icon: IconName, hue: number): OwnApp => ({
  packageName: `com.terrarium.${name}`,
  label,
  versionName: "1.0",
  system: true,
  icon,
  hue,
});

/** The apps drawn by this screen; a device lists them as its system apps. */
export const ownApps: readonly OwnApp[] = [
  own("settings", "Settings", "gear", 255),
  own("notes", "Notes", "note", 75),
  own("clock", "Clock", "clock", 270),
  own("calculator", "Calculator", "sums", 165),
  own("paint", "Paint", "brush", 345),
  own("latency", "Latency", "target", 30),
];
