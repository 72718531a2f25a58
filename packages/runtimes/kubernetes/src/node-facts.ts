import type { Clock } from "@terrarium/clock";
import {
  type Ask,
  type FoundDevice,
  imageByTag,
  type ImageSpec,
  NO_VERSION,
  offeredHardware,
} from "@terrarium/runtime";
import { type Cluster, reasonOf } from "./cluster.ts";
import { archs } from "./pod.ts";

export interface NodeFactsOptions {
  cluster: Cluster;
  answer: Ask;
  clock: Clock;
  /** Labels that nodes for devices have. */
  nodes: Readonly<Record<string, string>>;
}

/** They are asked for every few seconds, and seldom change. */
const VALID_MS = 30_000;

/** What the nodes of a cluster could run. */
export class NodeFacts {
  readonly #options: NodeFactsOptions;
  #processors: { seen: Promise<Set<string>>; until: number } | undefined;

  constructor(options: NodeFactsOptions) {
    this.#options = options;
  }

  /** An image as the operator is offered it. */
  async offer(name: string): Promise<FoundDevice> {
    const there = await this.#look().catch((error: unknown) => reasonOf(error));
    const isArm = typeof there === "object" && !there.has("amd64") && there.has("arm64");
    // Only its node can look into an image.
    const image = imageByTag(name, isArm ? "arm64" : "x86_64", "1");
    const title = image ? `Android ${image.osVersion} in Kubernetes` : name;
    const problem = typeof there === "string" ? there : misses(there, image?.arch);
    return {
      key: `${this.#options.cluster.namespace}/${name}`,
      name: title,
      isFree: problem === undefined,
      problem: problem ?? (image ? undefined : NO_VERSION),
      image,
      hardware: { name: title, ...offeredHardware },
    };
  }

  /** @throws Error if no node could run it, which says why */
  async check({ arch }: ImageSpec): Promise<void> {
    const problem = misses(await this.#look(), arch);
    if (problem !== undefined) throw new Error(problem);
  }

  /** The processors of nodes that take devices. */
  #look(): Promise<Set<string>> {
    const now = this.#options.clock.monotonic();
    if (this.#processors === undefined || this.#processors.until < now)
      this.#processors = { seen: this.#read(), until: now + VALID_MS };
    return this.#processors.seen;
  }

  async #read(): Promise<Set<string>> {
    const { cluster, answer, nodes } = this.#options;
    const labels = Object.entries(nodes).map((pair) => pair.join("="));
    const { items } = await answer(() => cluster.core.listNode({ labelSelector: labels.join(",") }));
    const usable = items.filter(({ spec }) => !spec?.unschedulable);
    return new Set(usable.flatMap(({ status }) => status?.nodeInfo?.architecture ?? []));
  }
}

function misses(there: ReadonlySet<string>, arch: ImageSpec["arch"] | undefined): string | undefined {
  if (there.size === 0) return "no node of the cluster takes devices";
  if (arch === undefined || there.has(archs[arch])) return undefined;
  return `no node has a processor for it: they have ${[...there].join(", ")}`;
}
