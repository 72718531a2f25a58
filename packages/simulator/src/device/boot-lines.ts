import type { LogLine } from "./log-buffer.ts";
import type { SimulatedDevice } from "./simulated-device.ts";

type Row = [pid: number, uid: number, level: LogLine["level"], tag: string, message: string];

/** The lines that Android logs while it boots, in their order. */
export function bootLines(device: SimulatedDevice, part: "early" | "late"): LogLine[] {
  const { spec, properties } = device;
  const early: Row[] = [
    [180, 1036, "I", "auditd", "type=2000 audit(0.0:1): state=initialized audit_enabled=0 res=1"],
    [1, 0, "I", "init", "init first stage started!"],
    [1, 0, "I", "Terrarium", `This is a simulated device (image ${spec.image.imageVersion}); it runs no Android code`],
    [181, 1000, "I", "servicemanager", "Starting sm instance on /dev/binder"],
    [330, 1000, "I", "SurfaceFlinger", "SurfaceFlinger is starting"],
    ...spec.hardware.displays.map(({ width, height, density }, id): Row => [
      330,
      1000,
      "I",
      "SurfaceFlinger",
      `Display ${id}: ${width}x${height}, ${density} dpi`,
    ]),
    [310, 0, "D", "Zygote", "begin preload"],
    [310, 0, "D", "Zygote", "end preload"],
    [415, 2000, "I", "adbd", "adbd started"],
    [1100, 1000, "I", "SystemServer", `Entered the Android system server! (${properties.get("ro.build.fingerprint")})`],
    [1100, 1000, "I", "SystemServiceManager", "Starting com.android.server.pm.PackageManagerService"],
  ];
  const late: Row[] = [
    [
      1100,
      1000,
      "I",
      "PackageManager",
      `Time to scan packages: 0.0 seconds (${device.packages.list().length} packages)`,
    ],
    [1100, 1000, "I", "WindowManager", "Boot animation finished"],
    [1100, 1000, "I", "ActivityManager", "User 0 unlocked"],
    [
      1100,
      1000,
      "I",
      "ActivityTaskManager",
      "START u0 {act=android.intent.action.MAIN cat=[android.intent.category.HOME] cmp=com.terrarium.launcher/.Launcher}",
    ],
    [1100, 1000, "I", "SystemServiceManager", "Starting phase 1000"],
    [1100, 1000, "I", "BootReceiver", "Boot completed"],
  ];
  const timeMs = device.clock.now();
  return (part === "early" ? early : late).map(([pid, uid, level, tag, message]) => ({
    timeMs,
    pid,
    tid: pid,
    uid,
    level,
    tag,
    message,
  }));
}
