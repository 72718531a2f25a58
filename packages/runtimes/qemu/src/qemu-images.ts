import { apiLevelOf, Checksums, type FoundDevice, type ImageSpec, offeredHardware } from "@terrarium/runtime";
import { execFile } from "node:child_process";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { emulators } from "./arguments.ts";
import { filesOf, type QemuImage, readImage } from "./image.ts";

const run = promisify(execFile);

export interface QemuImagesOptions {
  /** Paths of what may be started. */
  images: readonly string[];
  /** The folder of QEMU's programs, if they are not in PATH. */
  programs?: string;
}

/** The images that may be started, and the programs that they need. */
export class QemuImages {
  readonly checksums = new Checksums();
  readonly #options: QemuImagesOptions;
  /** What its programs have said of themselves when they were looked at last. */
  readonly #versions = new Map<string, string>();

  constructor(options: QemuImagesOptions) {
    this.#options = options;
  }

  all(): Promise<{ path: string; image?: QemuImage; problem?: string }[]> {
    const read = async (path: string) => {
      try {
        return { path, image: await readImage(path) };
      } catch (error) {
        return { path, problem: (error as Error).message };
      }
    };
    return Promise.all(this.#options.images.map(read));
  }

  called(name: string): Promise<QemuImage> {
    const path = this.#options.images.find((one) => basename(one) === name);
    if (path === undefined) throw new Error(`TERRARIUM_QEMU_IMAGES has no "${name}"`);
    return readImage(path);
  }

  /** @throws Error that says why there is none that can be run */
  async toRun(artefact: string, arch: ImageSpec["arch"]): Promise<QemuImage> {
    const image = await this.called(artefact);
    const problem = await this.#cannotRun(image, arch);
    if (problem !== undefined) throw new Error(problem);
    return image;
  }

  /** Why an image cannot be run here. */
  async #cannotRun(image: QemuImage, arch: ImageSpec["arch"] = image.arch): Promise<string | undefined> {
    if ((arch === "arm64") !== (image.arch === "arm64")) return `its name says ${image.arch}, not ${arch}`;
    for (const program of [emulators[image.arch].program, "qemu-img"])
      try {
        this.#versions.set(program, (await run(this.program(program), ["--version"])).stdout);
      } catch {
        const debian = image.arch === "arm64" ? "qemu-system-arm" : "qemu-system-x86";
        return `there is no ${program}: sudo apt-get install ${debian} qemu-utils`;
      }
    return undefined;
  }

  async found(): Promise<FoundDevice[]> {
    const images = (await this.all()).map(async ({ path, image, problem }): Promise<FoundDevice> => {
      const offered = image && offerOf(image);
      const name = offered ? `Android ${offered.osVersion} in QEMU` : basename(path);
      const says = problem ?? (image && (await this.#cannotRun(image)));
      return {
        key: basename(path),
        name,
        isFree: says === undefined,
        problem: says ?? (offered ? undefined : NO_VERSION),
        image: offered,
        hardware: { name, ...offeredHardware },
      };
    });
    return Promise.all(images);
  }

  checksumOf(image: QemuImage): Promise<string> {
    return this.checksums.ofAll(filesOf(image), image.cmdline ?? "");
  }

  /** Of the program that runs it, as it was when that was looked for last. */
  versionOf({ arch }: QemuImage): string | undefined {
    return this.#versions.get(emulators[arch].program);
  }

  program(name: string): string {
    return this.#options.programs === undefined ? name : join(this.#options.programs, name);
  }
}

const NO_VERSION = "its name does not say which Android it is, as android-14.0 does; describe it in a catalogue file";

function offerOf({ name, arch }: QemuImage): ImageSpec | undefined {
  const [osVersion = ""] = /\d+\.\d+/.exec(name) ?? [];
  const sdkVersion = apiLevelOf(osVersion);
  return sdkVersion === undefined ? undefined : { artefact: name, osVersion, sdkVersion, arch, imageVersion: "1" };
}
