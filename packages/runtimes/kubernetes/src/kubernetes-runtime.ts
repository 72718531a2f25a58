import type { V1Pod } from "@kubernetes/client-node";
import type { KeySource } from "@terrarium/adb";
import { abortable, type Clock, every } from "@terrarium/clock";
import {
  type Ask,
  askIn,
  type DeviceRuntime,
  type FoundDevice,
  type ImageSpec,
  type LayerStore,
  type Machine,
  type MachineRef,
  type MachineSpec,
  Turns,
} from "@terrarium/runtime";
import type { AdbForward } from "./adb-forward.ts";
import { ANSWER_TIMEOUT_MS, answerOf, type Cluster, codeOf, reasonOf } from "./cluster.ts";
import { DevicePods } from "./device-pods.ts";
import { HeldPods } from "./held-pods.ts";
import { policyOf, writePolicy } from "./network-policy.ts";
import { NodeFacts } from "./node-facts.ts";
import { hostedOf, isLive, isRunning, label, nameOf, podOf } from "./pod.ts";
import { PodWatch } from "./pod-watch.ts";
import { startPod } from "./start-pod.ts";

export interface KubernetesRuntimeOptions {
  cluster: Cluster;
  /** Whose Pods are ours, in that namespace. */
  installation: string;
  /** Those that the operator is offered. */
  images: readonly string[];
  /** What puts a saved state in place, or reads what is saved of a copy, runs in it. */
  restoreImage: string;
  /** Labels that nodes for devices have. */
  nodes: Readonly<Record<string, string>>;
  storageClass: string | undefined;
  /** Of the snapshots by which disks of claims are saved. */
  snapshotClass: string | undefined;
  hasInternet: boolean;
  /** How long a Pod may wait for a node. */
  scheduleMs: number;
  /** A device that has not booted by then is over. */
  bootMs: number;
  /** The key by which devices that ask for one know this installation. */
  adbKey: KeySource;
  layers: LayerStore;
  clock: Clock;
  log: (line: string) => void;
}

const SWEEP_MS = 60_000;

/** Runs Pods that answer adb, in a namespace of a cluster. Gateways that share the namespace and the name of the installation share them. */
export function kubernetesRuntime(options: KubernetesRuntimeOptions): DeviceRuntime {
  return new KubernetesRuntime(options);
}

