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

describe("pm install-create, -write, -commit and -abandon", () => {
  const pm = async (words: string, stdin?: Uint8Array) => {
    const { stdout, stderr, exitCode } = await test.adb.shell(`pm ${words}`, stdin ? { stdin } : {});
    return `${stdout}${stderr}`.trim() + (exitCode === 0 ? "" : ` (${exitCode})`);
  };
  const create = async (words = "") =>
    /^Success: created install session \[(\d+)\]$/.exec(await pm(`install-create ${words}`))![1]!;
  const write = (session: string, part: string, apk: Uint8Array) =>
    pm(`install-write -S ${apk.length} ${session} ${part} -`, apk);

  it("installs an app of several APKs and removes what was staged", async () => {
    const session = await create("-r -S 1000");
    const base = app({ versionCode: 7 });
    expect(await write(session, "0_base.apk", base)).toBe(`Success: streamed ${base.length} bytes`);
    await write(session, "1_split.apk", app({ versionCode: 7, split: "config.hdpi" }));
    expect(await pm(`install-commit ${session}`)).toBe("Success");
    const paths = (await pm(`path ${name}`)).split("\n");
    expect(paths.map((path) => path.slice(path.lastIndexOf("/")))).toEqual(["/base.apk", "/split_config.hdpi.apk"]);
    expect(await pm(`install-commit ${session}`)).toMatch(`Caller has no access to session ${session} (255)`);
    await pm(`uninstall ${name}`);
    expect(test.device.volume.usedBytes).toBe(0);
  });

  const inconsistent: [why: string, parts: MakeApkOptions[], failure: string][] = [
    ["nothing", [], "No packages staged"],
    ["no base", [{ packageName: name, split: "a" }], "Full install must include a base package"],
    ["two bases", [{ packageName: name }, { packageName: name }], "Split null was defined multiple times"],
    [
      "a split twice",
      [{ packageName: name }, { packageName: name, split: "a" }, { packageName: name, split: "a" }],
      "Split a was defined multiple times",
    ],
    [
      "another package",
      [{ packageName: name }, { packageName: "org.other", split: "a" }],
      `a package org.other inconsistent with ${name}`,
    ],
    [
      "another version",
      [{ packageName: name }, { packageName: name, split: "a", versionCode: 2 }],
      "a version code 2 inconsistent with 1",
    ],
  ];
  it.each(inconsistent)("refuses %s", async (_why, parts, failure) => {
    const session = await create();
    for (const [index, part] of parts.entries()) await write(session, String(index), makeApk(part));
    expect(await pm(`install-commit ${session}`)).toBe(`Failure [INSTALL_FAILED_INVALID_APK: ${failure}] (1)`);
    expect(test.device.volume.usedBytes).toBe(0);
  });

  it("refuses a split whose name would leave its directory", async () => {
    const session = await create();
    await write(session, "0", app());
    await write(session, "1", app({ split: "../../../local/tmp/x" }));
    expect(await pm(`install-commit ${session}`)).toMatch(/^Failure \[INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME/);
  });

  it("replaces a part that is written again, and takes a file of the device", async () => {
    const session = await create();
    await write(session, "base", new Uint8Array(100));
    test.device.files.write("/data/local/tmp/a.apk", app(), 0o644);
    expect(await pm(`install-write -- ${session} base /data/local/tmp/a.apk`)).toBe(
      `Success: streamed ${app().length} bytes`,
    );
    expect(await pm(`install-commit ${session}`)).toBe("Success");
  });

  it("forgets what was written when it is abandoned", async () => {
    const session = await create();
    await write(session, "base", app());
    expect(await pm(`install-abandon ${session}`)).toBe("Success");
    expect(test.device.volume.usedBytes).toBe(0);
    expect(await pm(`install-write -S 1 ${session} base -`)).toMatch("Caller has no access");
  });

  it("keeps no part that came short or did not fit", async () => {
    const session = await create();
    expect(await pm(`install-write -S 5000 ${session} base -`, new Uint8Array(4))).toBe(
      "Failure [INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION: unexpected end of file] (1)",
    );
    expect(test.device.volume.usedBytes).toBe(0);
    expect(await pm(`install-write -S 90000000 ${session} base -`)).toMatch("INSTALL_FAILED_INSUFFICIENT_STORAGE");
    expect(test.device.volume.usedBytes).toBe(0);
  });

  it.each([
    ["install-create --bogus", "Error: Unknown option --bogus (1)"],
    ["install-commit", "pm: Error: java.lang.SecurityException: Caller has no access to session (255)"],
    ["install-commit 1e3", "pm: Error: java.lang.SecurityException: Caller has no access to session 1e3 (255)"],
    ["install -S -5", "pm: Error: must specify a APK size (1)"],
    ["install", "Error: must either specify a package size or an APK file (1)"],
    ["install /nowhere.apk", "Failure [INSTALL_FAILED_INVALID_URI] (1)"],
  ])("refuses %s", async (words, message) => expect(await pm(words)).toBe(message));

  it.each(["../x", "a/b", "..", "''"])("refuses the part name %s", async (part) => {
    const session = await create();
    expect(await pm(`install-write -S 1 ${session} ${part} -`)).toMatch("Invalid name");
  });

  it("has no more than fifty sessions open, and no more than a hundred parts in one", async () => {
    const sessions = test.device.installSessions;
    const id = sessions.create({} as never)!;
    for (let part = 0; part < 100; part++) expect(sessions.stage(id, String(part))).toBeDefined();
    expect(sessions.stage(id, "more")).toBeUndefined();
    for (let open = 1; open < 50; open++) expect(sessions.create({} as never)).toBeDefined();
    expect(await pm("install-create")).toMatch("Too many active sessions");
  });
});

describe("pm and cmd", () => {
  it.each([
    ["pm list packages -3 -f", "", 0],
    ["pm list packages -s | grep -c terrarium", "5\n", 0],
    [
      "pm list packages --show-versioncode -U com.terrarium.notes",
      "package:com.terrarium.notes versionCode:34 uid:10002\n",
      0,
    ],
    ["pm list users", "Users:\n\tUserInfo{0:Owner:c13} running\n", 0],
    ["pm list colours", "", 1],
    ["pm path no.such", "", 1],
    ["pm uninstall com.terrarium.notes", "Failure [DELETE_FAILED_INTERNAL_ERROR]\n", 1],
    ["pm clear no.such", "Failed\n", 1],
    ["pm fly", "", 255],
    [
      "cmd package resolve-activity --brief com.terrarium.notes",
      "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\ncom.terrarium.notes/.Notes\n",
      0,
    ],
    ["cmd nosuch x", "", 20],
    ["cmd wifi set-wifi-enabled disabled; settings get global wifi_on", "0\n", 0],
    ["cmd uimode night yes; settings get secure ui_night_mode", "2\n", 0],
    ["cmd connectivity airplane-mode enable; settings get global airplane_mode_on", "1\n", 0],
  ])("%s", async (command, stdout, exitCode) =>
    expect(await test.adb.shell(command)).toMatchObject({ stdout, exitCode }),
  );

  it("grants only what the manifest asks for", async () => {
    await install(app());
    expect(await test.adb.shell(`pm grant ${name} android.permission.CAMERA`)).toMatchObject({
      stderr: expect.stringContaining(`Package ${name} has not requested permission android.permission.CAMERA`),
      exitCode: 255,
    });
    expect(await test.adb.shell("pm grant no.such x")).toMatchObject({
      stderr: expect.stringContaining("Unknown package: no.such"),
    });
  });
});
