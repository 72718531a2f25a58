import type { ByteStream } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import type { MachineSpec } from "@terrarium/runtime";
import { baseImage } from "../files/base-image.ts";
import { FileError } from "../files/file-error.ts";
import type { FileReader } from "../files/file-reader.ts";
import { Files } from "../files/files.ts";
import { ROOT, SHELL } from "../files/identity.ts";
import { directoryName } from "../files/path.ts";
import { Volume } from "../files/volume.ts";
import type { CreateScreen, ScreenHost } from "./screen.ts";
import type { Gamepad } from "./gamepads.ts";
import { bootLines } from "./boot-lines.ts";
import { DeviceState } from "./device-state.ts";
import { Display } from "./display.ts";
import { InstallSessions } from "./install-sessions.ts";
import { LocalSockets } from "./local-sockets.ts";
import { LogBuffer, type LogLevel } from "./log-buffer.ts";
import { LAUNCHER, ownApps } from "./own-apps.ts";
import { Packages } from "./packages.ts";
import { kernelRelease, makeFile } from "./proc-files.ts";
import { hasPhone } from "./phone.ts";
import { initialProperties, phoneProperties, Properties } from "./properties.ts";
import { type Process, systemProcesses } from "./processes.ts";
import { Settings } from "./settings.ts";
import { Speaker } from "../sound/speaker.ts";

export interface SimulatedDeviceOptions {
  spec: MachineSpec;
  clock: Clock;
  createScreen: CreateScreen;
  /** The names in /system/bin. */
  commandNames: readonly string[];
  /** The most a device may write, whatever its profile says its disk holds. */
  maxDiskBytes: number;
  /** Where large files of devices go on the host's disk. */
  spillFolder: string;
  /** Called by `reboot`, with its mode. */
  onReboot?: (mode: string) => void;
}

/** From power-on until the system says it has booted, in ms. */
const BOOT_MS = 20;
const HOME_KEY = 3;
const FIRST_APP_PID = 2200;
/** Every image was built then; a device's own files are younger. */
const BUILT_MS = Date.UTC(2026, 0, 15);
const MB = 1024 * 1024;

/** One device: what it is, what it stores, what it shows. It speaks no protocol. */
export class SimulatedDevice {
  readonly spec: MachineSpec;
  readonly clock: Clock;
  readonly state = new DeviceState();
  readonly speaker = new Speaker(this.state);
  readonly properties: Properties;
  readonly volume: Volume;
  readonly packages: Packages;
  readonly installSessions: InstallSessions;
  readonly settings: Settings;
  readonly logs = new LogBuffer();
  readonly display: Display;
  readonly sockets = new LocalSockets();
  /** Controllers that hosts have plugged in. */
  readonly gamepads = new Set<Gamepad>();
  /** Files as the system itself sees them. */
  readonly files: Files;
  #startedMs: number;
  /** Whether adbd and its shells run as root, after `adb root`. */
  adbdIsRoot = false;
  /** Connects to a socket that a host has asked to be connected back to; set by the adb side. */
  connectReverse: (address: string, signal?: AbortSignal) => Promise<ByteStream | undefined> = async () => undefined;
  readonly #ended = new AbortController();
  readonly #onReboot: ((mode: string) => void) | undefined;
  readonly #running = new Map<string, number>();
  #nextPid = FIRST_APP_PID;

  constructor({
    spec,
    clock,
    createScreen,
    commandNames,
    maxDiskBytes,
    spillFolder,
    onReboot,
  }: SimulatedDeviceOptions) {
    this.spec = spec;
    this.clock = clock;
    this.#startedMs = clock.monotonic();
    this.#onReboot = onReboot;
    this.properties = new Properties(initialProperties(spec, BUILT_MS));
    this.volume = new Volume({
      base: baseImage({
        sdkVersion: spec.image.sdkVersion,
        builtMs: BUILT_MS,
        commands: commandNames,
        apps: ownApps,
      }),
      totalBytes: spec.hardware.dataDiskMb * MB,
      maxBytes: maxDiskBytes,
      spillFolder,
      now: () => clock.now(),
      make: (name) => makeFile(this, name),
    });
    this.files = new Files(this.volume, ROOT);
    this.settings = new Settings(this.state, spec.id, spec.name);
    this.packages = new Packages({
      spec,
      files: this.files,
      now: () => clock.now(),
      builtMs: BUILT_MS,
      // A change of no value: whatever shows the apps looks again.
      changed: () => this.state.set({}),
      log: (message) => this.log("I", "PackageManager", message),
    });
    this.installSessions = new InstallSessions(this.packages, this.files);
    this.display = new Display(createScreen, this.#screenHost());
    this.state.watch(({ locale, timeZone, sim, mobileProfile }) => {
      if (locale !== undefined) this.properties.set("persist.sys.locale", locale);
      if (timeZone !== undefined) this.properties.set("persist.sys.timezone", timeZone);
      if (hasPhone(this) && (sim ?? mobileProfile) !== undefined)
        this.properties.setAll(phoneProperties(this.state.values));
    });
  }

  /** Aborts when the device is over. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get uptimeMs(): number {
    return this.clock.monotonic() - this.#startedMs;
  }

  get kernelRelease(): string {
    return kernelRelease(this.spec.image.sdkVersion);
  }

  /** Powers it on; resolves when it has booted, or when it was stopped before. */
  async boot(): Promise<void> {
    for (const line of bootLines(this, "early")) this.logs.add(line);
    this.properties.set("init.svc.bootanim", "running");
    try {
      await this.clock.sleep(BOOT_MS, this.ended);
    } catch {
      return;
    }
    this.#running.set(LAUNCHER, this.#nextPid++);
    this.properties.set("init.svc.bootanim", "stopped");
    this.properties.set("sys.boot_completed", "1");
    this.properties.set("dev.bootcomplete", "1");
    for (const line of bootLines(this, "late")) this.logs.add(line);
  }

  /** Files as adb's shell sees them. */
  shellFiles(): Files {
    return this.adbdIsRoot ? this.files : new Files(this.volume, SHELL);
  }

  log(level: LogLevel, tag: string, message: string, pid = 1100): void {
    this.logs.add({ timeMs: this.clock.now(), pid, tid: pid, uid: 1000, level, tag, message });
  }

  /** What `ps` shows, including the shell that asks. */
  processes(shellPid: number): Process[] {
    const apps = [...this.#running].map(([packageName, pid]): Process => {
      const uid = this.packages.get(packageName)?.uid ?? 1000;
      return { pid, ppid: 310, uid, name: packageName, rssKib: 98_304, packageName };
    });
    return [...systemProcesses, ...apps, { pid: shellPid, ppid: 415, uid: 2000, name: "sh", rssKib: 3204 }].toSorted(
      (a, b) => a.pid - b.pid,
    );
  }

