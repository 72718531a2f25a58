import type { Clock } from "@terrarium/clock";
import type { Ask } from "@terrarium/runtime";
import type Docker from "dockerode";
import { randomUUID } from "node:crypto";
import { label, nameOf } from "./container.ts";
import { textOf } from "./docker-answers.ts";

export interface HostFactsOptions {
  docker: Docker;
  ask: Ask;
  clock: Clock;
  place: () => Promise<string>;
  log: (line: string) => void;
}

/** What is to run. */
export interface ImageFacts {
  arch: string;
  created: string;
  /** `sha256:...` */
  checksum: string;
  /** It boots Android in a container: it needs binder, and reads arguments. */
  isRedroid: boolean;
}

/** After this time it is asked again whether a kernel has binder. */
const BINDER_MS = 60_000;
/** Names images as Docker does: nothing that would be another path of its API. */
const IMAGE_NAME = /^(?!.*\.\.)[a-z0-9][\w.\-/:@]{0,250}$/i;
/** By Docker's names of them. */
const archs: Readonly<Record<string, readonly string[]>> = {
  amd64: ["x86_64", "x86"],
  x86_64: ["x86_64", "x86"],
  arm64: ["arm64"],
  aarch64: ["arm64"],
};
const NO_BINDER =
  "its kernel has no binder file system, without which Androids in containers would share one binder: sudo modprobe binder_linux devices=binder,hwbinder,vndbinder, in a kernel with CONFIG_ANDROID_BINDERFS";

/** What a Docker host is and has. Reads only, and changes nothing of any device: any process may ask. */
export class HostFacts {
  /** Two addresses may lead to one. Docker's own id alone is not enough: all on a computer have the same, and so has a copy of it. */
  id: string | undefined;
  memoryMb = 0;
  #arch: string | undefined;
  #binder: { is: Promise<boolean>; until: number } | undefined;
  readonly #options: HostFactsOptions;

  constructor(options: HostFactsOptions) {
    this.#options = options;
  }

  async read(): Promise<void> {
    const { ID, Name, DockerRootDir, ServerVersion, Architecture, MemTotal, NCPU } = await this.#options.docker.info();
    this.memoryMb = Math.floor(MemTotal / 1024 / 1024);
    this.#arch = Architecture;
    this.id = [ID, Name, DockerRootDir].join(" ");
    this.#options.log(`Docker ${ServerVersion}, ${Architecture}, ${NCPU} processors, ${this.memoryMb} MiB`);
  }

  /** @throws Error if there is no such image, which says how to get it */
  async image(name: string): Promise<ImageFacts> {
    if (!IMAGE_NAME.test(name)) throw new Error(`"${name}" is not the name of an image`);
    const { docker, ask } = this.#options;
    try {
      const { Architecture, Created, Config, Id } = await ask(() => docker.getImage(name).inspect());
      const words = [Config.Entrypoint ?? [], Config.Cmd ?? []].flat();
      return {
        arch: Architecture,
        created: Created,
        checksum: Id,
        isRedroid: words.includes("androidboot.hardware=redroid"),
      };
    } catch (error) {
      if ((error as { statusCode?: number }).statusCode !== 404) throw error;
      throw new Error(`it does not have the image: docker pull ${name}`, { cause: error });
    }
  }

  /** Why no container of an image can run there. */
  async cannotRun(name: string, image: ImageFacts, arch: string | undefined): Promise<string | undefined> {
    const own = archs[this.#arch ?? ""] ?? [];
    if (!archs[image.arch]?.some((one) => own.includes(one)))
      return `its processor is ${this.#arch}, and the image is for ${image.arch}`;
    if (arch !== undefined && !own.includes(arch)) return `its processor is ${this.#arch}, not ${arch}`;
    if (!image.isRedroid) return undefined;
    const now = this.#options.clock.monotonic();
    // It may be loaded later.
    if (!this.#binder || this.#binder.until < now) this.#binder = { is: this.#hasBinder(name), until: now + BINDER_MS };
    return (await this.#binder.is) ? undefined : NO_BINDER;
  }

  /** It may have been restarted with another kernel. */
  forgetBinder(): void {
    this.#binder = undefined;
  }

  /**
   * Asks the kernel, by a container that reads a file. It must be the file system, of which each container mounts its own: redroids that
   * share a `/dev/binder` are one Android to each other. If that fails, a start shows more.
   */
  async #hasBinder(Image: string): Promise<boolean> {
    const { docker, ask } = this.#options;
    try {
      const place = await this.#options.place();
      const id = `probe-${randomUUID()}`;
      // It is no device, so that it is not counted as one by any process.
      const Labels = { [label.place]: place, [label.probe]: id };
      const command = { Entrypoint: ["cat"], Cmd: ["/proc/filesystems"], HostConfig: { NetworkMode: "none" } };
      const probe = await ask(() => docker.createContainer({ name: nameOf(place, id), Image, Labels, ...command }));
      try {
        await ask(() => probe.start());
        await ask(() => probe.wait());
        const printed = textOf(await ask(() => probe.logs({ stdout: true })));
        return !/\bproc$/m.test(printed) || /^nodev\s+binder$/m.test(printed);
      } finally {
        await ask(() => probe.remove({ force: true }));
      }
    } catch {
      return true;
    }
  }
}
