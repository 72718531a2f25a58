import type { V1Pod } from "@kubernetes/client-node";
import { type KeySource, nodeSocketDuplex, waitForBoot } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import {
  type AdbAddress,
  type Ask,
  askIn,
  type LayerStore,
  type Machine,
  type MachineCapability,
  type Turns,
} from "@terrarium/runtime";
import { connect } from "node:net";
import { type AdbForward, openAdbForward } from "./adb-forward.ts";
import { ANSWER_TIMEOUT_MS, type Cluster, reasonOf } from "./cluster.ts";
import type { DevicePods } from "./device-pods.ts";
import { DiskCopy } from "./disk-copy.ts";
import { lastWords } from "./last-words.ts";
import { ADB_PORT, claimOf, type Hosted, hostedOf, isLive } from "./pod.ts";
import type { PodWatch } from "./pod-watch.ts";
import { goOn, saveCopiedData, saveData } from "./user-data.ts";

export interface HeldPodsOptions {
  cluster: Cluster;
  /** The key by which devices that ask for one know this installation. */
  adbKey: KeySource;
  /** A device that has not booted by then is over. */
  bootMs: number;
  /** Of the snapshots by which disks of claims are saved; without it, devices stand still until they are saved. */
  snapshotClass: string | undefined;
  /** A saved disk is read in it. */
  restoreImage: string;
  layers: LayerStore;
  clock: Clock;
  log: (line: string) => void;
  pods: DevicePods;
  watch: PodWatch;
  turns: Turns;
  ask: Ask;
  /** Ends every wait. */
  end: AbortSignal;
}

interface Held {
  machine: Machine;
  hosted: Hosted;
  gone: AbortController;
  forward: AdbForward | undefined;
}

const CAPABILITIES: ReadonlySet<MachineCapability> = new Set(["save"]);

/** The Pods whose machines this process has handed out: it is notified of their ends, and removes what has ended. */
export class HeldPods {
  readonly #options: HeldPodsOptions;
  readonly #held = new Map<string, Held>();

  constructor(options: HeldPodsOptions) {
    this.#options = options;
  }

  has(id: string): boolean {
    return this.#held.has(id);
  }

  get uids(): string[] {
    return [...this.#held.values()].map(({ hosted }) => hosted.uid);
  }

  close(): void {
    for (const { forward } of this.#held.values()) forward?.close();
  }

  /** The machine of a Pod that runs already. */
  async adopt(pod: V1Pod, hosted: Hosted): Promise<Machine> {
    const held = this.#held.get(hosted.id);
    if (held?.hosted.uid === hosted.uid) return held.machine;
    const { cluster, clock, log, end } = this.#options;
    const forward = cluster.home === undefined ? await this.openForward(hosted.pod, hosted.port) : undefined;
    // A save may have been interrupted.
    void askIn(
      clock,
      ANSWER_TIMEOUT_MS,
      end,
    )(() => goOn(cluster, hosted, end)).catch(
      (error: unknown) => end.aborted || log(`${hosted.id} may still stand still: ${reasonOf(error)}`),
    );
    return this.add(pod, hosted, forward);
  }

  /** What a gateway outside the cluster reaches a Pod by. */
  openForward(pod: string, wantedPort?: number): Promise<AdbForward> {
    const { cluster, log } = this.#options;
    return openAdbForward(cluster, { pod, wantedPort, log });
  }

  /** The machine of a Pod that runs. */
  add(pod: V1Pod, hosted: Hosted, forward: AdbForward | undefined): Machine {
    const { cluster, layers, turns, watch, pods } = this.#options;
    const adb: AdbAddress = forward?.address ?? { host: pod.status?.podIP ?? "", port: ADB_PORT };
    const gone = new AbortController();
    const machine: Machine = {
      id: hosted.id,
      boot: hosted.boot,
      adb,
      capabilities: CAPABILITIES,
      gone: gone.signal,
      save: (options, signal) =>
        turns.take(`save ${hosted.uid}`, () => {
          const limited = AbortSignal.any([signal, gone.signal]);
          limited.throwIfAborted();
          const saving = { ...options, signal: limited };
          const copy = this.#copyOf(pod);
          return copy
            ? saveCopiedData(cluster, hosted, copy, layers, saving)
            : saveData(cluster, hosted, layers, saving);
        }),
      stop: () => turns.take(hosted.id, () => pods.remove(pod, "stopped")),
    };
    this.#held.set(hosted.id, { machine, hosted, gone, forward });
    // It may have ended before it was held.
    void watch.read(hosted.pod).then(
      (now) => (now?.metadata?.uid === hosted.uid ? this.changed(now, false) : this.changed(pod, true)),
      () => undefined,
    );
    return machine;
  }

  /** Where its storage makes snapshots. */
  #copyOf(pod: V1Pod): DiskCopy | undefined {
    const { snapshotClass } = this.#options;
    if (snapshotClass === undefined || claimOf(pod) === undefined) return undefined;
    return new DiskCopy(pod, { ...this.#options, snapshotClass });
  }

  /** What is watched says so. */
  changed(pod: V1Pod, isGone: boolean): void {
    const { id, uid } = hostedOf(pod);
    if (this.#held.get(id)?.hosted.uid !== uid) return;
    if (isGone) return this.over(uid, "its Pod was removed");
    if (isLive(pod)) return;
    const isRemoved = pod.metadata?.deletionTimestamp !== undefined;
    const { cluster, ask } = this.#options;
    void lastWords(pod, cluster, ask).then((why) => {
      this.over(uid, why);
      if (!isRemoved) this.#tryToRemove(pod, why);
    });
  }

  /** Notifies whoever has the machine that it is gone. */
  over(uid: string, why: string): void {
    const held = [...this.#held.values()].find(({ hosted }) => hosted.uid === uid);
    if (!held) return;
    this.#held.delete(held.hosted.id);
    held.forward?.close();
    held.gone.abort(new Error(`the device is over: ${why}`));
  }

  /** A device is up when its adb answers, and says that Android has started. One that never does ends with the reason. */
  async watchBoot(pod: V1Pod, { id, adb, gone }: Machine, forward: AdbForward | undefined): Promise<void> {
    const { clock, log, bootMs, adbKey: key, end } = this.#options;
    const signal = AbortSignal.any([gone, end]);
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
    const { turns, pods, log } = this.#options;
    turns
      .take(id, () => pods.remove(pod, why))
      .catch((error: unknown) => log(`${id} could not be removed: ${reasonOf(error)}`));
  }
}
