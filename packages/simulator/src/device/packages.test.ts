import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aSpec } from "../testing/a-spec.ts";
import { makeApk, type MakeApkOptions } from "../testing/make-apk.ts";
import { testDevice, type TestDevice } from "../testing/test-device.ts";

const name = "org.example.app";
let test: TestDevice;
beforeEach(async () => {
  test = await testDevice({
    spec: aSpec({ image: { sdkVersion: 34, arch: "x86_64" } }),
    maxDiskBytes: 8 * 1024 * 1024,
  });
});
afterEach(() => test.stop());

async function install(apk: Uint8Array, words = ""): Promise<string> {
  const result = await test.adb.shell(`cmd package install ${words} -S ${apk.length}`, { stdin: apk });
  expect(result.exitCode).toBe(result.stdout === "Success\n" ? 0 : 1);
  return result.stdout.trim();
}
const app = (options: Partial<MakeApkOptions> = {}) => makeApk({ packageName: name, ...options });

describe("cmd package install", () => {
  it("knows an installed package by what its manifest says", async () => {
    expect(
      await install(
        app({ versionCode: 42, versionName: "4.2", minSdk: 26, targetSdk: 33, label: "An app", activity: ".Main" }),
      ),
    ).toBe("Success");
    expect(test.device.packages.get(name)).toMatchObject({
      label: "An app",
      versionCode: 42,
      versionName: "4.2",
      minSdk: 26,
      targetSdk: 33,
      system: false,
      launcherActivity: `${name}.Main`,
    });
    const { stdout } = await test.adb.shell(
      `pm list packages -3; pm path ${name}; dumpsys package ${name} | grep versionName; ls -d /data/app 2>&1`,
    );
    expect(stdout).toMatch(
      /^package:org\.example\.app\npackage:\/data\/app\/org\.example\.app-\d+\/base\.apk\n {4}versionName=4\.2\n/,
    );
    expect(await test.adb.shell(`am start -n ${name}/.Main`)).toMatchObject({ exitCode: 0 });
    expect(test.screen.focused).toBe(`${name}/.Main`);
    expect(await test.adb.shell(`pm uninstall ${name}; pm path ${name}; echo $?`)).toMatchObject({
      stdout: "Success\n1\n",
    });
    expect(test.device.volume.usedBytes).toBe(0);
    expect(await test.adb.shell(`pm uninstall ${name}`)).toMatchObject({
      stdout: "Failure [not installed for 0]\n",
      exitCode: 1,
    });
  });

  const refusals: [why: string, apk: () => Uint8Array, code: string][] = [
    ["rubbish", () => new TextEncoder().encode("this is no apk"), "INSTALL_PARSE_FAILED_NOT_APK"],
    ["half a file", () => app({ padding: new Uint8Array(5000) }).subarray(0, 3000), "INSTALL_PARSE_FAILED_NOT_APK"],
    ["a bad package name", () => app({ packageName: "../up" }), "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME"],
    [
      "a newer Android",
      () => app({ minSdk: 35 }),
      "INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #35 (current version is #34)",
    ],
    ["an app for Android 5 alone", () => app({ targetSdk: 22 }), "INSTALL_FAILED_DEPRECATED_SDK_VERSION"],
    ["another processor", () => app({ abis: ["arm64-v8a"] }), "INSTALL_FAILED_NO_MATCHING_ABIS"],
    ["a test build", () => app({ testOnly: true }), "INSTALL_FAILED_TEST_ONLY"],
    [
      "a package of the system",
      () => app({ packageName: "com.terrarium.notes" }),
      "INSTALL_FAILED_UPDATE_INCOMPATIBLE",
    ],
    ["more than fits", () => app({ padding: new Uint8Array(9 * 1024 * 1024) }), "INSTALL_FAILED_INSUFFICIENT_STORAGE"],
  ];
  for (const [why, apk, code] of refusals)
    it(`refuses ${why}`, async () => {
      expect(await install(apk())).toMatch(new RegExp(`^Failure \\[${code.replaceAll(/[()#]/g, "\\$&")}`));
      expect(test.device.packages.list().filter((one) => !one.system)).toEqual([]);
      expect(test.device.volume.usedBytes).toBe(0);
    });

  it("takes what runs on this processor among others", async () => {
    expect(await install(app({ abis: ["arm64-v8a", "x86_64"] }))).toBe("Success");
  });

  it("replaces, keeps data, and refuses an older version unless it is told to", async () => {
    await install(app({ versionCode: 2 }));
    test.device.files.write(`/data/data/${name}/files/kept`, "1");
    expect(await install(app({ versionCode: 3 }))).toBe("Success");
    expect(await install(app({ versionCode: 1 }), "-r")).toBe(
      "Failure [INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code 1 is older than current 3]",
    );
    expect(await install(app({ versionCode: 1 }), "-r -d")).toBe("Success");
    expect(await install(app({ versionCode: 1 }), "-R")).toMatch("INSTALL_FAILED_ALREADY_EXISTS");
    expect(test.device.files.exists(`/data/data/${name}/files/kept`)).toBe(true);
    await test.adb.shell(`pm clear ${name}`);
    expect(test.device.files.exists(`/data/data/${name}/files/kept`)).toBe(false);
  });
});
