import {
  CustomObjectsApi,
  type V1ObjectMeta,
  type V1PersistentVolumeClaimSpec,
  type V1Pod,
} from "@kubernetes/client-node";
import { type Clock, within } from "@terrarium/clock";
import type { Ask } from "@terrarium/runtime";
import { randomBytes } from "node:crypto";
import { answerOf, type Cluster, reasonOf, unlessGone } from "./cluster.ts";
import { claimOf, confined, DATA, endOf, failureOf, isLive, label } from "./pod.ts";

const SNAPSHOTS = { group: "snapshot.storage.k8s.io", version: "v1", plural: "volumesnapshots" } as const;
/** The container that the copy is read in. */
export const READER = "reader";
/** A device stands still as long. */
const TAKE_TIMEOUT_MS = 60_000;
/** Some clouds move a snapshot elsewhere before a disk can be made of it. */
const OPEN_TIMEOUT_MS = 1_800_000;
const LOOK_MS = 500;
/** What is left of a save whose gateway was killed uses no processor, and ends by itself. */
const READER_SECONDS = 86_400;

/** What of a VolumeSnapshot is used here. */
interface Snapshot {
  status?: { creationTime?: string; readyToUse?: boolean; restoreSize?: string; error?: { message?: string } };
}

export interface DiskCopyOptions {
  cluster: Cluster;
  ask: Ask;
  clock: Clock;
  log: (line: string) => void;
  /** Of the snapshot. */
  snapshotClass: string;
  /** With a shell, `find` and tar. */
  restoreImage: string;
}

/** A copy of a device's disk: a VolumeSnapshot of its claim, a claim made of that, and a Pod that reads this one. */
export class DiskCopy {
  readonly #options: DiskCopyOptions;
  readonly #device: V1Pod;
  readonly #answer: Ask;
  readonly #custom: CustomObjectsApi;
  readonly #metadata: V1ObjectMeta & { name: string };
  readonly #namespace: string;