class KubernetesRuntime implements DeviceRuntime {
  readonly name = "kubernetes";
  readonly #options: KubernetesRuntimeOptions;
  readonly #ask: Ask;
  readonly #answer: Ask;
  readonly #watch: PodWatch;
  readonly #nodes: NodeFacts;
  readonly #pods: DevicePods;
  readonly #held: HeldPods;
  /** The signals of starts that are under way, by id. */
  readonly #starting = new Map<string, AbortSignal>();
  /** Those that had ended when it was last looked. */
  #ended = new Set<string>();
  readonly #turns = new Turns();
  readonly #end = new AbortController();
  #place: string | undefined;
  #policy: Promise<void> | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(options: KubernetesRuntimeOptions) {
    this.#options = options;
    const { cluster, clock, log, installation } = options;
    this.#ask = askIn(clock, ANSWER_TIMEOUT_MS);
    this.#answer = answerOf(this.#ask);
    this.#nodes = new NodeFacts({ ...options, answer: this.#answer });
    const selector = `${label.installation}=${installation},${label.id}`;
    this.#watch = new PodWatch({
      cluster,
      selector,
      clock,
      log,
      onChange: (pod, isGone) => this.#held.changed(pod, isGone),
    });
    const parts = { ...options, selector, ask: this.#ask, watch: this.#watch, end: this.#end.signal };
    this.#pods = new DevicePods({ ...parts, onRemove: (uid, why) => this.#held.over(uid, why) });
    this.#held = new HeldPods({ ...parts, pods: this.#pods, turns: this.#turns });
  }

  /** Whoever deletes the namespace deletes what is in it, and another of that name is another place. */
  async place(): Promise<string> {
    const { cluster, installation } = this.#options;
    if (this.#place === undefined) {
      const { metadata } = await this.#answer(() => cluster.core.readNamespace({ name: cluster.namespace }));
      this.#place = `kubernetes-${metadata?.uid}-${installation}`;
    }
    return this.#place;
  }

  async prepare(): Promise<void> {
    this.#supervise();
    await this.#guard();
  }

  start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    // Whoever gives up does not wait for a cluster that hangs; what was begun is undone when it answers.
    return abortable(
      this.#turns.take(spec.id, () => this.#start(spec, signal)),
      signal,
    );
  }

  async list(): Promise<MachineRef[]> {
    this.#supervise();
    return (await this.#pods.list())
      .filter((pod) => isLive(pod) && !this.#isUnwanted(pod))
      .map(hostedOf)
      .map(({ id, boot }) => ({ id, boot }));
  }

  adopt({ id, boot }: MachineRef): Promise<Machine | undefined> {
    this.#supervise();
    return this.#turns.take(id, async () => {
      const pod = await this.#pods.findLong(id);
      if (!pod || !isLive(pod)) return undefined;
      const hosted = hostedOf(pod);
      if (hosted.boot === boot && isRunning(pod)) return this.#held.adopt(pod, hosted);
      // One of this boot that does not run yet was left by a start of which nobody is there any more.
      if (hosted.boot <= boot) await this.#pods.remove(pod, "it is left of an earlier start");
      return undefined;
    });
  }

  stop(id: string): Promise<void> {
    return this.#turns.take(id, async () => {
      const pod = await this.#pods.find(id);
      if (pod) await this.#pods.remove(pod, "stopped");
    });
  }

  /** Images that can be offered. */
  found(): Promise<FoundDevice[]> {
    return Promise.all(this.#options.images.map((name) => this.#nodes.offer(name)));
  }

  async verify(image: ImageSpec): Promise<undefined> {
    await this.#nodes.check(image);
  }

  async shutdown(): Promise<void> {
    await Promise.all((await this.list()).map(({ id }) => this.stop(id)));
  }

  async close(): Promise<void> {
    this.#end.abort(new Error("the runtime was closed"));
    this.#held.close();
    await this.#watch.close();
    await this.#sweeping;
  }

  async #start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    const { cluster, installation } = this.#options;
    const name = nameOf(installation, spec.id);
    if (name === undefined) throw new TypeError("not the id of a device");
    signal.throwIfAborted();
    this.#supervise();
    this.#starting.set(spec.id, signal);
    let forward: AdbForward | undefined;
    try {
      const before = await this.#pods.find(spec.id);
      if (before && isLive(before)) {
        const hosted = hostedOf(before);
        if (hosted.boot > spec.boot) throw new Error(`boot ${hosted.boot} of this device runs`);
        if (hosted.boot === spec.boot && isRunning(before)) return await this.#held.adopt(before, hosted);
      }
      if (before) await this.#pods.remove(before, "another boot starts");
      signal.throwIfAborted();
      await this.#guard();
      if (cluster.home === undefined) forward = await this.#held.openForward(name);
      const pod = podOf(spec, name, { ...this.#options, port: forward?.address.port });
      const running = await startPod(pod, spec, { ...this.#options, ask: this.#ask, watch: this.#watch }, signal);
      const machine = this.#held.add(running, hostedOf(running), forward);
      void this.#held.watchBoot(running, machine, forward);
      return machine;
    } catch (error) {
      forward?.close();
      // That one is another gateway's.
      if (codeOf((error as Error).cause) !== 409) await this.#clear(spec);
      throw error;
    } finally {
      this.#starting.delete(spec.id);
    }
  }

  /** What a start that failed has left. Never rejects. */
  async #clear({ id, boot }: MachineSpec): Promise<void> {
    try {
      const pod = await this.#pods.find(id);
      if (pod && hostedOf(pod).boot === boot && !this.#held.has(id)) await this.#pods.remove(pod, "its start failed");
    } catch (error) {
      this.#options.log(`${id} could not be removed: ${reasonOf(error)}`);
    }
  }

  /** No Pod is made that is not isolated from the others. */
  #guard(): Promise<void> {
    const { cluster, installation, hasInternet } = this.#options;
    const body = policyOf(installation, { home: cluster.home, hasInternet });
    this.#policy ??= this.#answer(() => writePolicy(cluster, body)).catch((error: unknown) => {
      this.#policy = undefined;
      throw error;
    });
    return this.#policy;
  }

  /** Only a process that supervises devices watches them, and removes what has ended. */
  #supervise(): void {
    const { clock, log } = this.#options;
    this.#watch.start();
    const sweep = async () => {
      await this.#sweep().catch((error: unknown) => log(`it is not known what has ended: ${reasonOf(error)}`));
      // Somebody may have removed it.
      this.#policy = undefined;
      await this.#guard().catch((error: unknown) => log(`devices may not be kept from each other: ${reasonOf(error)}`));
    };
    this.#sweeping ??= every(clock, SWEEP_MS, sweep, this.#end.signal);
  }

  /** Removes Pods that ended while no gateway was there. Whoever held one has removed it when it is seen a second time. */
  async #sweep(): Promise<void> {
    const held = this.#held.uids;
    const pods = await this.#pods.list();
    // The watch reports none that went while it was broken.
    const uids = new Set(pods.map((pod) => hostedOf(pod).uid));
    for (const uid of held) if (!uids.has(uid)) this.#held.over(uid, "its Pod was removed");
    const ended = pods.filter(
      (pod) => !isLive(pod) && pod.metadata?.deletionTimestamp === undefined && !this.#starting.has(hostedOf(pod).id),
    );
    const before = this.#ended;
    this.#ended = new Set(ended.map((pod) => hostedOf(pod).uid));
    for (const pod of ended)
      if (before.has(hostedOf(pod).uid))
        await this.#turns.take(hostedOf(pod).id, () => this.#pods.remove(pod, "it had ended"));
  }

  #isUnwanted(pod: V1Pod): boolean {
    const { id, uid } = hostedOf(pod);
    return this.#pods.isDoomed(uid) || (this.#starting.get(id)?.aborted ?? false);
  }
}
