import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@terrarium/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DeviceHost } from "@terrarium/simulator";
import { createScreen } from "@terrarium/simulator-screen";
import { aSpec, makeApk } from "@terrarium/simulator/testing";
import { StockAdb } from "./testing/stock-adb.ts";

let folder: string;
let host: DeviceHost;
const adb = new StockAdb();
const logged: string[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stock-"));
  host = new DeviceHost({
    clock: systemClock,
    createScreen,
    maxDevices: 10,
    maxDiskBytes: 256 << 20,
    spillFolder: join(folder, "spill"),
    log: (line) => logged.push(line),
  });
  const hardware = {
    name: "Fern",
    displays: [{ width: 1080, height: 2340, density: 420 }],
    properties: { product_model: "Fern 61", serialno: "FERN01" },
  };
  const machine = await host.start(aSpec({ image: { osVersion: "15.0", sdkVersion: 35, arch: "arm64" }, hardware }));
  adb.serial = `127.0.0.1:${machine.adb.port}`;
  await adb.start();
  await adb.any("connect", adb.serial);
  await adb.run("wait-for-device");
});
afterAll(async () => {
  await adb.any("kill-server");
  await host.close();
  rmSync(folder, { recursive: true, force: true });
  if (logged.length > 0) throw new Error(logged.join("\n"));
});

