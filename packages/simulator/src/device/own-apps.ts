export interface OwnApp {
  packageName: string;
  label: string;
  /** Folder in /system/app. */
  folder: string;
  /** Class of its first activity. */
  activity: string;
  uid: number;
}

const names = ["Settings", "Notes", "Latency"] as const;

/** The applications that are drawn by the simulator's screen. */
export const LAUNCHER = "com.terrarium.launcher";

export const ownApps: readonly OwnApp[] = [
  { packageName: LAUNCHER, label: "Launcher", folder: "Launcher", activity: ".Launcher", uid: 10_000 },
  ...names.map((label, at) => ({
    packageName: `com.terrarium.${label.toLowerCase()}`,
    label,
    folder: label,
    activity: `.${label}`,
    uid: 10_001 + at,
  })),
];

/** Packages of Android itself, which `pm list packages` knows and no launcher shows. */
export const platformPackages = ["android", "com.android.shell", "com.android.systemui"] as const;
