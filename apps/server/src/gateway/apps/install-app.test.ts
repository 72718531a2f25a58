import { AdbError, type InstallOptions, type PushOptions } from "@terrarium/adb";
import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { type AppLink, installApp } from "./install-app.ts";

const text = (value: string) => new TextEncoder().encode(value);
const APK = "PK\u0003\u0004 and the rest";

/** A device that installs `com.new` and has commands as `answers` says. */
class FakeDevice implements AppLink {
  readonly commands: string[] = [];
  banner: AppLink["banner"];
  received = "";
  /** What the package manager says of the next APK. */
  answer = "Success";
  /** Where the package manager keeps it now. */
  path = "";
  activities = "priority=0 preferredOrder=0\ncom.new/.Main\n";
  started = { stdout: "Starting: Intent { }\n", stderr: "", exitCode: 0 };
  files: string[] = [];

  constructor(features = ["cmd"]) {
    this.banner = { product: "p", model: "m", device: "d", features: new Set(features) };
  }

  readonly #receive = async (source: InstallOptions["source"]) => {
    for await (const part of source) this.received += new TextDecoder().decode(part);
  };

  readonly #keep = () => {
    if (/Success/.test(this.answer)) this.path = `/data/app/~~a==/com.new-${this.commands.length}==/base.apk`;
  };

  async install({ source, args, size }: InstallOptions) {
    if (size < 1) throw new AdbError("INVALID_ARGUMENT", "an APK has at least one byte");
    this.commands.push(`install ${args?.join(" ")} -S ${size}`);
    await this.#receive(source);
    this.#keep();
    if (this.answer !== "Success") throw new AdbError("FAILED", this.answer);
  }

  async push({ path, source }: PushOptions) {
    this.files.push(path);
    await this.#receive(source);
  }

  async shell(command: string | readonly string[]) {
    const line = [command].flat().join(" ");
    const reply = (stdout: string) => ({ stdout, stderr: "", exitCode: 0 });
    if (line.startsWith("pm list packages"))
      return reply(`package:/system/app/A=1/A.apk=com.old\n${this.path ? `package:${this.path}=com.new\n` : ""}`);
    this.commands.push(line);
    if (line.startsWith("pm install")) this.#keep();
    if (line.startsWith("pm install")) return reply(`${this.answer}\n`);
    if (line.startsWith("rm -f")) this.files = this.files.filter((path) => !line.includes(path));
    if (line.startsWith("cmd package resolve-activity")) return reply(this.activities);
    return line.startsWith("am start") || line.startsWith("monkey") ? this.started : reply("");
  }
}

async function* parts(value: string, size = value.length) {
  for (let at = 0; at < value.length; at += size) yield text(value.slice(at, at + size));
}

const install = (device: FakeDevice, content = APK, size?: number, signal = new AbortController().signal) =>
  installApp(device, { bytes: content.length, source: parts(content, size) }, { clock: new TestClock(), signal });

describe("installApp", () => {
  it.each([1, 3, 1000])("hands the file on in parts of %i bytes, and opens what is new", async (size) => {
    const device = new FakeDevice();
    expect(await install(device, APK, size)).toEqual({ package_name: "com.new", is_open: true });
    expect(device.received).toBe(APK);
    const intent = "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER";
    expect(device.commands).toEqual([
      `install -r -t -S ${APK.length}`,
      `cmd package resolve-activity --brief ${intent} com.new`,
      `am start ${intent} -n com.new/.Main`,
    ]);
  });

  it("recognises an app that was there before by its new path", async () => {
    const device = new FakeDevice();
    await install(device);
    expect(await install(device)).toEqual({ package_name: "com.new", is_open: true });
  });

  it.each(["", "PK", "%PDF-1.7", "PK\u0005\u0006 an empty ZIP file"])(
    "sends nothing of %j to the device",
    async (content) => {
      const device = new FakeDevice();
      await expect(install(device, content, 1)).rejects.toMatchObject({ code: "NOT_AN_APP" });
      expect(device.received).toBe("");
    },
  );

  it.each([
    [
      "Failure [INSTALL_FAILED_OLDER_SDK: Requires newer sdk version #99 (current version is #35)]",
      "INSTALL_FAILED_OLDER_SDK",
    ],
    ["Failure [INSTALL_PARSE_FAILED_NOT_APK: no manifest]", "INSTALL_PARSE_FAILED_NOT_APK"],
    [
      "Error: java.io.IOException: write failed: ENOSPC (No space left on device)",
      "INSTALL_FAILED_INSUFFICIENT_STORAGE",
    ],
    ["the package manager said nothing", "INSTALL_FAILED"],
  ])("rejects with the device's words: %s", async (words, reason) => {
    const device = new FakeDevice();
    device.answer = words;
    await expect(install(device)).rejects.toMatchObject({ code: "APP_REFUSED", details: { reason, words } });
  });

  it("passes on no more of a stack trace than anybody reads", async () => {
    const device = new FakeDevice();
    device.answer = "x".repeat(60_000);
    const error = (await install(device).catch((cause: unknown) => cause)) as { details: { words: string } };
    expect(error.details.words).toHaveLength(500);
  });

  it("opens what only a TV's launcher shows, or else leaves the choice to the device", async () => {
    const device = new FakeDevice();
    device.activities = "No activity found\n";
    expect((await install(device)).is_open).toBe(true);
    expect(device.commands.slice(1).map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual([
      "cmd package resolve-activity",
      "cmd package resolve-activity",
      "monkey -p com.new",
    ]);
  });

  it.each([
    { stdout: "** No activities found to run, monkey aborted.\n", stderr: "", exitCode: 0 },
    { stdout: "", stderr: "Error: Activity not started\n", exitCode: 0 },
    { stdout: "", stderr: "", exitCode: 252 },
  ])("says that it is not open after %j", async (started) => {
    const device = new FakeDevice();
    device.started = started;
    expect(await install(device)).toEqual({ package_name: "com.new", is_open: false });
  });
});

describe("installApp on a device without cmd", () => {
  it("goes by way of a file, which it deletes", async () => {
    const device = new FakeDevice([]);
    expect(await install(device)).toEqual({ package_name: "com.new", is_open: true });
    expect(device.received).toBe(APK);
    expect(device.commands[0]).toMatch(/^pm install -r -t \/data\/local\/tmp\/[\w-]+\.apk$/);
    expect(device.files).toEqual([]);
  });

  it("deletes it after a refusal, too, and after what could not be written", async () => {
    const device = new FakeDevice([]);
    device.answer = "Failure [INSTALL_FAILED_VERSION_DOWNGRADE]";
    await expect(install(device)).rejects.toMatchObject({ details: { reason: "INSTALL_FAILED_VERSION_DOWNGRADE" } });
    expect(device.files).toEqual([]);
    device.push = async ({ path }) => {
      device.files.push(path);
      throw new AdbError("FAILED", "couldn't write file: No space left on device");
    };
    await expect(install(device)).rejects.toMatchObject({ details: { reason: "INSTALL_FAILED_INSUFFICIENT_STORAGE" } });
    expect(device.files).toEqual([]);
  });

  it("deletes it when it was called off", async () => {
    const device = new FakeDevice([]);
    const abort = new AbortController();
    device.push = async ({ path }) => {
      device.files.push(path);
      abort.abort(new Error("enough"));
      throw abort.signal.reason;
    };
    await expect(install(device, APK, 5, abort.signal)).rejects.toThrow("enough");
    expect(device.files).toEqual([]);
  });
});
