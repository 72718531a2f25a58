/** An application that is part of the system image: a screen draws it, and `pm` lists it. */
export interface OwnApp {
  packageName: string;
  label: string;
  versionName: string;
  /** Its directory in /system/app. */
  folder: string;
  /** The class of its first activity, after the package name. */
  activity: string;
  uid: number;
}

/** The launcher is an application too: the one in front when no other is. */
export const LAUNCHER = "com.terrarium.launcher";

/** The first user id that Android gives to an application. */
const FIRST_UID = 10_000;

/** The applications of the system image, the launcher first. */
export const ownApps: readonly OwnApp[] = ["Launcher", "Settings", "Notes", "Calculator", "Latency"].map(
  (label, index) => ({
    packageName: `com.terrarium.${label.toLowerCase()}`,
    label,
    versionName: "1.0",
    folder: label,
    activity: `.${label}`,
    uid: FIRST_UID + index,
  }),
);

/** Packages of Android itself, which `pm list packages` lists and no launcher shows. */
export const platformPackages = ["android", "com.android.shell", "com.android.systemui"] as const;
