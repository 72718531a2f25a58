import type { CharNode, DirectoryNode, Node } from "./node.ts";

export interface BaseImageOptions {
  sdkVersion: number;
  /** When the image was built, in ms: the time of each of its files. */
  builtMs: number;
  /** Names in /system/bin. */
  commands: readonly string[];
  /** Own apps: folder in /system/app and package name. */
  apps: readonly { folder: string; packageName: string; uid: number }[];
}

const images = new Map<string, DirectoryNode>();

/**
 * The files every device of an Android version starts with, built once and shared by all of them. No file in it holds
 * bytes of its own: contents are made for the reader, so nothing of it counts against a device's disk.
 */
export function baseImage(options: BaseImageOptions): DirectoryNode {
  const key = `${options.sdkVersion} ${options.builtMs}`;
  let image = images.get(key);
  if (!image) images.set(key, (image = build(options)));
  return image;
}

function build({ sdkVersion, builtMs, commands, apps }: BaseImageOptions): DirectoryNode {
  const meta = (mode: number, uid: number, gid: number) => ({ mode, mtimeMs: builtMs, uid, gid, owner: undefined });
  const folder = (children: Record<string, Node> = {}, mode = 0o755, uid = 0, gid = 0): DirectoryNode => ({
    kind: "directory",
    ...meta(mode, uid, gid),
    children: new Map(Object.entries(children)),
  });
  const made = (name: string, mode = 0o644, gid = 0): Node => ({
    kind: "file",
    ...meta(mode, 0, gid),
    content: { kind: "made", name },
  });
  const link = (target: string): Node => ({ kind: "link", ...meta(0o777, 0, 0), target });
  const char = (device: CharNode["device"]): Node => ({ kind: "char", ...meta(0o666, 0, 0), device });
  const media = () => folder({}, 0o2770, 1023, 1015);

  const bin: Record<string, Node> = { sh: made("bin/sh", 0o755, 2000), toybox: made("bin/toybox", 0o755, 2000) };
  for (const name of commands) bin[name] ??= link("toybox");
  const system: Record<string, Node> = {
    app: folder(Object.fromEntries(apps.map((app) => [app.folder, folder({ [`${app.folder}.apk`]: made("apk") })]))),
    bin: folder(bin, 0o755, 0, 2000),
    "build.prop": made("build.prop", sdkVersion >= 27 ? 0o600 : 0o644),
    etc: folder({ hosts: made("hosts") }),
    fonts: folder(),
    framework: folder({ "framework-res.apk": made("apk") }),
    lib: folder(),
    lib64: folder(),
    "priv-app": folder(),
    xbin: folder({}, 0o755, 0, 2000),
  };
  const shared = folder(
    Object.fromEntries(
      [
        "Alarms",
        "Android",
        "DCIM",
        "Documents",
        "Download",
        "Movies",
        "Music",
        "Notifications",
        "Pictures",
        "Podcasts",
        "Ringtones",
      ]
        .filter((name) => name !== "Documents" || sdkVersion >= 19)
        .map((name) => [
          name,
          name === "Android" ? folder({ data: media(), media: media(), obb: media() }, 0o2770, 1023, 1015) : media(),
        ]),
    ),
    0o2770,
    1023,
    1015,
  );
  const appData = Object.fromEntries(
    apps.map((app) => [
      app.packageName,
      folder({ files: folder({}, 0o771, app.uid, app.uid) }, 0o700, app.uid, app.uid),
    ]),
  );
  return folder({
    acct: folder(),
    apex: folder(),
    bin: link("/system/bin"),
    cache: folder({}, 0o770, 1000, 2001),
    d: link("/sys/kernel/debug"),
    data: folder(
      {
        anr: folder({}, 0o775, 1000, 1000),
        app: folder({}, 0o771, 1000, 1000),
        data: folder(appData, 0o771, 1000, 1000),
        local: folder({ tmp: folder({}, 0o771, 2000, 2000) }, 0o751),
        media: folder({}, 0o770, 1023, 1023),
        misc: folder({}, 0o1771, 1000, 9998),
        system: folder({}, 0o775, 1000, 1000),
        user: folder({ "0": link("/data/data") }, 0o711, 1000, 1000),
      },
      0o771,
      1000,
      1000,
    ),
    "default.prop": link("/system/etc/prop.default"),
    dev: folder({
      blkio: folder({ "blkio.throttle.read_bps_device": made("blkio/read_bps") }),
      uhid: { ...char("null"), mode: 0o660, uid: 3011, gid: 3011 },
      null: char("null"),
      zero: char("zero"),
      random: char("random"),
      urandom: char("random"),
      tty: char("tty"),
    }),
    etc: link("/system/etc"),
    mnt: folder({
      sdcard: link("/storage/self/primary"),
      user: folder({ "0": folder({ primary: link("/storage/emulated/0") }) }),
    }),
    odm: folder(),
    proc: folder(
      Object.fromEntries(
        ["cmdline", "cpuinfo", "filesystems", "loadavg", "meminfo", "mounts", "stat", "uptime", "version"].map(
          (name) => [name, made(`proc/${name}`, 0o444)],
        ),
      ),
      0o555,
    ),
    product: folder({ app: folder(), etc: folder() }),
    sdcard: link("/storage/self/primary"),
    storage: folder({
      emulated: folder({ "0": shared }, 0o711, 0, 1015),
      self: folder({ primary: link("/storage/emulated/0") }),
    }),
    sys: folder({
      class: folder({
        power_supply: folder({
          battery: folder({ capacity: made("battery/capacity"), status: made("battery/status") }),
        }),
      }),
    }),
    system: folder(system),
    vendor: folder({
      app: folder(),
      bin: folder({}, 0o751, 0, 2000),
      "build.prop": made("build.prop", 0o600),
      lib64: folder(),
    }),
  });
}
