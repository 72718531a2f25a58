import {
  CoreV1Api,
  type KubeConfig,
  ListWatch,
  type V1ContainerStatus,
  type V1Pod,
  Watch,
} from "@kubernetes/client-node";
import { cp } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { ContainerRoot } from "./container.ts";
import { type KubeletServerOptions, startKubeletServer } from "./kubelet-server.ts";

export interface StandInImage {
  root: string;
  /** The arguments of its first program. */
  words: readonly string[];
}

export interface StandInNodeOptions {
  config: KubeConfig;
  name: string;
  /** How many Pods fit. */
  slots: number;
  /** By name. */
  images: Readonly<Record<string, StandInImage>>;
  tls?: KubeletServerOptions["tls"];
  /** What is on the disk of a claim. */
  diskOf?: (claim: string) => string | undefined;
}

/** A Pod on the node. */
interface Placed {
  root: ContainerRoot;
  /** Leads to its adb at its address. */
  address: Server | undefined;
  isRemoved: boolean;
}

/**
 * A node of a cluster with its kubelet, and the cluster's scheduler: finds a place for Pods, runs their containers, says how they are, and
 * removes them. It limits no memory and enforces no network policy.
 */
export class StandInNode {
  readonly #options: StandInNodeOptions;
  readonly #core: CoreV1Api;
  readonly #pods: ListWatch<V1Pod>;
  readonly #placed = new Map<string, Placed>();
  readonly #address: string;
  #work: Promise<unknown> = Promise.resolve();
  #server: Awaited<ReturnType<typeof startKubeletServer>> | undefined;
  #last = 0;
  /** It looks at nothing. */
  isHalted = false;
  slots: number;

