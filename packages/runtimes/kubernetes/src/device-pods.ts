import type { V1Pod } from "@kubernetes/client-node";
import type { Clock } from "@terrarium/clock";
import type { Ask } from "@terrarium/runtime";
import { answerOf, type Cluster, codeOf } from "./cluster.ts";
import { hostedOf, nameOf } from "./pod.ts";
import type { PodWatch } from "./pod-watch.ts";

/** A kubelet that does not answer removes nothing; the cluster does, when it gives up its node. */
const REMOVE_TIMEOUT_MS = 30_000;
/** How long a device is not given up while the API does not answer. */
const ADOPT_MS = 300_000;
const RETRY_MS = 2_000;

export interface DevicePodsOptions {
  cluster: Cluster;
  installation: string;
  /** Of the Pods that are ours. */
  selector: string;
  ask: Ask;
  watch: PodWatch;
  clock: Clock;
  /** Ends every wait. */
  end: AbortSignal;
  /** A Pod is about to be removed. */
  onRemove(uid: string, why: string): void;
}

/** The Pods of devices, as the API knows them. */
export class DevicePods {
  readonly #options: DevicePodsOptions;
  readonly #answer: Ask;
  /** The uids of those that are being removed. */
  readonly #doomed = new Set<string>();

  constructor(options: DevicePodsOptions) {
    this.#options = options;
    this.#answer = answerOf(options.ask);
  }

  isDoomed(uid: string): boolean {
    return this.#doomed.has(uid);
  }

  async list(): Promise<V1Pod[]> {
    const { cluster, selector } = this.#options;
    const { core, namespace } = cluster;
    return (await this.#answer(() => core.listNamespacedPod({ namespace, labelSelector: selector }))).items;
  }

  /** Devices run on without the API, which may be away for a while as it is upgraded. */
  async findLong(id: string): Promise<V1Pod | undefined> {
    const { clock, end: over } = this.#options;
    const end = clock.monotonic() + ADOPT_MS;
    for (;;)
      try {
        return await this.find(id);
      } catch (error) {
        const code = codeOf((error as Error).cause) ?? 503;
        if ((code < 500 && code !== 429) || clock.monotonic() >= end) throw error;
        await clock.sleep(RETRY_MS, over);
      }
  }

  async find(id: string): Promise<V1Pod | undefined> {
    const name = nameOf(this.#options.installation, id);
    return name === undefined ? undefined : this.#answer(() => this.#options.watch.read(name));
  }

  /** Resolves when it is removed, or its node does not answer. */
  async remove(pod: V1Pod, why: string): Promise<void> {
    const { cluster, clock, ask, watch, end, onRemove } = this.#options;
    const { uid, pod: name } = hostedOf(pod);
    const isOver = (seen: V1Pod | undefined) => seen === undefined || undefined;
    this.#doomed.add(uid);
    onRemove(uid, why);
    const { namespace } = cluster;
    const body = { preconditions: { uid } };
    await ask(() => cluster.core.deleteNamespacedPod({ namespace, name, body })).catch((error: unknown) => {
      // Another of that name is there now.
      if (codeOf(error) === 409 || codeOf(error) === 404) return;
      // It is there still: listed as such, it is asked for again.
      this.#doomed.delete(uid);
      throw error;
    });
    const late = new AbortController();
    const over = watch.until(pod, isOver, AbortSignal.any([late.signal, end]));
    await Promise.race([over, clock.sleep(REMOVE_TIMEOUT_MS, late.signal)]).catch(() => undefined);
    late.abort();
    await over.then(
      () => this.#doomed.delete(uid),
      () => undefined,
    );
  }
}
