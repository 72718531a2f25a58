import { abortable, type Clock, every } from "@terrarium/clock";
import {
  type Ask,
  askIn,
  cutTar,
  type Layer,
  type LayerStore,
  type MachineRef,
  type MachineSpec,
  type SaveOptions,
  saveUserData,
} from "@terrarium/runtime";
import type Docker from "dockerode";
import type { Container, ContainerInfo } from "dockerode";
import { type AdbTunnel, openAdbTunnel } from "./adb-tunnel.ts";
import { DATA, type Hosted, hostedOf, label } from "./container.ts";
import { hearEnds, lastWords } from "./container-ends.ts";
import { reasonOf } from "./docker-answers.ts";
import { HostFacts, type ImageFacts } from "./host-facts.ts";
import { HostRoom } from "./host-room.ts";
import { Leftovers } from "./leftovers.ts";
import { startContainer } from "./start-container.ts";

/** A Docker that may run devices. */
export interface OfferedHost {
  /** As in the settings: `unix:///var/run/docker.sock`. */
  name: string;
  docker: Docker;
  /** It takes no more devices. */
  isDraining: boolean;
}

export interface DockerHostOptions extends OfferedHost {
  /** Whose containers are ours. */
  place: () => Promise<string>;
  clock: Clock;
  log: (line: string) => void;
  layers: LayerStore;
  maxDevices: number;
  /** Of which each device has a small part. */
  networks: string;
  /** Whether devices reach anything but this host. */
  hasInternet: boolean;
  /** How long the host may not answer before its devices are over. */
  graceMs: number;
  /** A machine is over although nobody asked for that. */
  onGone: (machine: Hosted, why: string) => void;
  /** Which Docker it is is known now. */
  onKnown: () => void;
}

const LOOK_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** One Docker: whether it answers, what it can run, and the machines that it runs for us. */
export class DockerHost {
  readonly name: string;
  readonly isDraining: boolean;
  readonly facts: HostFacts;
  /** Why it cannot be used; undefined if it can. */
  problem: string | undefined = "it has not answered yet";
  /** Our machines that run there, as it said last, by id. */
  readonly machines = new Map<string, Hosted>();
  readonly #options: DockerHostOptions;
  readonly #docker: Docker;
  readonly #leftovers: Leftovers;
  readonly #ask: Ask;
  /** Asks what is answered at once. */
  readonly #askNow: Ask;
  readonly #end = new AbortController();
  readonly #room: HostRoom;
  readonly #saving = new Set<string>();
  /** The boots of those that are over, of which something may be left there, by id. */
  readonly #doomed = new Map<string, number>();
  #looking: Promise<void> | undefined;
  #isSweeping = false;
  #silentSince: number | undefined;
  readonly #settled = Promise.withResolvers<void>();
  /** Counts the changes to `machines`, so that an old answer changes nothing. */
  #changes = 0;
  #watching: Promise<unknown> | undefined;
  #other: string | undefined;