  constructor(device: V1Pod, options: DiskCopyOptions) {
    this.#options = options;
    this.#device = device;
    this.#answer = answerOf(options.ask);
    this.#custom = options.cluster.config.makeApiClient(CustomObjectsApi);
    this.#namespace = options.cluster.namespace;
    const { name = "", uid = "", labels = {} } = device.metadata ?? {};
    this.#metadata = {
      name: `${name}-${randomBytes(4).toString("hex")}`,
      // Not the device's id, as it is no device; what isolates devices from each other applies to it, too.
      labels: { [label.installation]: labels[label.installation] ?? "" },
      // The cluster removes what a gateway that was killed has left when the device is over.
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name, uid }],
    };
  }

  /** Resolves when the snapshot is taken: what is written from then on is not in it. @throws Error; the signal's reason */
  async take(signal: AbortSignal): Promise<void> {
    const { snapshotClass: volumeSnapshotClassName } = this.#options;
    const source = { persistentVolumeClaimName: `${this.#device.metadata?.name}-data` };
    const [apiVersion, kind] = [`${SNAPSHOTS.group}/${SNAPSHOTS.version}`, "VolumeSnapshot"];
    const spec = { volumeSnapshotClassName, source };
    const body = { apiVersion, kind, metadata: this.#metadata, spec };
    await this.#answer(() =>
      this.#custom.createNamespacedCustomObject({ ...SNAPSHOTS, namespace: this.#namespace, body }),
    );
    await this.#until(TAKE_TIMEOUT_MS, "its snapshot was not taken", () => this.#snapshot("creationTime"), signal);
  }

  /** Resolves when the copy can be read in the container `READER`, with its Pod's name. @throws Error; the signal's reason */
  async open(signal: AbortSignal): Promise<string> {
    const { cluster } = this.#options;
    const [metadata, namespace] = [this.#metadata, this.#namespace];
    const taken = await this.#until(
      OPEN_TIMEOUT_MS,
      "its snapshot is not ready",
      () => this.#snapshot("readyToUse"),
      signal,
    );
    const claim = { metadata, spec: this.#claim(taken) };
    await this.#answer(() => cluster.core.createNamespacedPersistentVolumeClaim({ namespace, body: claim }));
    await this.#answer(() => cluster.core.createNamespacedPod({ namespace, body: this.#reader() }));
    await this.#until(OPEN_TIMEOUT_MS, "its copy cannot be read", () => this.#running(), signal);
    return metadata.name;
  }

  /** Removes all of it, whatever there is. Never rejects. */
  async remove(): Promise<void> {
    const { cluster, ask, log } = this.#options;
    const called = { namespace: this.#namespace, name: this.#metadata.name };
    const removed = [
      () => cluster.core.deleteNamespacedPod({ ...called, gracePeriodSeconds: 0 }),
      () => cluster.core.deleteNamespacedPersistentVolumeClaim(called),
      () => this.#custom.deleteNamespacedCustomObject({ ...SNAPSHOTS, ...called }),
    ].map((work) =>
      ask(work)
        .catch(unlessGone)
        .catch((error: unknown) => log(`${called.name} may be left of a save: ${reasonOf(error)}`)),
    );
    await Promise.all(removed);
  }

  /** As large as the snapshot needs, which may be more than was asked for. Some storages do not say. */
  #claim({ status }: Snapshot): V1PersistentVolumeClaimSpec {
    const claim = claimOf(this.#device);
    const { restoreSize: storage = "0" } = status ?? {};
    const dataSource = { apiGroup: SNAPSHOTS.group, kind: "VolumeSnapshot", name: this.#metadata.name };
    return Object.assign({}, claim, storage === "0" ? {} : { resources: { requests: { storage } } }, { dataSource });
  }

  /** On a node of the same kind, as its storage may be nowhere else. */
  #reader(): V1Pod {
    const { nodeSelector, tolerations } = this.#device.spec ?? {};
    const container = {
      name: READER,
      image: this.#options.restoreImage,
      imagePullPolicy: "IfNotPresent",
      command: ["sleep", String(READER_SECONDS)],
      resources: { limits: { cpu: "1", memory: "256Mi" }, requests: { cpu: "100m", memory: "256Mi" } },
      volumeMounts: [{ name: "data", mountPath: DATA, readOnly: true }],
    };
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: this.#metadata.name } }];
    return {
      metadata: this.#metadata,
      spec: {
        ...confined,
        ...(nodeSelector && { nodeSelector }),
        ...(tolerations && { tolerations }),
        containers: [container],
        volumes,
      },
    };
  }

  /** The snapshot, once it has come so far. */
  async #snapshot(isThere: "creationTime" | "readyToUse"): Promise<Snapshot | undefined> {
    const called = { ...SNAPSHOTS, namespace: this.#namespace, name: this.#metadata.name };
    const snapshot = (await this.#answer(() => this.#custom.getNamespacedCustomObject(called))) as Snapshot;
    const { status: { readyToUse, error, ...status } = {} } = snapshot;
    if (readyToUse || (isThere === "creationTime" && status.creationTime)) return snapshot;
    if (error) throw new Error(`its disk was not copied: ${error.message ?? "the storage does not say why"}`);
    return undefined;
  }

  async #running(): Promise<true | undefined> {
    const called = { namespace: this.#namespace, name: this.#metadata.name };
    const pod = await this.#answer(() => this.#options.cluster.core.readNamespacedPod(called));
    const why = failureOf(pod) ?? (isLive(pod) ? undefined : endOf(pod));
    if (why !== undefined) throw new Error(why);
    return pod.status?.phase === "Running" || undefined;
  }

  async #until<T>(
    timeoutMs: number,
    failed: string,
    look: () => Promise<T | undefined>,
    signal: AbortSignal,
  ): Promise<T> {
    const { clock } = this.#options;
    return within(timeoutMs, clock, signal, async (limited) => {
      for (;;) {
        const seen = await look();
        if (seen !== undefined) return seen;
        await clock.sleep(LOOK_MS, limited).catch((error: unknown) => {
          signal.throwIfAborted();
          throw new Error(`${failed} in ${timeoutMs / 1000} s`, { cause: error });
        });
      }
    });
  }
}
