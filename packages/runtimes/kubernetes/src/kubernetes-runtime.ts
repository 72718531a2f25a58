import type { V1Pod } from "@kubernetes/client-node";
import { type KeySource, nodeSocketDuplex, waitForBoot } from "@terrarium/adb";
import { abortable, type Clock, every } from "@terrarium/clock";
import {
  type AdbAddress,
  type Ask,
  askIn,
  type DeviceRuntime,
  type FoundDevice,
  type ImageSpec,
  type LayerStore,
  type Machine,
  type MachineCapability,
  type MachineRef,
  type MachineSpec,
  Turns,
} from "@terrarium/runtime";
import { connect } from "node:net";
import { type AdbForward, openAdbForward } from "./adb-forward.ts";
import { answerOf, type Cluster, codeOf, reasonOf } from "./cluster.ts";
import { lastWords } from "./last-words.ts";
import { policyOf, writePolicy } from "./network-policy.ts";
import { NodeFacts } from "./node-facts.ts";
import { ADB_PORT, type Hosted, hostedOf, isLive, isRunning, label, nameOf, podOf } from "./pod.ts";
import { PodWatch } from "./pod-watch.ts";
import { startPod } from "./start-pod.ts";
import { goOn, saveData } from "./user-data.ts";

export interface KubernetesRuntimeOptions {
  cluster: Cluster;
  /** Whose Pods are ours, in that namespace. */
  installation: string;
  /** Those that the operator is offered. */
  images: readonly string[];
  /** What puts a saved state in place runs in it. */
  restoreImage: string;
  /** Labels that nodes for devices have. */
  nodes: Readonly<Record<string, string>>;
  storageClass: string | undefined;
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

interface Held {
  machine: Machine;
  hosted: Hosted;
  gone: AbortController;
  forward: AdbForward | undefined;
}

const CAPABILITIES: ReadonlySet<MachineCapability> = new Set(["save"]);
const ANSWER_TIMEOUT_MS = 10_000;
/** A kubelet that does not answer removes nothing; the cluster does, when it gives up its node. */
const REMOVE_TIMEOUT_MS = 30_000;
const SWEEP_MS = 60_000;
/** How long a device is not given up while the API does not answer. */
const ADOPT_MS = 300_000;
const RETRY_MS = 2_000;

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
  readonly #selector: string;
  readonly #held = new Map<string, Held>();
  /** The signals of starts that are under way, by id. */
  readonly #starting = new Map<string, AbortSignal>();
  /** The uids of Pods that are being removed. */
  readonly #doomed = new Set<string>();
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
    this.#selector = `${label.installation}=${installation},${label.id}`;
    this.#watch = new PodWatch({
      cluster,
      selector: this.#selector,
      clock,
      log,
      onChange: (pod, isGone) => this.#changed(pod, isGone),
    });
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
    return (await this.#pods())
      .filter((pod) => isLive(pod) && !this.#isUnwanted(pod))
      .map(hostedOf)
      .map(({ id, boot }) => ({ id, boot }));
  }

  adopt({ id, boot }: MachineRef): Promise<Machine | undefined> {
    this.#supervise();
    return this.#turns.take(id, async () => {
      const pod = await this.#findLong(id);
      if (!pod || !isLive(pod)) return undefined;
      const hosted = hostedOf(pod);
      if (hosted.boot === boot && isRunning(pod)) return this.#adopted(pod, hosted);
      // One of this boot that does not run yet was left by a start of which nobody is there any more.
      if (hosted.boot <= boot) await this.#remove(pod, "it is left of an earlier start");
      return undefined;
    });
  }

  stop(id: string): Promise<void> {
    return this.#turns.take(id, async () => {
      const pod = await this.#find(id);
      if (pod) await this.#remove(pod, "stopped");
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
    for (const { forward } of this.#held.values()) forward?.close();
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
      const before = await this.#find(spec.id);
      if (before && isLive(before)) {
        const hosted = hostedOf(before);
        if (hosted.boot > spec.boot) throw new Error(`boot ${hosted.boot} of this device runs`);
        if (hosted.boot === spec.boot && isRunning(before)) return await this.#adopted(before, hosted);
      }
      if (before) await this.#remove(before, "another boot starts");
      signal.throwIfAborted();
      await this.#guard();
      if (cluster.home === undefined) forward = await this.#forward(name);
      const pod = podOf(spec, name, { ...this.#options, port: forward?.address.port });
      const running = await startPod(pod, spec, { ...this.#options, ask: this.#ask, watch: this.#watch }, signal);
      const machine = this.#machine(running, hostedOf(running), forward);
      void this.#watchBoot(running, machine, forward);
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
      const pod = await this.#find(id);
      if (pod && hostedOf(pod).boot === boot && !this.#held.has(id)) await this.#remove(pod, "its start failed");
    } catch (error) {
      this.#options.log(`${id} could not be removed: ${reasonOf(error)}`);
    }
  }

  async #adopted(pod: V1Pod, hosted: Hosted): Promise<Machine> {
    const held = this.#held.get(hosted.id);
    if (held?.hosted.uid === hosted.uid) return held.machine;
    const { cluster, clock, log } = this.#options;
    const forward = cluster.home === undefined ? await this.#forward(hosted.pod, hosted.port) : undefined;
    void askIn(
      clock,
      ANSWER_TIMEOUT_MS,
      this.#end.signal,
    )(() => goOn(cluster, hosted, this.#end.signal)).catch(
      (error: unknown) => this.#end.signal.aborted || log(`${hosted.id} may still stand still: ${reasonOf(error)}`),
    );
    return this.#machine(pod, hosted, forward);
  }

  #forward(pod: string, wantedPort?: number): Promise<AdbForward> {
    const { cluster, log } = this.#options;
    return openAdbForward(cluster, { pod, wantedPort, log });
  }

  #machine(pod: V1Pod, hosted: Hosted, forward: AdbForward | undefined): Machine {
    const { cluster, layers } = this.#options;
    const adb: AdbAddress = forward?.address ?? { host: pod.status?.podIP ?? "", port: ADB_PORT };
    const gone = new AbortController();
    const machine: Machine = {
      id: hosted.id,
      boot: hosted.boot,
      adb,
      capabilities: CAPABILITIES,
      gone: gone.signal,
      save: (options, signal) =>
        this.#turns.take(`save ${hosted.uid}`, () => {
          const limited = AbortSignal.any([signal, gone.signal]);
          limited.throwIfAborted();
          return saveData(cluster, hosted, layers, { ...options, signal: limited });
        }),
      stop: () => this.#turns.take(hosted.id, () => this.#remove(pod, "stopped")),
    };
    this.#held.set(hosted.id, { machine, hosted, gone, forward });
    // It may have ended before it was held.
    void this.#watch.read(hosted.pod).then(
      (now) => (now?.metadata?.uid === hosted.uid ? this.#changed(now, false) : this.#changed(pod, true)),
      () => undefined,
    );
    return machine;
  }

  /** Resolves when it is removed, or its node does not answer. */
  async #remove(pod: V1Pod, why: string): Promise<void> {
    const { cluster, clock } = this.#options;
    const { uid, pod: name } = hostedOf(pod);
    const isOver = (seen: V1Pod | undefined) => seen === undefined || undefined;
    this.#doomed.add(uid);
    this.#over(uid, why);
    const { namespace } = cluster;
    const body = { preconditions: { uid } };
    await this.#ask(() => cluster.core.deleteNamespacedPod({ namespace, name, body })).catch((error: unknown) => {
      // Another of that name is there now.
      if (codeOf(error) === 409 || codeOf(error) === 404) return;
      // It is there still: listed as such, it is asked for again.
      this.#doomed.delete(uid);
      throw error;
    });
    const late = new AbortController();
    const over = this.#watch.until(pod, isOver, AbortSignal.any([late.signal, this.#end.signal]));
    await Promise.race([over, clock.sleep(REMOVE_TIMEOUT_MS, late.signal)]).catch(() => undefined);
    late.abort();
    await over.then(
      () => this.#doomed.delete(uid),
      () => undefined,
    );
  }

  #changed(pod: V1Pod, isGone: boolean): void {
    const { id, uid } = hostedOf(pod);
    if (this.#held.get(id)?.hosted.uid !== uid) return;
    if (isGone) return this.#over(uid, "its Pod was removed");
    if (isLive(pod)) return;
    const isRemoved = pod.metadata?.deletionTimestamp !== undefined;
    void lastWords(pod, this.#options.cluster, this.#ask).then((why) => {
      this.#over(uid, why);
      if (!isRemoved) this.#tryToRemove(pod, why);
    });
  }

  #over(uid: string, why: string): void {
    const held = [...this.#held.values()].find(({ hosted }) => hosted.uid === uid);
    if (!held) return;
    this.#held.delete(held.hosted.id);
    held.forward?.close();
    held.gone.abort(new Error(`the device is over: ${why}`));
  }

  /** A device is up when its adb answers, and says that Android has started. One that never does ends with the reason. */
  async #watchBoot(pod: V1Pod, { id, adb, gone }: Machine, forward: AdbForward | undefined): Promise<void> {
    const { clock, log, bootMs, adbKey: key } = this.#options;
    const signal = AbortSignal.any([gone, this.#end.signal]);
    const began = clock.monotonic();
    try {
      await waitForBoot({ open: () => nodeSocketDuplex(connect(adb.port, adb.host)), key, clock, bootMs, signal });
      log(`${id} has started in ${Math.round(clock.monotonic() - began)} ms`);
    } catch (error) {
      if (signal.aborted) return;
      const said = forward?.complaint();
      const why = `${(error as Error).message}${said ? `: ${said}` : ""}`;
      log(`${id}: ${why}`);
      this.#tryToRemove(pod, why);
    }
  }

  /** One that cannot be removed now belongs to no device, and is found as such. */
  #tryToRemove(pod: V1Pod, why: string): void {
    const { id } = hostedOf(pod);
    this.#turns
      .take(id, () => this.#remove(pod, why))
      .catch((error: unknown) => this.#options.log(`${id} could not be removed: ${reasonOf(error)}`));
  }

  /** No Pod is made that is not kept from the others. */
  #guard(): Promise<void> {
    const { cluster, installation, hasInternet } = this.#options;
    const body = policyOf(installation, { home: cluster.home, hasInternet });
    this.#policy ??= this.#answer(() => writePolicy(cluster, body)).catch((error: unknown) => {
      this.#policy = undefined;
      throw error;
    });
    return this.#policy;
  }

  /** Only a process that supervises devices hears of them, and removes what has ended. */
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
    const held = [...this.#held.values()].map(({ hosted }) => hosted.uid);
    const pods = await this.#pods();
    // The watch tells of none that went while it was broken.
    const uids = new Set(pods.map((pod) => hostedOf(pod).uid));
    for (const uid of held) if (!uids.has(uid)) this.#over(uid, "its Pod was removed");
    const ended = pods.filter(
      (pod) => !isLive(pod) && pod.metadata?.deletionTimestamp === undefined && !this.#starting.has(hostedOf(pod).id),
    );
    const before = this.#ended;
    this.#ended = new Set(ended.map((pod) => hostedOf(pod).uid));
    for (const pod of ended)
      if (before.has(hostedOf(pod).uid))
        await this.#turns.take(hostedOf(pod).id, () => this.#remove(pod, "it had ended"));
  }

  #isUnwanted(pod: V1Pod): boolean {
    const { id, uid } = hostedOf(pod);
    return this.#doomed.has(uid) || (this.#starting.get(id)?.aborted ?? false);
  }

  async #pods(): Promise<V1Pod[]> {
    const { core, namespace } = this.#options.cluster;
    return (await this.#answer(() => core.listNamespacedPod({ namespace, labelSelector: this.#selector }))).items;
  }

  /** Devices run on without the API, which may be away for a while as it is upgraded. */
  async #findLong(id: string): Promise<V1Pod | undefined> {
    const { clock } = this.#options;
    const end = clock.monotonic() + ADOPT_MS;
    for (;;)
      try {
        return await this.#find(id);
      } catch (error) {
        const code = codeOf((error as Error).cause) ?? 503;
        if ((code < 500 && code !== 429) || clock.monotonic() >= end) throw error;
        await clock.sleep(RETRY_MS, this.#end.signal);
      }
  }

  async #find(id: string): Promise<V1Pod | undefined> {
    const name = nameOf(this.#options.installation, id);
    return name === undefined ? undefined : this.#answer(() => this.#watch.read(name));
  }
}
