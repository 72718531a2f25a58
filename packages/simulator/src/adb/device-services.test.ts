import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aSpec } from "../testing/a-spec.ts";
import { testDevice, type TestDevice } from "../testing/test-device.ts";

let test: TestDevice;
beforeEach(async () => {
  test = await testDevice({ maxDiskBytes: 1024 * 1024 });
});
afterEach(() => {
  test.stop();
  if (test.faults.length > 0) throw new AggregateError(test.faults, "the device's side threw");
});

const bytes = (text: string) => new TextEncoder().encode(text);
const push = (path: string, data: Uint8Array, more: { mode?: number; mtime?: number } = {}) =>
  test.adb.push({ path, source: [data], mtime: 1_600_000_000, ...more });
async function pull(path: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of test.adb.pull(path)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
async function open(service: string, device = test): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of await device.adb.open(service)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe("adb push, pull and ls", () => {
  it("writes with mode and time, the group as the owner, and makes the directories", async () => {
    await push("/sdcard/Download/new/deep/file", bytes("hello"), { mode: 0o600, mtime: 1_700_000_000 });
    expect(
      (await test.adb.shell("cd /sdcard/Download/new; stat -c '%a %Y %s' deep/file; stat -c %a deep")).stdout,
    ).toBe("660 1700000000 5\n775\n");
    expect(await pull("/sdcard/Download/new/deep/file")).toBe("hello");
  });

  it("replaces a file whole, and follows a link to read but not to list", async () => {
    await push("/data/local/tmp/f", bytes("a longer text"));
    await push("/data/local/tmp/f", bytes("short"));
    await test.adb.shell("ln -s f /data/local/tmp/l");
    expect(await pull("/data/local/tmp/l")).toBe("short");
    expect((await test.adb.shell("ls -ld /sdcard")).stdout).toMatch(/^l/);
  });

  const refusals: [what: string, act: () => Promise<unknown>, message: string][] = [
    ["to read what is not there", () => pull("/nowhere"), "No such file or directory"],
    ["to read a directory", () => pull("/sdcard/DCIM"), "Is a directory"],
    ["to read what the shell may not", () => pull("/system/build.prop"), "Permission denied"],
    ["to write to the system", () => push("/system/x", bytes("x")), "Read-only file system"],
    ["to write over a directory", () => push("/sdcard/DCIM", bytes("x")), "Is a directory"],
    ["to write below a file", () => push("/proc/stat/x", bytes("x")), "Not a directory"],
    [
      "to write into an app's directory",
      () => push("/data/data/com.terrarium.notes/x", bytes("x")),
      "Permission denied",
    ],
    ["more than fits", () => push("/sdcard/x", new Uint8Array(2 * 1024 * 1024)), "No space left on device"],
    ["a name that is too long", () => push(`/sdcard/${"n".repeat(256)}`, bytes("x")), "File name too long"],
  ];
  it.each(refusals)("refuses %s", async (_what, act, message) => {
    await expect(act()).rejects.toThrow(message);
    expect(test.device.volume.usedBytes).toBe(0);
    expect((await test.adb.shell("echo alive")).stdout).toBe("alive\n");
  });
});

describe("adb root", () => {
  it("restarts adbd as root on a debuggable build, and back", async () => {
    expect((await open("root:")).toString()).toBe("restarting adbd as root\n");
    await expect.poll(() => test.restarts.count).toBe(1);
    expect((await test.adb.shell("id -un; echo $USER; cat /system/build.prop | head -n 1")).stdout).toBe(
      "root\nroot\n# begin build properties\n",
    );
    expect((await test.adb.shell("echo x > /system/x")).stderr).toContain("Read-only file system");
    await push("/data/data/com.terrarium.notes/x", bytes("x"));
    expect((await open("root:")).toString()).toBe("adbd is already running as root\n");
    expect((await open("unroot:")).toString()).toBe("restarting adbd as non root\n");
    expect((await test.adb.shell("id -un")).stdout).toBe("shell\n");
    expect((await open("unroot:")).toString()).toBe("adbd not running as root\n");
    await expect.poll(() => test.restarts.count).toBe(2);
  });

  it("is refused by a production build, which says so in its properties", async () => {
    const user = await testDevice({ spec: aSpec({ hardware: { properties: { build_type: "user" } } }) });
    expect((await user.adb.shell("getprop ro.build.type; getprop ro.debuggable")).stdout).toBe("user\n0\n");
    expect((await open("root:", user)).toString()).toBe("adbd cannot run as root in production builds\n");
    expect((await user.adb.shell("id -un")).stdout).toBe("shell\n");
    expect(user.restarts.count).toBe(0);
    user.stop();
  });

  it("is over after a reboot", async () => {
    await open("root:");
    const booted = test.device.restart();
    await (test.device.clock as unknown as { advance(ms: number): Promise<void> }).advance(100);
    await booted;
    expect((await test.adb.shell("id -un")).stdout).toBe("shell\n");
  });
});

describe("framebuffer:", () => {
  it.each([
    [28, [2, 32, 0, 360 * 640 * 4, 360, 640, 0, 8, 16, 8, 8, 8, 24, 8]],
    [27, [1, 32, 360 * 640 * 4, 360, 640, 0, 8, 16, 8, 8, 8, 24, 8]],
  ])("sends header and pixels as Android of level %i does", async (sdkVersion, words) => {
    const device = await testDevice({ spec: aSpec({ image: { sdkVersion } }) });
    const answer = await open("framebuffer:", device);
    expect(words.map((_word, index) => answer.readUInt32LE(index * 4))).toEqual(words);
    const pixels = answer.subarray(words.length * 4);
    expect(pixels.length).toBe(360 * 640 * 4);
    expect([...pixels.subarray(0, 4)]).toEqual([200, 40, 40, 255]);
    device.stop();
  });
});

describe("a service the device does not have", () => {
  it.each(["constructor:", "toString", "root", "remount-x:"])("refuses %s", async (service) =>
    expect(open(service)).rejects.toMatchObject({ code: "REFUSED" }),
  );
});
