import { makeApk, testDevice, type TestDevice } from "@terrarium/simulator/testing";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { applySettings } from "./device-settings.ts";
import { missingApps } from "./install-apk.ts";

const { signal } = new AbortController();

let device: TestDevice;
beforeEach(async () => void (device = await testDevice()));
afterEach(() => device.stop());

const shell = async (command: string) => (await device.adb.shell(command)).stdout.trim();

describe("the settings of a file", () => {
  const given = {
    orientation: "landscape",
    dark: true,
    font_scale: 1.5,
    global: { window_animation_scale: 0, device_name: "Moss & co" },
    system: { screen_brightness: 200 },
  } as const;
  const apply = (isDry = false) => applySettings(device.adb, given, { signal, isDry });

  it("are made where the device has others, once", async () => {
    const changes = [
      "orientation: landscape (held)",
      "orientation: landscape",
      "dark: true",
      "font_scale: 1.5",
      "system.screen_brightness: 200",
      "global.window_animation_scale: 0",
      "global.device_name: Moss & co",
    ];
    expect(await apply(true)).toEqual(changes);
    expect(await shell("settings get global device_name")).not.toBe("Moss & co");
    expect(await apply()).toEqual(changes);
    expect(await shell("settings get system user_rotation; settings get secure ui_night_mode")).toBe("1\n2");
    expect(await shell("settings get global device_name")).toBe("Moss & co");
    expect(await apply()).toEqual([]);
    await shell("settings put system user_rotation 0");
    expect(await apply(true)).toEqual(["orientation: landscape"]);
  });

  it("are refused with the words of the device", async () => {
    const physical = Number(/\d+/.exec(await shell("wm density"))?.[0]);
    expect(await applySettings(device.adb, { density: physical }, { signal, isDry: false })).toEqual([]);
    await expect(applySettings(device.adb, { density: 100 }, { signal, isDry: false })).rejects.toMatchObject({
      exit: "INSTANCE_ERROR",
      message: 'The device refuses "density: 100".',
      details: expect.stringContaining("keeps the density"),
    });
  });
});

describe("the apps of a file", () => {
  it("are missing unless the device has the same bytes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "terrarium-cli-"));
    try {
      const [first, second] = await Promise.all(
        [1, 2].map(async (versionCode) => {
          const file = join(folder, `${versionCode}.apk`);
          await writeFile(file, makeApk({ packageName: "test.apps", versionCode, minSdk: 21, label: "Apps" }));
          return file;
        }),
      );
      const missing = () => missingApps(device.adb, [first!, second!], signal);
      const install = async (file: string) => {
        const bytes = await readFile(file);
        await device.adb.install({ size: bytes.length, source: [bytes], args: ["-r"] });
      };
      expect(await missing()).toEqual([first, second]);
      await install(first!);
      expect(await missing()).toEqual([second]);
      await install(second!);
      expect(await missing()).toEqual([first]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
