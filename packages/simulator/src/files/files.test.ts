import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { baseImage } from "./base-image.ts";
import { FileError } from "./file-error.ts";
import { Files } from "./files.ts";
import { ROOT, SHELL } from "./identity.ts";
import { Volume } from "./volume.ts";

const MB = 1024 * 1024;
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "files-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const aVolume = (maxBytes = 64 * MB) =>
  new Volume({
    base: baseImage({ sdkVersion: 34, builtMs: 1000, commands: ["ls"], apps: [] }),
    totalBytes: 4096 * MB,
    maxBytes,
    spillFolder: folder,
    now: () => 5000,
    make: (name) => new TextEncoder().encode(`made ${name}\n`),
  });
const shellOf = (volume: Volume) => new Files(volume, SHELL);
const text = (files: Files, path: string) => new TextDecoder().decode(files.read(path));
const code = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof FileError) return error.code;
    throw error;
  }
  return "none";
};

describe("Files", () => {
  it("keeps one device's changes from another and from the shared image", () => {
    const [one, other] = [aVolume(), aVolume()];
    expect(one.root).toBe(other.root);
    shellOf(one).write("/sdcard/Download/a.txt", "hello");
    expect(text(shellOf(one), "/storage/emulated/0/Download/a.txt")).toBe("hello");
    expect(shellOf(other).exists("/sdcard/Download/a.txt")).toBe(false);
    expect(other.root).not.toBe(one.root);
    expect(shellOf(aVolume()).list("/sdcard/Download")).toEqual([]);
  });

  it("refuses what Android refuses", () => {
    const files = shellOf(aVolume());
    expect(code(() => files.write("/system/x", "a"))).toBe("EROFS");
    expect(code(() => files.write("/data/x", "a"))).toBe("EACCES");
    expect(code(() => files.list("/data"))).toBe("EACCES");
    expect(code(() => files.read("/system/build.prop"))).toBe("EACCES");
    expect(code(() => files.remove("/sdcard"))).toBe("EROFS");
    expect(code(() => files.stat("/nowhere/x"))).toBe("ENOENT");
    expect(code(() => files.stat("/proc/cpuinfo/x"))).toBe("ENOTDIR");
    expect(code(() => files.makeDirectory("/sdcard/Download"))).toBe("EEXIST");
    expect(code(() => files.rename("/sdcard/Android", "/sdcard/Android/data/x"))).toBe("EINVAL");
  });

  it("makes /proc for the reader", () => {
    expect(text(shellOf(aVolume()), "/proc/cpuinfo")).toBe("made proc/cpuinfo\n");
    expect(code(() => new Files(aVolume(), ROOT).write("/proc/cpuinfo", "x"))).toBe("EROFS");
  });

  it("stops at a circle of links", () => {
    const files = shellOf(aVolume());
    files.link("/data/local/tmp/a", "b");
    files.link("/data/local/tmp/b", "a");
    expect(code(() => files.stat("/data/local/tmp/a"))).toBe("ELOOP");
    expect(files.lstat("/data/local/tmp/a").kind).toBe("link");
  });

  it("puts a large file on the host's disk and removes it with the file and with the device", () => {
    const volume = aVolume();
    const files = shellOf(volume);
    const writer = files.create("/data/local/tmp/big");
    const chunk = new Uint8Array(64 * 1024).map((_, at) => at % 251);
    for (let count = 0; count < 48; count++) writer.write(chunk);
    writer.close();
    expect(volume.heldBytes).toBe(0);
    const disk = () => readdirSync(folder, { recursive: true }).length;
    expect(disk()).toBe(2);
    expect(files.open("/data/local/tmp/big").read(47 * chunk.length, chunk.length)).toEqual(chunk);
    expect(volume.usedBytes).toBe(3 * MB);
    files.remove("/data/local/tmp/big");
    expect(disk()).toBe(1);
    expect(volume.usedBytes).toBe(0);
    volume.close();
    expect(disk()).toBe(0);
  });

  it("says ENOSPC when the device is full, and has room again after a removal", () => {
    const files = shellOf(aVolume(MB));
    const fill = () => files.write("/data/local/tmp/x", new Uint8Array(MB / 2 + 1));
    fill();
    expect(code(() => files.write("/data/local/tmp/y", new Uint8Array(MB / 2)))).toBe("ENOSPC");
    fill();
    files.removeTree("/data/local/tmp/x");
    expect(files.volume.usedBytes).toBe(0);
    expect(files.volume.heldBytes).toBe(0);
  });

  it("refuses every change while it is frozen, also through an open writer", () => {
    const volume = aVolume();
    const files = shellOf(volume);
    const path = "/data/local/tmp/a";
    const writer = files.create(path);
    const thaw = volume.freeze();
    const changes = [
      () => writer.write(new Uint8Array(1)),
      () => files.write(path, "x"),
      () => files.remove(path),
      () => files.makeDirectory("/data/local/tmp/d"),
      () => files.rename(path, `${path}2`),
      () => files.chmod(path, 0o777),
    ];
    expect(changes.map(code)).toEqual(changes.map(() => "EROFS"));
    expect(files.size(files.stat(path))).toBe(0);
    thaw();
    expect(changes.map(code)).toEqual(["none", "none", "none", "none", "ENOENT", "ENOENT"]);
  });

  it("moves a folder with what is in it", () => {
    const files = shellOf(aVolume());
    files.makeDirectories("/sdcard/a/b");
    files.write("/sdcard/a/b/c", "1");
    files.rename("/sdcard/a", "/sdcard/Download/z");
    expect(text(files, "/sdcard/Download/z/b/c")).toBe("1");
    expect(files.exists("/sdcard/a")).toBe(false);
  });
});
