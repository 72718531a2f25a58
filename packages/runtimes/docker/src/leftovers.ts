import type { Clock } from "@terrarium/clock";
import type { Ask } from "@terrarium/runtime";
import type Docker from "dockerode";
import { label, nameOf } from "./container.ts";
import { reasonOf, unlessGone } from "./docker-answers.ts";

export interface LeftoversOptions {
  docker: Docker;
  ask: Ask;
  clock: Clock;
  place: () => Promise<string>;
  log: (line: string) => void;
  /** A device with this id runs or is being started. */
  isUsed: (id: string) => boolean;
  /** Nothing is left of it. */
  onCleared: (id: string) => void;
}

/** Longer than any process needs its probe. */
const PROBE_MS = 5 * 60_000;

/** What is on a Docker host of devices that are over. */
export class Leftovers {
  readonly #options: LeftoversOptions;
  readonly #clearing = new Map<string, Promise<void>>();
  /** Why they are still there, by id: it is logged once. */
  readonly #reasons = new Map<string, string>();
  /** When they were seen first, by id. */
  #probes = new Map<string, number>();

  constructor(options: LeftoversOptions) {
    this.#options = options;
  }

  /**
   * Removes container, network and volume of a device, as far as they are there; who asks meanwhile waits for the same. Rejects if
   * something is left, for example in use: it is removed later.
   */
  clear(id: string): Promise<void> {
    const clearing = this.#clearing.get(id) ?? this.#clear(id).finally(() => this.#clearing.delete(id));
    this.#clearing.set(id, clearing);
    return clearing;
  }

  /** As `clear`; logs why something is left. Never rejects. */
  async tryToClear(id: string): Promise<void> {
    let reason: string | undefined;
    try {
      await this.clear(id);
    } catch (error) {
      reason = reasonOf(error);
    }
    if (reason === undefined) this.#reasons.delete(id);
    else if (this.#reasons.get(id) !== reason) {
      this.#reasons.set(id, reason);
      this.#options.log(`what is left of ${id} will be removed later: ${reason}`);
    }
  }

  /** Removes what is ours and belongs to no device that runs. */
  async sweep(end: AbortSignal): Promise<void> {
    const { docker, ask, isUsed } = this.#options;
    const filters = { label: [`${label.place}=${await this.#options.place()}`] };
    const [containers, { Volumes }, networks] = await Promise.all([
      ask(() => docker.listContainers({ all: true, filters })),
      ask(() => docker.listVolumes({ filters })),
      ask(() => docker.listNetworks({ filters })),
    ]);
    const labels = [...containers, ...(Volumes ?? []), ...networks].map(({ Labels }) => Labels);
    const ids = labels.flatMap((one) => one?.[label.id] ?? []);
    const probes = this.#oldOf(labels.flatMap((one) => one?.[label.probe] ?? []));
    // They are as they are now, and not as they were when Docker was asked.
    const left = [...new Set([...ids, ...probes])].filter((id) => !isUsed(id) && !this.#clearing.has(id));
    if (!end.aborted) await Promise.all(left.map((id) => this.tryToClear(id)));
  }

  /** Another process may still read what one has printed. */
  #oldOf(probes: readonly string[]): string[] {
    const now = this.#options.clock.monotonic();
    this.#probes = new Map(probes.map((id) => [id, this.#probes.get(id) ?? now]));
    return probes.filter((id) => now - this.#probes.get(id)! >= PROBE_MS);
  }

  async #clear(id: string): Promise<void> {
    const { docker, ask } = this.#options;
    const name = nameOf(await this.#options.place(), id);
    await ask(() => docker.getContainer(name).remove({ force: true, v: true })).catch(unlessGone);
    const removed = [docker.getNetwork(name), docker.getVolume(name)].map((part) =>
      ask(() => part.remove()).catch(unlessGone),
    );
    for (const part of await Promise.allSettled(removed)) if (part.status === "rejected") throw part.reason;
    this.#options.onCleared(id);
  }
}