  constructor(options: DockerHostOptions) {
    this.#options = options;
    this.name = options.name;
    this.isDraining = options.isDraining;
    this.#docker = options.docker;
    this.#ask = askIn(options.clock);
    this.#askNow = askIn(options.clock, ANSWER_TIMEOUT_MS, this.#end.signal);
    const { docker, clock, place } = options;
    const asking = { docker, ask: this.#ask, clock, place, log: (line: string) => this.#log(line) };
    this.facts = new HostFacts(asking);
    this.#room = new HostRoom({ maxDevices: options.maxDevices, memoryMb: () => this.facts.memoryMb });
    this.#leftovers = new Leftovers({
      ...asking,
      isUsed: (id) => this.#room.isStarting(id) || this.machines.has(id) || this.#other !== undefined,
      onCleared: (id) => {
        this.#changes++;
        this.#doomed.delete(id);
      },
    });
  }

  /** Resolves when it has answered for the first time, or has not for as long as its devices may wait for it. */
  get settled(): Promise<void> {
    return this.#settled.promise;
  }

  /**
   * Looks at it, and from now on supervises what is ours there: finds machines, reports those that end, lets those go on that stand still,
   * and removes leftovers. Only the process that supervises devices may: to any other, what this one begins or saves looks like leftovers.
   */
  supervise(): Promise<void> {
    const { clock, docker, place } = this.#options;
    const onEnd = async () => {
      // One that is under way may have asked before.
      await this.#looking;
      await this.look();
    };
    this.#watching ??= Promise.all([
      every(clock, LOOK_MS, () => this.look(), this.#end.signal),
      hearEnds(docker, { clock, place, onEnd }, this.#end.signal),
    ]);
    return this.look();
  }

  /** Resolves when it has been looked at now, or does not answer. Reads only, unless it is supervised. Never rejects. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)));
  }

  /** Another address leads to the same Docker, and is used. */
  isSameAs(other: string): void {
    this.#other = other;
    this.machines.clear();
    this.#setProblem(`it is the same Docker as ${other}`);
  }

  async close(): Promise<void> {
    this.#end.abort(new Error("the runtime was closed"));
    this.#settled.resolve();
    await this.#watching;
  }

  /** Why a machine cannot run there; undefined if it can, and room for it is reserved until it runs or `release` is called. */
  async refuses(spec: MachineSpec): Promise<string | undefined> {
    const image = await this.image(spec.image.artefact).catch((error: unknown) => reasonOf(error));
    if (typeof image === "string") return image;
    const problem = this.problem ?? (await this.facts.cannotRun(spec.image.artefact, image, spec.image.arch));
    if (problem !== undefined) return problem;
    if (this.isDraining) return "it is drained";
    return this.#room.take(spec);
  }

  release(id: string): void {
    this.#room.release(id);
  }

  /** Why no device can be started from an image there, and what it is. */
  async report(name: string, arch?: string): Promise<{ problem: string | undefined; image: ImageFacts | undefined }> {
    try {
      const image = await this.image(name);
      return { image, problem: this.problem ?? (await this.facts.cannotRun(name, image, arch)) };
    } catch (error) {
      return { image: undefined, problem: this.problem ?? reasonOf(error) };
    }
  }

  /** @throws Error if there is no such image, which says how to get it */
  async image(name: string): Promise<ImageFacts> {
    if (this.problem !== undefined) throw new Error(this.problem);
    return this.facts.image(name);
  }

  /** Starts a machine for which there is room. Leaves nothing if it fails or the signal aborts. */
  async start(spec: MachineSpec, onTunnel: (tunnel: AdbTunnel) => void, signal: AbortSignal): Promise<Hosted> {
    try {
      const { docker, layers, networks, hasInternet } = this.#options;
      const { isRedroid } = await this.image(spec.image.artefact);
      // Of a start that was interrupted.
      await this.#leftovers.clear(spec.id);
      const place = await this.#options.place();
      const openTunnel = (container: () => Container | undefined) => this.tunnel(container, undefined);
      const parts = { docker, ask: this.#ask, place, layers, isRedroid, networks, hasInternet, openTunnel };
      const { hosted, tunnel } = await startContainer(spec, parts, signal);
      this.#changes++;
      this.#doomed.delete(spec.id);
      this.machines.set(spec.id, hosted);
      this.#room.add(hosted);
      onTunnel(tunnel);
      return hosted;
    } catch (error) {
      await this.#leftovers.tryToClear(spec.id);
      throw error;
    } finally {
      this.release(spec.id);
    }
  }

  /** A port of loopback that leads to a container's adb. */
  tunnel(container: () => Container | undefined, wantedPort: number | undefined): Promise<AdbTunnel> {
    return openAdbTunnel(container, wantedPort, { clock: this.#options.clock, log: (line) => this.#log(line) });
  }

  containerOf({ container }: Hosted): Container {
    return this.#docker.getContainer(container);
  }

  /**
   * Ends a machine. Resolves when nothing of it is left; if the host does not answer, or cannot remove it yet, that is done later. Never
   * rejects.
   */
  async stop({ id, boot }: MachineRef): Promise<void> {
    if (this.machines.get(id)?.boot !== boot) return;
    this.#changes++;
    this.machines.delete(id);
    // What of it is found from now on is removed, whether this succeeds or not.
    this.#doomed.set(id, boot);
    if (this.problem !== undefined) return this.#log(`${id} will be removed when it answers`);
    await this.#leftovers.tryToClear(id);
    await this.look();
  }

  /** Saves a machine's user data. It stands still meanwhile. */
  async save(hosted: Hosted, options: SaveOptions, signal: AbortSignal): Promise<Layer[]> {
    const container = this.containerOf(hosted);
    this.#saving.add(hosted.id);
    try {
      await this.#ask(() => container.pause());
      const { layers } = this.#options;
      const ask = this.#ask;
      const read = async function* () {
        const tar = await ask(() => container.getArchive({ path: DATA }));
        yield* cutTar(tar as AsyncIterable<Uint8Array> & NodeJS.ReadableStream);
      };
      return await abortable(saveUserData(read, layers, { maxMb: hosted.diskMb, signal, ...options }), signal);
    } finally {
      this.#saving.delete(hosted.id);
      await this.#unpause(hosted);
    }
  }

  async #unpause(hosted: Hosted): Promise<void> {
    await this.#ask(() => this.containerOf(hosted).unpause()).catch((error: unknown) => {
      // It is tried again with each look. That it has ended meanwhile is no trouble.
      if (this.machines.has(hosted.id)) this.#log(`${hosted.id} still stands still: ${reasonOf(error)}`);
    });
  }

  async #look(): Promise<void> {
    try {
      await this.#see();
    } catch (error) {
      if (!this.#end.signal.aborted) this.#silent(error);
    }
  }

  /** Whether it answers is decided by its answers alone, and before anything is done. */
  async #see(): Promise<void> {
    const place = await this.#options.place();
    if (this.facts.id === undefined) {
      await this.#askNow(() => this.facts.read());
      this.#options.onKnown();
    }
    for (;;) {
      const changes = this.#changes;
      const filters = { label: [label.id] };
      const all = await this.#askNow(() => this.#docker.listContainers({ all: true, filters }));
      this.#silentSince = undefined;
      if (this.#other !== undefined) return this.#settled.resolve();
      this.#setProblem(undefined);
      if (changes !== this.#changes) continue;
      const used = this.#room.count(all);
      if (!this.#watching) return;
      const isOurs = ({ Labels }: ContainerInfo) => Labels[label.place] === place;
      return this.#update(used.filter(isOurs).map(hostedOf));
    }
  }

  #silent(error: unknown): void {
    const { clock, graceMs } = this.#options;
    this.#setProblem(`it does not answer: ${reasonOf(error)}`);
    this.#silentSince ??= clock.monotonic();
    if (clock.monotonic() - this.#silentSince < graceMs) return;
    for (const machine of this.machines.values()) this.#over(machine, this.problem ?? "it does not answer");
    this.#settled.resolve();
  }

  /** @param running what runs now, and is not being started */
  async #update(running: readonly Hosted[]): Promise<void> {
    const there = running.filter(({ id, boot }) => this.#doomed.get(id) !== boot);
    const now = new Set(there.map(({ container }) => container));
    const gone = [...this.machines.values()].filter(({ container }) => !now.has(container));
    for (const machine of there) this.machines.set(machine.id, machine);
    for (const machine of there) if (machine.isPaused && !this.#saving.has(machine.id)) void this.#unpause(machine);
    this.#settled.resolve();
    const ended = gone.map(async (machine) => {
      const why = await lastWords(this.containerOf(machine), this.#askNow);
      // It may have been stopped meanwhile.
      if (this.machines.get(machine.id) === machine) this.#over(machine, why);
    });
    await Promise.all(ended);
    // Nobody waits for it: what cannot be removed says nothing of the host.
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    void this.#leftovers
      .sweep(this.#end.signal)
      .catch((error: unknown) => this.#log(`it was not asked what is left there: ${reasonOf(error)}`))
      .finally(() => (this.#isSweeping = false));
  }

  #over(machine: Hosted, why: string): void {
    this.#changes++;
    this.machines.delete(machine.id);
    this.#doomed.set(machine.id, machine.boot);
    this.#options.onGone(machine, why);
  }

  #setProblem(problem: string | undefined): void {
    if (problem !== this.problem) this.#log(problem ?? "it answers");
    this.problem = problem;
    if (problem !== undefined) this.facts.forgetBinder();
  }

  #log(line: string): void {
    this.#options.log(`${this.name}: ${line}`);
  }
}
