import type { KeySource } from "@terrarium/adb";
import { findAndroidSdk, type ImageSpec, propertiesIn, type SystemImage, systemImagesOf } from "@terrarium/runtime";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface EmulatorSdkOptions {
  dataDir: string;
  adbKey: KeySource;
  sdkPlaces: readonly (string | undefined)[];
}

export interface FoundSdk {
  path: string;
  /** The options of its emulator, without their dash. */
  known: ReadonlySet<string>;
  version: string;
}

const run = promisify(execFile);
const HELP_TIMEOUT_MS = 10_000;
/** Nobody but root can listen there: the emulator registers its devices with an adb server, and nobody else's may get them. */
const NO_ADB_SERVER = "1";
const NO_SDK = "no Android SDK with an emulator was found: install one, or set TERRARIUM_ANDROID_EMULATOR_SDK";

/** The Android SDK of this machine, and what its emulator is run with. */
export class EmulatorSdk {
  readonly #options: EmulatorSdkOptions;
  #found: Promise<FoundSdk> | undefined;

  constructor(options: EmulatorSdkOptions) {
    this.#options = options;
  }

  /** Asks the emulator what it can do, which also shows whether it runs here. @throws Error that says why there is none */
  find(): Promise<FoundSdk> {
    const find = async () => {
      const path = await findAndroidSdk(this.#options.sdkPlaces);
      if (path === undefined) throw new Error(NO_SDK);
      await mkdir(this.#home, { recursive: true, mode: 0o700 });
      const help = { env: this.environment(path), timeout: HELP_TIMEOUT_MS };
      const { stdout } = await run(join(path, "emulator/emulator"), ["-help"], help).catch(
        (error: Error & { stderr?: string }) => {
          throw new Error(`the emulator does not run here: ${error.stderr?.trim() || error.message}`, { cause: error });
        },
      );
      const known = new Set([...stdout.matchAll(/^\s+-([\w-]+)/gm)].map(([, name = ""]) => name));
      const version = (await propertiesIn(join(path, "emulator/source.properties"))).get("Pkg.Revision") ?? "";
      return { path, known, version };
    };
    // One that was not there may be installed by the next time.
    return (this.#found ??= find().catch((error: unknown) => {
      this.#found = undefined;
      throw error;
    }));
  }

  /** @throws Error that says why there is none that can be run */
  async imageFor({ artefact, arch }: ImageSpec): Promise<SystemImage> {
    const { path } = await this.find();
    const image = (await systemImagesOf(path)).find(({ name }) => name === artefact);
    if (!image)
      throw new Error(
        /^system-images;[\w;.-]+$/.test(artefact)
          ? `the Android SDK has no such image: sdkmanager "${artefact}"`
          : "the Android SDK has no such image",
      );
    const problem = image.arch === arch ? whyNotHere(image) : `the image is for ${image.arch}, not ${arch}`;
    if (problem !== undefined) throw new Error(problem);
    return image;
  }

  /** Of the emulator's user, so that it finds neither devices, keys nor settings of a person. */
  get #home(): string {
    return join(this.#options.dataDir, "android-emulator-home");
  }

  environment(sdk: string): Record<string, string> {
    return {
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: this.#home,
      XDG_RUNTIME_DIR: this.#home,
      ANDROID_EMULATOR_HOME: this.#home,
      ANDROID_HOME: sdk,
      ANDROID_SDK_ROOT: sdk,
      ANDROID_ADB_SERVER_PORT: NO_ADB_SERVER,
    };
  }

  /** By which the consoles know us; the key by which adb does is put beside it. */
  async token(): Promise<string> {
    const path = join(this.#home, ".emulator_console_auth_token");
    await mkdir(this.#home, { recursive: true, mode: 0o700 });
    const { publicKey } = await this.#options.adbKey();
    await writeFile(join(this.#home, "adbkey.pub"), `${publicKey}\n`);
    // It never replaces one: of two that make it, the first wins.
    await writeFile(path, randomBytes(16).toString("hex"), { mode: 0o600, flag: "wx" }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      },
    );
    return (await readFile(path, "utf8")).trim();
  }
}

/** Emulators run programs for the processor that they run on. */
export function whyNotHere({ arch }: SystemImage): string | undefined {
  const here = process.arch === "arm64" ? "arm64" : "x86_64";
  return (arch === "arm64") === (here === "arm64") ? undefined : `it is for ${arch}, and this machine is ${here}`;
}
