import { LAUNCHER, ownApps as drawn } from "../screen/apps/own-apps.ts";

export interface OwnApp {
  packageName: string;
  label: string;
  versionName: string;
  /** Folder in /system/app. */
  folder: string;
  /** Class of its first activity, after the package's name. */
  activity: string;
  uid: number;
}

/** Where Android begins to number its applications. */
const FIRST_UID = 10_000;

/** The applications the screen draws, the launcher first. */
export const ownApps: readonly OwnApp[] = [
  { packageName: LAUNCHER, label: "Launcher", versionName: "1.0" },
  ...drawn,
].map(({ packageName, label, versionName }, at) => ({
  packageName,
  label,
  versionName,
  folder: label,
  activity: `.${label}`,
  uid: FIRST_UID + at,
}));

/** Packages of Android itself, which `pm list packages` knows and no launcher shows. */
export const platformPackages = ["android", "com.android.shell", "com.android.systemui"] as const;

export { LAUNCHER };
