import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdbKey, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import { aborted, systemClock } from "@terrarium/clock";
import { type AdbAddress, type DeviceRuntime, killProcesses, NoSlotError, processesWith } from "@terrarium/runtime";
import { aMachineSpec, describeRuntime, MemoryLayers } from "@terrarium/runtime/testing";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { androidEmulator, type AndroidEmulatorOptions } from "./emulator-runtime.ts";
import { addImage, IMAGE, makeOld, makeStandInSdk } from "./testing/stand-in-sdk.ts";

const none = new AbortController().signal;
const key = new AdbKey(await AdbKey.generatePem(), "terrarium@test");

describe("emulators of a stand-in SDK", () => {
  const layers = new MemoryLayers();
  let folders: string[] = [];
  let opened: DeviceRuntime[] = [];
  let sdk = "";
  const logged: string[] = [];

  beforeEach(async () => {
    sdk = aFolder();
    await makeStandInSdk(sdk);
  });
  const close = async () => {
    for (const runtime of opened) {
      await runtime.shutdown!();
      await runtime.close();
    }
  };
  afterEach(async () => {
    await close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    [opened, folders] = [[], []];
    logged.length = 0;
    layers.stored.clear();
  });

  const aFolder = () => {
    const folder = mkdtempSync(join(tmpdir(), "emulator-"));
    folders.push(folder);
    return folder;
  };
  const make = (more: Partial<AndroidEmulatorOptions> = {}) => {
    const made = androidEmulator({
      dataDir: aFolder(),
      clock: systemClock,
      log: (line) => logged.push(line),
      layers,
      adbKey: async () => key,
      sdkPlaces: [undefined, join(sdk, "nowhere"), sdk],
      accel: "off",
      maxDevices: 2,
      hasInternet: false,
      bootsQuickly: false,
      bootMs: 60_000,
      ...more,
    });
    opened.push(made);
    return made;
  };
  const spec = (id = 1, image = IMAGE) => {
    const made = aMachineSpec({ id: `00000000-0000-4000-8000-00000000000${id}` });
    return { ...made, image: { ...made.image, artefact: image } };
  };
  const pidsOf = async (runtime: DeviceRuntime, { id }: { id: string }) => processesWith(await runtime.place(), id);

  describeRuntime(
    "android-emulator",
    async () => {
      const dataDir = aFolder();
      const runtime = make({ dataDir });
      return {
        runtime,
        restarted: async () => make({ dataDir }),
        slots: 2,
        listens: true,
        artefact: IMAGE,
        kill: async (machine) => killProcesses(await pidsOf(runtime, machine)),
        stall: async () => {
          const program = join(sdk, "emulator/emulator");
          await runtime.verify!(spec().image);
          writeFileSync(program, "#!/bin/sh\nexec sleep 1000\n");
          chmodSync(program, 0o755);
        },
        resources: async ({ adb }) => ({
          cpuCount: Number(await shell(adb, "nproc")),
          ramMb: Number(await shell(adb, "memory")),
        }),
        stranger: async () => make(),
        saving: {
          layers,
          elsewhere: async () => make(),
          write: ({ adb }, name, text) =>
            withLink(adb, (link) => link.push({ path: pathOf(name), mtime: 0, source: [Buffer.from(text)] })),
          read: async ({ adb }, name) =>
            withLink(adb, async (link) => {
              const { exitCode, stdout } = await link.shell(`cat ${pathOf(name)}`, { maxBytes: 1 << 24 });
              return exitCode === 0 ? stdout : undefined;
            }),
          delete: async ({ adb }, name) => void (await shell(adb, `rm ${pathOf(name)}`)),
        },
        dispose: close,
      };
    },
    { save: true, stall: true, resources: true, stranger: true },
  );

  it("starts equal devices from a snapshot of the first, made before anybody could use that", async () => {
    const dataDir = aFolder();
    const runtime = make({ dataDir, bootsQuickly: true });
    const first = await runtime.start(spec(1), none);
    expect(await shell(first.adb, "started")).toBe("cold");
    await withLink(first.adb, (link) => link.push({ path: pathOf("secret"), mtime: 0, source: [Buffer.from("x")] }));
    await first.stop();
    const second = await runtime.start(spec(2), none);
    expect(await shell(second.adb, "started")).toBe("snapshot");
    expect(await withLink(second.adb, async (link) => (await link.shell(`cat ${pathOf("secret")}`)).exitCode)).toBe(1);
    // It runs on overlays of its own, and is saved like any other.
    await withLink(second.adb, (link) => link.push({ path: pathOf("a"), mtime: 0, source: [Buffer.from("moss")] }));
    const saved = await second.save!({ onProgress: () => undefined }, none);
    await second.stop();
    const third = await runtime.start({ ...spec(3), layers: saved }, none);
    expect([await shell(third.adb, "started"), await shell(third.adb, `cat ${pathOf("a")}`)]).toEqual(["cold", "moss"]);
    const other = spec(4);
    other.hardware.displays[0]!.width = 400;
    expect(await shell((await runtime.start(other, none)).adb, "started")).toBe("cold");
    expect(readdirSync(join(dataDir, "android-emulator-quick"))).toHaveLength(2);
  });

  it("boots where no snapshot can be made, or the one that was made is damaged", async () => {
    const quick = "android-35";
    await addImage(sdk, IMAGE.replace("android-34", quick), { "no-snapshots": "" });
    const dataDir = aFolder();
    const runtime = make({ dataDir, bootsQuickly: true });
    const machine = await runtime.start(spec(1, IMAGE.replace("android-34", quick)), none);
    expect(await shell(machine.adb, "started")).toBe("cold");
    expect(logged.join()).toContain("no snapshot could be made");
    await machine.stop();
    const stuck = IMAGE.replace("google_apis", "stuck");
    await addImage(sdk, stuck, { stuck: "3" });
    const hurried = make({ dataDir: aFolder(), bootsQuickly: true, bootMs: 1_500 });
    await expect(hurried.start(spec(2, stuck), none)).rejects.toThrow("it showed no window in 1.5 s");
    expect(await hurried.list()).toEqual([]);
    await (await runtime.start(spec(2), none)).stop();
    const states = join(dataDir, "android-emulator-quick");
    rmSync(join(states, readdirSync(states)[0]!, "snapshots"), { recursive: true });
    const again = await runtime.start(spec(3), none);
    expect(await shell(again.adb, "started")).toBe("cold");
    expect(logged.join()).toContain("the snapshot for it cannot be used");
    await again.stop();
    // Nobody is to wait again for one that started from it and did not answer.
    expect(readdirSync(states)).toHaveLength(1);
    const mute = await make({ dataDir, bootsQuickly: true, bootMs: 1 }).start(spec(4), none);
    await aborted(mute.gone);
    expect(readdirSync(states)).toEqual([]);
  });

  it.each([
    [0, "Android did not start"],
    [1, "its boot animation did not end"],
    [2, "its package manager did not answer"],
    [3, "it showed no window"],
  ])("ends a device whose boot ends at stage %i: %s", async (stage, what) => {
    const image = IMAGE.replace("google_apis", `stuck${stage}`);
    await addImage(sdk, image, { stuck: String(stage) });
    const machine = await make({ bootMs: 1_500 }).start(spec(1, image), none);
    await aborted(machine.gone);
    expect(String(machine.gone.reason)).toContain(`${what} in 1.5 s`);
  });

  it("has a console that takes lines from us alone, outside of the ports that adb scans, and tells no adb server", async () => {
    const dataDir = aFolder();
    const runtime = make({ dataDir });
    const machine = await runtime.start(spec(), none);
    const [pid] = await pidsOf(runtime, machine);
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    const env = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    const [consolePort, adbPort] = words[words.indexOf("-ports") + 1]!.split(",").map(Number);
    for (const port of [consolePort!, adbPort!]) expect(port < 5554 || port > 5585).toBe(true);
    expect(env).toContain("ANDROID_ADB_SERVER_PORT=1");
    expect(env.filter((line) => /HOME=/.test(line) && !line.includes(dataDir) && !line.includes(sdk))).toEqual([]);
    expect(await machine.console!.send("geo fix 2.35 48.85")).toBe("");
    await expect(machine.console!.send("nonsense")).rejects.toThrow("unknown command");
    await expect(machine.console!.send("geo fix 1 1\nkill")).rejects.toThrow("one line");
    expect(await shell(machine.adb, "heard")).toBe("geo fix 2.35 48.85");
    const said = await new Promise((resolve) => {
      const socket = connect(consolePort!, "127.0.0.1", () => socket.write("auth 0\r\nkill\r\n"));
      let text = "";
      socket.on("data", (data: Buffer) => {
        if ((text += String(data)).split("KO:").length > 2) socket.destroy();
      });
      socket.on("close", () => resolve(text));
    });
    expect(said).toContain("KO: authentication token does not match");
    expect(machine.gone.aborted).toBe(false);
    expect(readFileSync(join(dataDir, "android-emulator-home/adbkey.pub"), "utf8")).toBe(`${key.publicKey}\n`);
    await machine.console!.send("kill");
    await aborted(machine.gone);
    expect(String(machine.gone.reason)).toContain("its process ended, and said: INFO | Boot completed");
  });

  it("says what is found, and why an image cannot be run", async () => {
    await addImage(sdk, "system-images;android-36;default;arm64-v8a");
    await addImage(sdk, "system-images;android-33;google_apis;x86_64", {
      "build.prop": "ro.build.version.release=13\n",
    });
    rmSync(join(sdk, "system-images/android-36/default/arm64-v8a/system.img"));
    await addImage(sdk, "system-images;android-30;default;armeabi-v7a");
    await addImage(sdk, "system-images;android-31;default;arm64-v8a");
    const runtime = make();
    const found = await runtime.found!();
    expect(found.map(({ key: name, problem, image }) => [name.split(";")[1], image!.osVersion, problem])).toEqual([
      ["android-31", "12.0", expect.stringContaining("it is for arm64, and this machine is x86_64")],
      ["android-33", "13.0", undefined],
      ["android-34", "14.0", undefined],
    ]);
    const { image } = spec();
    const before = await runtime.verify!(image);
    writeFileSync(join(sdk, "system-images/android-34/google_apis/x86_64/system.img"), "changed");
    expect(await runtime.verify!(image)).not.toBe(before);
    const missing = { ...image, artefact: "system-images;android-99;default;x86_64" };
    await expect(runtime.verify!(missing)).rejects.toThrow('sdkmanager "system-images;android-99;default;x86_64"');
    await expect(runtime.verify!({ ...image, artefact: "../$(id)" })).rejects.toThrow(/no such image$/);
    await expect(runtime.verify!({ ...image, arch: "arm64" })).rejects.toThrow("for x86_64, not arm64");
    const large = spec();
    large.hardware.ramMb = 1 << 24;
    await expect(runtime.start(large, none)).rejects.toBeInstanceOf(NoSlotError);
    expect(await make({ sdkPlaces: [] }).found!()).toEqual([]);
    writeFileSync(join(sdk, "emulator/emulator"), "#!/bin/sh\necho libpulse.so.0: cannot open >&2\nexit 127\n");
    expect((await make().found!())[1]!.problem).toBe("the emulator does not run here: libpulse.so.0: cannot open");
  });

  it("does not start one that would reach its host's network, unless that is asked for", async () => {
    await makeOld(sdk);
    await expect(make().start(spec(), none)).rejects.toThrow("TERRARIUM_ANDROID_EMULATOR_INTERNET=on");
    const runtime = make({ hasInternet: true });
    const machine = await runtime.start(spec(), none);
    const [pid] = await pidsOf(runtime, machine);
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain("restrict");
  });

  it("lets a device go on that a save left standing still, and takes none for another whose port it has", async () => {
    const dataDir = aFolder();
    const runtime = make({ dataDir });
    const machine = await runtime.start(spec(1), none);
    await machine.console!.send("avd stop");
    await runtime.close();
    const folderOf = ({ id }: { id: string }) => join(dataDir, "android-emulator", id);
    writeFileSync(join(folderOf(machine), `${machine.id}.avd`, "save-userdata-qemu.img.qcow2"), "half");
    const record = readFileSync(join(folderOf(machine), "machine.json"), "utf8");
    mkdirSync(folderOf(spec(2)));
    writeFileSync(join(folderOf(spec(2)), "machine.json"), record.replace(machine.id, spec(2).id));
    const next = make({ dataDir });
    expect(await next.list()).toEqual([{ id: machine.id, boot: 1 }]);
    expect(readdirSync(join(dataDir, "android-emulator"))).toEqual([machine.id]);
    expect(readdirSync(join(folderOf(machine), `${machine.id}.avd`)).join()).not.toContain("save-");
    const adopted = await next.adopt({ id: machine.id, boot: 1 });
    await expect(adopted!.console!.send("avd start")).rejects.toThrow("already running");
  });
});

const pathOf = (name: string) => `/data/local/tmp/${name}`;

async function withLink<T>(
  { host, port }: AdbAddress,
  act: (link: Awaited<ReturnType<typeof connectAdb>>) => Promise<T>,
): Promise<T> {
  const link = await connectAdb(nodeSocketDuplex(connect(port, host)), { signal: AbortSignal.timeout(5_000) });
  try {
    return await act(link);
  } finally {
    link.close();
  }
}

const shell = (adb: AdbAddress, command: string): Promise<string> =>
  withLink(adb, async (link) => (await link.shell(command)).stdout);
