import { type KeySource, nodeSocketDuplex, waitForBoot } from "@terrarium/adb";
import { abortable, type Clock } from "@terrarium/clock";
import {
  type DeviceRuntime,
  type FoundDevice,
  imageByTag,
  type ImageSpec,
  type LayerStore,
  type Machine,
  type MachineCapability,
  type MachineRef,
  type MachineSpec,
  NO_VERSION,
  NoSlotError,
  offeredHardware,
  placeOf,
  Turns,
} from "@terrarium/runtime";
import { connect } from "node:net";
import type { AdbTunnel } from "./adb-tunnel.ts";
import type { Hosted } from "./container.ts";
import { DockerHost, type OfferedHost } from "./docker-host.ts";

export interface DockerRuntimeOptions {
  dataDir: string;
  clock: Clock;
  log: (line: string) => void;
  layers: LayerStore;
  /** The key by which devices that ask for one know this installation. */
  adbKey: KeySource;
  hosts: readonly OfferedHost[];
  /** Those that the operator is offered. */
  images: readonly string[];
  /** On each host. */
  maxDevices: number;
  /** `10.213.0.0/16`: each device gets a network of 8 addresses in it. */
  networks: string;
  hasInternet: boolean;
  /** How long a host may not answer before its devices are over. */
  graceMs: number;
  /** A device that has not booted by then is over. */
  bootMs: number;
}

interface Held {
  machine: Machine;
  container: string;
  gone: AbortController;
  tunnel: AdbTunnel;
}

const CAPABILITIES: ReadonlySet<MachineCapability> = new Set(["save"]);

/** Runs containers that answer adb, on one or more Docker hosts. */
export function dockerRuntime(options: DockerRuntimeOptions): DeviceRuntime {
  return new DockerRuntime(options);
}

class DockerRuntime implements DeviceRuntime {
  readonly name = "docker";
  readonly #options: DockerRuntimeOptions;
  readonly #hosts: readonly DockerHost[];
  readonly #held = new Map<string, Held>();
  readonly #turns = new Turns();
  readonly #end = new AbortController();