  constructor(options: StandInNodeOptions) {
    this.#options = options;
    this.slots = options.slots;
    this.#core = options.config.makeApiClient(CoreV1Api);
    this.#pods = new ListWatch(
      "/api/v1/pods",
      new Watch(options.config),
      () => this.#core.listPodForAllNamespaces(),
      false,
    );
    for (const verb of ["add", "update", "delete"] as const) this.#pods.on(verb, () => this.look());
    // Loopback has many addresses; those of two nodes differ.
    this.#address = `127.77.${process.pid % 256}`;
  }

  async start(): Promise<void> {
    const find = (pod: string) => this.#placed.get(pod)?.root;
    this.#server = await startKubeletServer({ find, tls: this.#options.tls });
    const { name } = this.#options;
    const metadata = { name, labels: { "kubernetes.io/arch": "amd64", "kubernetes.io/hostname": name, zone: "one" } };
    const status = {
      addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: this.#server.port } },
      conditions: [{ type: "Ready", status: "True" }],
      nodeInfo: { architecture: "amd64" } as never,
    };
    const made = await this.#core.createNode({ body: { metadata, status } });
    await this.#core.replaceNodeStatus({ name, body: Object.assign(made, { status }) });
    await this.#pods.start();
  }

  async stop(): Promise<void> {
    await this.#pods.stop();
    await this.#work;
    for (const [name] of this.#placed) await this.#remove(name);
    await this.#server?.stop();
  }

  /** The folder of a Pod's data. */
  async dataOf(pod: string): Promise<string> {
    return this.#placed.get(pod)!.root.data();
  }

  /** A device ends by itself. */
  kill(pod: string): void {
    this.#placed.get(pod)?.root.kill();
  }

  /** Looks at all Pods again, after what it does now. */
  look(): void {
    this.#work = this.#work
      .then(() => this.#look())
      .catch((error: unknown) => console.error("the stand-in node:", error));
  }

  async #look(): Promise<void> {
    if (this.isHalted) return;
    const pods = this.#pods.list();
    const there = new Set(pods.map(keyOf));
    for (const name of this.#placed.keys()) if (!there.has(name)) await this.#remove(name);
    let used = pods.filter((pod) => pod.spec?.nodeName === this.#options.name && !hasEnded(pod)).length;
    for (const pod of pods) {
      const { name = "", namespace = "", uid } = pod.metadata ?? {};
      if (pod.spec?.nodeName === undefined) {
        const why = used < this.slots ? this.#misfit(pod) : "1 Insufficient memory";
        if (why === undefined) {
          used++;
          const target = { kind: "Node", name: this.#options.name };
          const body = { metadata: { name, uid: uid! }, target };
          await this.#core.createNamespacedPodBinding({ name, namespace, body }).catch(() => undefined);
        } else if (!pod.status?.conditions?.length) {
          const message = `0/1 nodes are available: ${why}.`;
          await this.#say(pod, {
            conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }],
          });
        }
      } else if (pod.metadata?.deletionTimestamp !== undefined) {
        await this.#remove(keyOf(pod));
        const body = { gracePeriodSeconds: 0, preconditions: { uid: uid! } };
        await this.#core.deleteNamespacedPod({ name, namespace, body }).catch(() => undefined);
      } else if (!this.#placed.has(keyOf(pod)) && !hasEnded(pod)) {
        const image = this.#options.images[pod.spec.containers[0]!.image ?? ""];
        if (image === undefined) await this.#say(pod, waiting(pod, "ImagePullBackOff", "there is no such image"));
        else this.#run(pod, image);
      }
    }
  }

  #misfit({ spec }: V1Pod): string | undefined {
    const arch = spec?.nodeSelector?.["kubernetes.io/arch"];
    return arch === "amd64" ? undefined : "1 node(s) didn't match Pod's node affinity/selector";
  }

  #run(pod: V1Pod, image: StandInImage): void {
    const placed: Placed = { root: new ContainerRoot(image.root), address: undefined, isRemoved: false };
    this.#placed.set(keyOf(pod), placed);
    void this.#life(pod, placed, image.words).catch((error: unknown) => {
      if (!placed.isRemoved) console.error("a Pod of the stand-in node:", error);
    });
  }

  async #life(pod: V1Pod, placed: Placed, words: readonly string[]): Promise<void> {
    const { root } = placed;
    const claim = pod.spec?.volumes?.find((volume) => volume.persistentVolumeClaim)?.persistentVolumeClaim?.claimName;
    const disk = claim && this.#options.diskOf?.(claim);
    if (disk) await cp(disk, await root.data(), { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    const [restoring] = pod.spec?.initContainers ?? [];
    if (restoring) {
      const { ended } = await root.start(restoring.command ?? []);
      await this.#say(pod, { phase: "Pending", initContainerStatuses: [statusOf(restoring, { running: {} })] });
      await ended;
    }
    if (placed.isRemoved) return;
    const [device] = pod.spec!.containers;
    const { ended } = await root.start(device!.command ?? ["/init", ...(device!.args ?? words)]);
    const podIP = `${this.#address}.${(this.#last = (this.#last % 250) + 1)}`;
    placed.address = createServer((socket) => {
      void root.exec(["nc", "127.0.0.1", "5555"], { isOutside: true }).then(({ stdin, stdout }) => {
        socket.on("error", () => undefined).pipe(stdin!.on("error", () => undefined));
        stdout!.pipe(socket);
      });
    });
    await new Promise<void>((resolve) => placed.address!.listen(5555, podIP, resolve));
    await this.#say(pod, { phase: "Running", podIP, containerStatuses: [statusOf(device!, { running: {} })] });
    const exitCode = await ended;
    if (!placed.isRemoved)
      await this.#say(pod, { phase: "Failed", containerStatuses: [statusOf(device!, { terminated: { exitCode } })] });
  }

  /** Says it of the Pod as it is then. */
  async #say({ metadata }: V1Pod, status: V1Pod["status"]): Promise<void> {
    const { name = "", namespace = "" } = metadata ?? {};
    for (let tries = 0; tries < 5; tries++)
      try {
        const now = await this.#core.readNamespacedPod({ name, namespace });
        if (now.metadata?.uid !== metadata?.uid) return;
        const conditions = status?.conditions ?? [{ type: "PodScheduled", status: "True" }];
        Object.assign(now.status!, status, { conditions });
        await this.#core.replaceNamespacedPodStatus({ name, namespace, body: now });
        return;
      } catch (error) {
        const { code } = error as { code?: number };
        if (code === 404) return;
        if (code !== 409) throw error;
      }
  }

  async #remove(name: string): Promise<void> {
    const placed = this.#placed.get(name);
    if (!placed) return;
    placed.isRemoved = true;
    placed.address?.close();
    await placed.root.remove();
    this.#placed.delete(name);
  }
}

const keyOf = ({ metadata }: V1Pod): string => `${metadata?.namespace}/${metadata?.name}`;
const hasEnded = ({ status }: V1Pod): boolean => ["Failed", "Succeeded"].includes(status?.phase ?? "");

const statusOf = (
  { name, image = "" }: { name: string; image?: string },
  state: V1ContainerStatus["state"],
): V1ContainerStatus => ({ name, image, imageID: image, ready: true, restartCount: 0, state: state! });

const waiting = (pod: V1Pod, reason: string, message: string): V1Pod["status"] => ({
  phase: "Pending",
  containerStatuses: [statusOf(pod.spec!.containers[0]!, { waiting: { reason, message } })],
});
