import { ApiextensionsV1Api, CoreV1Api, CustomObjectsApi, type KubeConfig } from "@kubernetes/client-node";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const SNAPSHOTS = { group: "snapshot.storage.k8s.io", version: "v1", plural: "volumesnapshots" } as const;
const NAMESPACE = "devices";

interface Snapshot {
  metadata: { name: string; deletionTimestamp?: string };
  spec: { volumeSnapshotClassName: string; source: { persistentVolumeClaimName: string } };
  status?: object;
}

/**
 * The storage of a cluster, as its API shows it: the snapshot controller and the driver, whose disks are folders. It does with a snapshot
 * what the test asks for.
 */
export class StandInStorage {
  readonly #core: CoreV1Api;
  readonly #custom: CustomObjectsApi;
  readonly #config: KubeConfig;
  /** By the names of snapshots, which are those of the claims made of them. */
  readonly #taken = new Map<string, string>();

  constructor(config: KubeConfig) {
    this.#config = config;
    this.#core = config.makeApiClient(CoreV1Api);
    this.#custom = config.makeApiClient(CustomObjectsApi);
  }

  /** Registers the resource types of snapshots with a real API. */
  async install(): Promise<void> {
    const { group, version: name, plural } = SNAPSHOTS;
    const openAPIV3Schema = { type: "object", x_kubernetes_preserve_unknown_fields: true };
    const versions = [{ name, served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } }];
    const names = { plural, kind: "VolumeSnapshot" };
    await this.#config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({
      body: {
        // The API reserves those of this group for its authors.
        metadata: { name: `${plural}.${group}`, annotations: { "api-approved.kubernetes.io": "unapproved, a test" } },
        spec: { group, scope: "Namespaced", names, versions },
      },
    });
    while (!(await this.#list().catch(() => undefined))) await sleep(100);
  }

  diskOf(claim: string): string | undefined {
    return this.#taken.get(claim);
  }

  /** The snapshot that somebody waits for. */
  async asked(): Promise<Snapshot> {
    for (;;) {
      const [snapshot] = await this.#list();
      if (snapshot) return snapshot;
      await sleep(20);
    }
  }

  /** Takes it of what is in a folder now. */
  async take({ metadata: { name } }: Snapshot, folder: string): Promise<void> {
    const copy = await mkdtemp(join(tmpdir(), "terrarium-snapshot-"));
    await cp(folder, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    this.#taken.set(name, copy);
    await this.say(name, { creationTime: new Date().toISOString(), readyToUse: false });
  }

  async say(name: string, status: object): Promise<void> {
    const called = { ...SNAPSHOTS, namespace: NAMESPACE, name };
    const now = (await this.#custom.getNamespacedCustomObject(called)) as Snapshot;
    await this.#custom.replaceNamespacedCustomObjectStatus({ ...called, body: { ...now, status } });
  }

  /**
   * The names of all snapshots, claims and Pods that there are and stay: a real API retains a claim until a controller says that nothing
   * uses it.
   */
  async names(): Promise<string[]> {
    const namespace = NAMESPACE;
    const claims = (await this.#core.listNamespacedPersistentVolumeClaim({ namespace })).items;
    const pods = (await this.#core.listNamespacedPod({ namespace })).items;
    return [...(await this.#list()), ...claims, ...pods]
      .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata?.name ?? "");
  }

  async remove(): Promise<void> {
    for (const copy of this.#taken.values()) await rm(copy, { recursive: true, force: true });
  }

  async #list(): Promise<Snapshot[]> {
    const found = await this.#custom.listNamespacedCustomObject({ ...SNAPSHOTS, namespace: NAMESPACE });
    return (found as { items: Snapshot[] }).items;
  }
}