  constructor(options: DockerRuntimeOptions) {
    this.#options = options;
    this.#hosts = options.hosts.map(
      (host) =>
        new DockerHost({
          ...options,
          ...host,
          place: () => this.place(),
          onGone: (machine, why) => this.#over(machine, why),
          onKnown: () => this.#reportSame(),
        }),
    );
  }

  place(): Promise<string> {
    return placeOf(this.#options.dataDir, this.name);
  }

  async prepare(): Promise<void> {
    await this.#supervise();
  }

  start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    // Whoever gives up does not wait for a Docker that hangs; what was begun is undone when it answers.
    return abortable(
      this.#turns.take(spec.id, () => this.#start(spec, signal)),
      signal,
    );
  }

  async list(): Promise<MachineRef[]> {
    await this.#supervise();
    return this.#hosts.flatMap(({ machines }) => [...machines.values()].map(({ id, boot }) => ({ id, boot })));
  }

  adopt({ id, boot }: MachineRef): Promise<Machine | undefined> {
    return this.#turns.take(id, async () => {
      const found = await this.#findPatiently(id);
      if (found?.machine.boot === boot) return this.#machine(found.host, found.machine);
      if (found && found.machine.boot < boot) await this.#stop(found.host, found.machine);
      return undefined;
    });
  }

  stop(id: string): Promise<void> {
    return this.#turns.take(id, async () => {
      await this.#supervise();
      const found = this.#find(id);
      if (found) await this.#stop(found.host, found.machine);
    });
  }

  /** Images that can be offered, and hosts that cannot be used. */
  async found(): Promise<FoundDevice[]> {
    await this.#look();
    const images = this.#options.images.map(async (name): Promise<FoundDevice> => {
      const reports = await Promise.all(this.#hosts.map((host) => host.report(name)));
      const usable = reports.find(({ problem }) => problem === undefined);
      const image = usable?.image && imageByTag(name, usable.image.arch, usable.image.created.slice(0, 10));
      const title = image ? `Android ${image.osVersion} in a container` : name;
      return {
        key: name,
        name: title,
        isFree: usable !== undefined,
        problem: usable ? (image ? undefined : NO_VERSION) : this.#reasons(reports),
        image,
        hardware: { name: title, ...offeredHardware },
      };
    });
    const hosts = this.#hosts.flatMap(({ name: key, problem, isDraining }): FoundDevice[] => {
      const says = problem ?? (isDraining ? "it is drained" : undefined);
      return says === undefined ? [] : [{ key, name: "Docker", isFree: false, problem: says }];
    });
    return [...(await Promise.all(images)), ...hosts];
  }

  async verify({ artefact, arch }: ImageSpec): Promise<string> {
    await this.#look();
    const reports = await Promise.all(this.#hosts.map((host) => host.report(artefact, arch)));
    const usable = reports.find(({ problem }) => problem === undefined);
    if (!usable?.image) throw new Error(this.#reasons(reports));
    return usable.image.checksum;
  }

  async shutdown(): Promise<void> {
    await Promise.all((await this.list()).map(({ id }) => this.stop(id)));
  }

  async close(): Promise<void> {
    this.#end.abort(new Error("the runtime was closed"));
    for (const { tunnel } of this.#held.values()) tunnel.close();
    await Promise.all(this.#hosts.map((host) => host.close()));
  }

  async #start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    signal.throwIfAborted();
    const runs = await abortable(this.#findPatiently(spec.id), signal);
    if (runs?.machine.boot === spec.boot) return this.#machine(runs.host, runs.machine);
    if (runs && runs.machine.boot > spec.boot) throw new Error(`boot ${runs.machine.boot} of this device runs`);
    if (runs) await this.#stop(runs.host, runs.machine);
    const host = await this.#choose(spec, signal);
    const opened = Promise.withResolvers<AdbTunnel>();
    const hosted = await host.start(spec, opened.resolve, signal);
    const tunnel = await opened.promise;
    const machine = await this.#machine(host, hosted, tunnel);
    void this.#watchBoot(host, hosted, machine, tunnel);
    return machine;
  }

  /** The host with the fewest devices that takes it, with room for it. */
  async #choose(spec: MachineSpec, signal: AbortSignal): Promise<DockerHost> {
    const refusals: string[] = [];
    for (const host of this.#hosts.toSorted((one, other) => one.machines.size - other.machines.size)) {
      const why = await host.refuses(spec);
      if (signal.aborted && why === undefined) host.release(spec.id);
      signal.throwIfAborted();
      if (why === undefined) return host;
      refusals.push(`${host.name}: ${why}`);
    }
    throw new NoSlotError(`no Docker host takes the device: ${refusals.join("; ")}`);
  }

  async #machine(host: DockerHost, hosted: Hosted, opened?: AdbTunnel): Promise<Machine> {
    const { id, boot, container, port } = hosted;
    const held = this.#held.get(id);
    if (held?.container === container) return held.machine;
    const tunnel = opened ?? (await host.tunnel(() => host.containerOf(hosted), port));
    const gone = new AbortController();
    const machine: Machine = {
      id,
      boot,
      adb: tunnel.address,
      capabilities: CAPABILITIES,
      gone: gone.signal,
      save: (options, signal) =>
        this.#turns.take(`save ${container}`, async () => {
          const limited = AbortSignal.any([signal, gone.signal]);
          limited.throwIfAborted();
          const goOn = await tunnel.hold(limited);
          return host.save(hosted, options, limited).finally(goOn);
        }),
      stop: () => this.#turns.take(id, () => this.#stop(host, hosted)),
    };
    this.#held.set(id, { machine, container, gone, tunnel });
    if (host.machines.get(id)?.container !== container) this.#over(hosted, "it ended as it started");
    return machine;
  }

  async #stop(host: DockerHost, machine: Hosted): Promise<void> {
    this.#over(machine, "stopped");
    await host.stop(machine);
  }

  #over({ id, container }: Hosted, why: string): void {
    const held = this.#held.get(id);
    if (held?.container !== container) return;
    this.#held.delete(id);
    held.tunnel.close();
    held.gone.abort(new Error(`the device is over: ${why}`));
  }

  /** A device is up when its adb answers, and says that Android has started. One that never does ends with the reason. */
  async #watchBoot(host: DockerHost, hosted: Hosted, { gone }: Machine, tunnel: AdbTunnel): Promise<void> {
    const { clock, log, bootMs, adbKey: key } = this.#options;
    const over = AbortSignal.any([gone, this.#end.signal]);
    const began = clock.monotonic();
    try {
      const open = () => nodeSocketDuplex(connect(tunnel.address.port, tunnel.address.host));
      await waitForBoot({ open, key, clock, bootMs, signal: over });
      log(`${host.name}: ${hosted.id} has started in ${Math.round(clock.monotonic() - began)} ms`);
    } catch (error) {
      if (over.aborted) return;
      const said = tunnel.complaint();
      const why = `${(error as Error).message}${said && `: ${said}`}`;
      log(`${host.name}: ${hosted.id}: ${why}`);
      this.#over(hosted, why);
      await host.stop(hosted).catch((failed: unknown) => log(`${hosted.id} could not be removed: ${String(failed)}`));
    }
  }

  async #supervise(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.supervise()));
  }

  async #look(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.look()));
  }

  /** Two addresses of one Docker would count its devices twice. */
  #reportSame(): void {
    for (const [at, host] of this.#hosts.entries()) {
      const same = this.#hosts.slice(0, at).find(({ facts }) => facts.id !== undefined && facts.id === host.facts.id);
      if (same) host.isSameAs(same.name);
    }
  }

  #reasons(reports: readonly { problem: string | undefined }[]): string {
    return this.#hosts.map(({ name }, at) => `${name}: ${reports[at]?.problem}`).join("; ");
  }

  /** Waits for hosts that have not answered yet: it may run there. */
  async #findPatiently(id: string): Promise<{ host: DockerHost; machine: Hosted } | undefined> {
    await this.#supervise();
    if (!this.#find(id)) await Promise.all(this.#hosts.map(({ settled }) => settled));
    return this.#find(id);
  }

  #find(id: string): { host: DockerHost; machine: Hosted } | undefined {
    for (const host of this.#hosts) {
      const machine = host.machines.get(id);
      if (machine) return { host, machine };
    }
    return undefined;
  }
}
