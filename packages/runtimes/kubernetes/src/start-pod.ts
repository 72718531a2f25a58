import type { V1Pod } from "@kubernetes/client-node";
import { abortable, type Clock, within } from "@terrarium/clock";
import { type Ask, type LayerStore, type MachineSpec, NoSlotError } from "@terrarium/runtime";
import { type Cluster, codeOf, reasonOf } from "./cluster.ts";
import { endOf, failureOf, isLive, isRestoring, isRunning, unschedulable } from "./pod.ts";
import type { PodWatch } from "./pod-watch.ts";
import { restoreData } from "./user-data.ts";

export interface StartPodOptions {
  cluster: Cluster;
  ask: Ask;
  clock: Clock;
  watch: PodWatch;
  layers: LayerStore;
  /** How long no node may take it. */
  scheduleMs: number;
}

/** Makes a Pod and resolves when it runs. If it fails, the Pod may be left. @throws NoSlotError, and what it is that fails */
export async function startPod(
  pod: V1Pod,
  spec: MachineSpec,
  { cluster, ask, clock, watch, layers, scheduleMs }: StartPodOptions,
  signal: AbortSignal,
): Promise<V1Pod> {
  const { namespace, core } = cluster;
  const name = pod.metadata?.name ?? "";
  signal.throwIfAborted();
  const made = await ask(() => core.createNamespacedPod({ namespace, body: pod })).catch(asNoSlot);
  const check = (seen: V1Pod | undefined): V1Pod => {
    if (!seen) throw new Error("its Pod was removed as it started");
    if (!isLive(seen)) throw new Error(endOf(seen));
    const why = failureOf(seen);
    if (why !== undefined) throw new Error(why);
    return seen;
  };
  await untilPlaced(made, check, { clock, watch, scheduleMs, signal });
  if (spec.layers.length > 0) {
    await watch.until(made, (seen) => isRestoring(check(seen)) || undefined, signal);
    await abortable(restoreData(cluster, name, { layers: spec.layers, store: layers, signal }), signal);
  }
  return watch.until(made, (seen) => (isRunning(check(seen)) ? seen : undefined), signal);
}

/** A node may be added for it. */
async function untilPlaced(
  pod: V1Pod,
  check: (seen: V1Pod | undefined) => V1Pod,
  {
    clock,
    watch,
    scheduleMs,
    signal,
  }: Pick<StartPodOptions, "clock" | "watch" | "scheduleMs"> & { signal: AbortSignal },
): Promise<void> {
  let why = "nothing has looked for a node for it";
  const isPlaced = (seen: V1Pod | undefined): true | undefined => {
    const { spec } = check(seen);
    const said = unschedulable(seen!);
    if (said !== undefined) why = said;
    if (said !== undefined && scheduleMs === 0) throw new NoSlotError(`no node takes the device: ${said}`);
    return spec?.nodeName ? true : undefined;
  };
  if (scheduleMs === 0) return void (await watch.until(pod, isPlaced, signal));
  await within(scheduleMs, clock, signal, (limited) =>
    watch.until(pod, isPlaced, limited).catch((error: unknown) => {
      if (!limited.aborted || signal.aborted) throw error;
      throw new NoSlotError(`no node takes the device: ${why}`);
    }),
  );
}

/** What a namespace may have is limited by its owner. */
function asNoSlot(error: unknown): never {
  const why = reasonOf(error);
  if (codeOf(error) === 403 && /exceeded quota/.test(why)) throw new NoSlotError(`the namespace is full: ${why}`);
  if (codeOf(error) === undefined) throw error;
  throw new Error(`the cluster takes no such Pod: ${why}`, { cause: error });
}