  /** Brings an app to the front. Returns false if it cannot be launched. */
  startApp(packageName: string): boolean {
    const one = this.packages.get(packageName);
    if (!one) return false;
    if (packageName === LAUNCHER) this.pressHome();
    else if (!this.display.screen.startApp(packageName)) return false;
    if (!this.#running.has(packageName)) {
      this.#running.set(packageName, this.#nextPid++);
      this.log(
        "I",
        "ActivityManager",
        `Start proc ${this.#running.get(packageName)}:${packageName}/u0a${one.uid - 10_000} for top-activity {${packageName}/${one.launcherActivity}}`,
      );
    }
    return true;
  }

  /** Ends an app. If it was in front, the home screen is shown. */
  stopApp(packageName: string): void {
    if (packageName === LAUNCHER || !this.#running.delete(packageName)) return;
    this.log(
      "I",
      "ActivityManager",
      `Force stopping ${packageName} appid=${this.packages.get(packageName)?.uid ?? -1} user=0: from pid 2000`,
    );
    if (this.display.opened?.focused.startsWith(`${packageName}/`)) this.pressHome();
  }

  /** To be awaited after each read of a file: the disk may be slow. */
  async diskRead(bytes: number, { isMade = false }: FileReader): Promise<void> {
    const { diskReadRate } = this.state.values;
    if (diskReadRate > 0 && !isMade) await this.clock.sleep((bytes / diskReadRate) * 1000, this.ended);
  }

  /** Something on its screen was tapped. */
  clicked(): void {
    if (this.settings.get("system", "sound_effects_enabled") !== "0") this.speaker.play("click");
  }

  pressHome(): void {
    this.display.screen.key("down", HOME_KEY, 0);
    this.display.screen.key("up", HOME_KEY, 0);
  }

  reboot(mode: string): void {
    this.log("I", "ShutdownThread", `Rebooting, reason: ${mode === "" ? "shell" : mode}`);
    this.#onReboot?.(mode);
  }

  /** Powers it off and on again. What is stored stays. */
  async restart(): Promise<void> {
    this.#running.clear();
    this.adbdIsRoot = false;
    this.display.reset();
    this.logs.clear();
    for (const name of ["sys.boot_completed", "dev.bootcomplete"]) this.properties.set(name, "");
    this.state.set({ screenOn: true, locked: false });
    this.#startedMs = this.clock.monotonic();
    await this.boot();
  }

  /** Powers it off and frees everything it holds. */
  stop(): void {
    if (this.ended.aborted) return;
    this.#ended.abort(new Error("the device was stopped"));
    this.display.close();
    this.volume.close();
  }

  #screenHost(): ScreenHost {
    return {
      spec: this.spec,
      clock: this.clock,
      state: this.state,
      property: (name) => this.properties.get(name),
      apps: () => this.packages.launchable(),
      readText: (path) => {
        try {
          return new TextDecoder().decode(this.files.read(path));
        } catch (error) {
          if (error instanceof FileError) return undefined;
          throw error;
        }
      },
      writeText: (path, text) => {
        try {
          this.files.makeDirectories(directoryName(path), 0o771);
          this.files.write(path, text, 0o660);
        } catch (error) {
          if (!(error instanceof FileError)) throw error;
          this.log("E", "Terrarium", `${path} was not written: ${error.message}`);
        }
      },
      click: () => this.clicked(),
      log: (tag, message) => this.log("I", tag, message),
    };
  }
}