describe("a simulated device and the stock adb", () => {
  it("is listed with what it is", async () =>
    expect((await adb.any("devices", "-l")).stdout.toString()).toContain(
      "device product:fern model:Fern_61 device:fern",
    ));

  it("answers with the properties of image and profile", async () => {
    const wanted = {
      "ro.build.version.sdk": "35",
      "ro.build.version.release": "15",
      "ro.product.model": "Fern 61",
      "ro.serialno": "FERN01",
      "ro.product.cpu.abi": "arm64-v8a",
      "ro.terrarium.simulated": "1",
    };
    const said = await adb.text(
      "shell",
      Object.keys(wanted)
        .map((name) => `getprop ${name}`)
        .join(";"),
    );
    expect(said).toBe(`${Object.values(wanted).join("\n")}\n`);
  });

  it("hands on exit codes and keeps stderr apart", async () => {
    expect(await adb.run("shell", "echo out; echo err >&2; exit 9")).toMatchObject({ code: 9, stderr: "err\n" });
    expect(await adb.run("shell", "nosuch")).toMatchObject({
      code: 127,
      stderr: "/system/bin/sh: nosuch: inaccessible or not found\n",
    });
    expect(await adb.text("exec-out", "echo raw")).toBe("raw\n");
  });

  it("pushes and pulls 20 MB byte for byte", async () => {
    const bytes = randomBytes(20_000_000);
    writeFileSync(join(folder, "there"), bytes);
    expect(await adb.run("push", join(folder, "there"), "/sdcard/Download/there")).toMatchObject({ code: 0 });
    expect(await adb.text("shell", "sha256sum -b /sdcard/Download/there; stat -c %s /sdcard/Download/there")).toBe(
      `${createHash("sha256").update(bytes).digest("hex")}\n20000000\n`,
    );
    expect(await adb.run("pull", "/sdcard/Download/there", join(folder, "back"))).toMatchObject({ code: 0 });
    expect(bytes.equals(readFileSync(join(folder, "back")))).toBe(true);
    const refused = await adb.run("push", join(folder, "there"), "/system/there");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr + refused.stdout.toString()).toContain("Read-only file system");
  });

  it("installs an APK, lists it, refuses others in the package manager's words, and uninstalls it", async () => {
    const file = join(folder, "app.apk");
    const install = async (bytes: Uint8Array, ...words: string[]) => {
      writeFileSync(file, bytes);
      const { code, stdout, stderr } = await adb.run("install", ...words, file);
      return { code, said: stdout.toString() + stderr };
    };
    expect(
      await install(makeApk({ packageName: "org.example.one", versionCode: 3, label: "One" }), "-r"),
    ).toMatchObject({ code: 0, said: expect.stringContaining("Success") });
    expect(await adb.text("shell", "pm list packages -3")).toBe("package:org.example.one\n");
    expect(await install(makeApk({ packageName: "org.example.one", versionCode: 2 }), "-r")).toMatchObject({
      code: 1,
      said: expect.stringContaining("INSTALL_FAILED_VERSION_DOWNGRADE"),
    });
    expect(await install(makeApk({ packageName: "org.example.two", minSdk: 36 }))).toMatchObject({
      code: 1,
      said: expect.stringContaining("INSTALL_FAILED_OLDER_SDK"),
    });
    expect(await install(makeApk({ packageName: "org.example.two", abis: ["x86"] }))).toMatchObject({
      code: 1,
      said: expect.stringContaining("INSTALL_FAILED_NO_MATCHING_ABIS"),
    });
    expect(await install(randomBytes(3000))).toMatchObject({
      code: 1,
      said: expect.stringContaining("INSTALL_PARSE_FAILED_NOT_APK"),
    });
    expect(await adb.text("uninstall", "org.example.one")).toBe("Success\n");
  });

  it("shows its log", async () => {
    const log = await adb.text("logcat", "-d");
    expect(log).toMatch(/^--------- beginning of main\n\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +\d+ +\d+ I /);
    expect(log).toContain("Boot completed");
    expect((await adb.text("logcat", "-d", "-t", "1", "-v", "brief")).trim().split("\n")).toHaveLength(2);
  });

  it("installs an app of several APKs with install-multiple, all of it or nothing", async () => {
    const files = ["base", "config.hdpi", "other"].map((part) => join(folder, `${part}.apk`));
    const apk = (options: Partial<Parameters<typeof makeApk>[0]>) =>
      makeApk({ packageName: "org.example.parts", ...options });
    writeFileSync(files[0]!, apk({}));
    writeFileSync(files[1]!, apk({ split: "config.hdpi" }));
    writeFileSync(files[2]!, apk({ split: "other", versionCode: 2 }));
    const refused = await adb.run("install-multiple", ...files);
    expect(refused.code).toBe(1);
    expect(refused.stdout.toString() + refused.stderr).toContain("other version code 2 inconsistent with 1");
    expect(await adb.text("shell", "pm path org.example.parts")).toBe("");
    expect(await adb.run("install-multiple", "-r", files[0]!, files[1]!)).toMatchObject({ code: 0 });
    expect(
      await adb.text("shell", "pm path org.example.parts | grep -o '[^/]*$'; pm uninstall org.example.parts"),
    ).toBe("base.apk\nsplit_config.hdpi.apk\nSuccess\n");
  });

  it("says what is on the screen, and a tap on what it says presses it", async () => {
    await adb.run("shell", "input keyevent HOME");
    const dump = async () =>
      (await adb.text("exec-out", "uiautomator", "dump", "/dev/tty")).replace(/UI hierchary.*\n$/, "");
    const place = /content-desc="Calculator"[^>]*bounds="\[(\d+),(\d+)\]\[(\d+),(\d+)\]"/
      .exec(await dump())!
      .slice(1)
      .map(Number);
    const [left, top, right, bottom] = place as [number, number, number, number];
    await adb.run("shell", `input tap ${(left + right) / 2} ${(top + bottom) / 2}`);
    expect(await adb.text("shell", "dumpsys window | grep mCurrentFocus")).toContain("com.terrarium.calculator");
    expect(await dump()).toContain(`text="7"`);
    expect(await adb.text("shell", "dumpsys power | grep mWakefulness=")).toBe("  mWakefulness=Awake\n");
    await adb.run("shell", "screenrecord --time-limit 1 --size 540x1170 /sdcard/v.mp4; input keyevent HOME");
    const video = (await adb.run("exec-out", "cat", "/sdcard/v.mp4")).stdout;
    expect(video.subarray(4, 8).toString()).toBe("ftyp");
    expect(video.includes("moov") && video.includes("avc1")).toBe(true);
  });

  it("restarts adbd as root, and back", async () => {
    const user = async () => {
      await adb.any("connect", adb.serial);
      return adb.text("shell", "id -u");
    };
    expect(await adb.text("root")).toBe("restarting adbd as root\n");
    await expect.poll(user).toBe("0\n");
    expect(await adb.text("root")).toBe("adbd is already running as root\n");
    expect(await adb.text("unroot")).toBe("restarting adbd as non root\n");
    await expect.poll(user).toBe("2000\n");
  });

  it("draws its screen as a PNG of the screen's size", async () => {
    const png = (await adb.run("exec-out", "screencap", "-p")).stdout;
    expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1080, 2340]);
    expect(png.length).toBeGreaterThan(10_000);
  });

  it("forwards a port of this machine to a socket of the device, and says when nobody listens there", async () => {
    const scid = "00000abc";
    const server = await adb.spawned(
      "shell",
      `CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 4.1 scid=${scid} tunnel_forward=true audio=false control=false`,
    );
    const port = (await adb.text("forward", "tcp:0", `localabstract:scrcpy_${scid}`)).trim();
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      const chunks: Buffer[] = [];
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("data", (chunk) => {
        chunks.push(chunk);
        if (Buffer.concat(chunks).length > 500) {
          socket.destroy();
          resolve(Buffer.concat(chunks));
        }
      });
      socket.once("error", reject);
      socket.once("end", () => reject(new Error("nobody listened")));
    });
    expect(bytes[0]).toBe(0);
    expect(bytes.subarray(1, 8).toString()).toBe("Fern 61");
    expect(bytes.subarray(65, 69).toString()).toBe("h264");
    expect(bytes.readUInt32BE(73) % 8).toBe(0);
    expect(await server.code).toBe(0);
    expect(await adb.text("forward", "--list")).toContain(`localabstract:scrcpy_${scid}`);
    await adb.run("forward", "--remove-all");
  });

  it("reboots, keeps its files, and is found again", async () => {
    await adb.run("shell", "echo kept > /sdcard/Download/kept");
    await adb.run("reboot");
    // The old daemon may still take a connection, which ends with it; nobody but us makes another.
    const found = async () => {
      await adb.any("connect", adb.serial);
      return adb.text("shell", "getprop sys.boot_completed; cat /sdcard/Download/kept");
    };
    await expect.poll(found).toBe("1\nkept\n");
  });
});
