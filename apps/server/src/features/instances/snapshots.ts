import type { Reads } from "../../platform/db/reads.ts";
import type { InstanceSnapshot } from "./instances.tables.ts";
import { findSnapshots } from "./list-instances.store.ts";

/** The cache is emptied when it holds this many devices. */
const MAX_KEPT = 10_000;

/**
 * The snapshots of devices, read from the database once: a snapshot is written when its device is requested and never changes. Devices
 * with equal snapshots share one object.
 */
export class Snapshots {
  readonly #reads: Pick<Reads, "query">;
  readonly #byDevice = new Map<string, InstanceSnapshot>();
  readonly #byText = new Map<string, InstanceSnapshot>();

  constructor(reads: Pick<Reads, "query">) {
    this.#reads = reads;
  }

  /** The snapshots of these devices, undefined for those that are gone. Whether the caller may see them was decided before. */
  async of(uuids: readonly string[]): Promise<(uuid: string) => InstanceSnapshot | undefined> {
    const known = new Map(uuids.map((uuid) => [uuid, this.#byDevice.get(uuid)]));
    const unknown = uuids.filter((uuid) => !known.get(uuid));
    if (unknown.length > 0)
      for (const { uuid, text } of await findSnapshots(this.#reads, unknown)) known.set(uuid, this.#keep(uuid, text));
    return (uuid) => known.get(uuid);
  }

  #keep(uuid: string, text: string): InstanceSnapshot {
    if (this.#byDevice.size >= MAX_KEPT) {
      this.#byDevice.clear();
      this.#byText.clear();
    }
    const snapshot = this.#byText.get(text) ?? (JSON.parse(text) as InstanceSnapshot);
    this.#byText.set(text, snapshot);
    this.#byDevice.set(uuid, snapshot);
    return snapshot;
  }
}
