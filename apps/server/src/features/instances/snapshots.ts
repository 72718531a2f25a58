import type { Reads } from "../../platform/db/reads.ts";
import type { ShownSnapshot } from "./instances.tables.ts";
import { findSnapshots } from "./list-instances.store.ts";

/** The cache is emptied when it holds this many devices. */
const MAX_REMEMBERED = 10_000;

/**
 * The snapshots of devices, read from the database once: a snapshot is written when its device is requested and never changes. Devices
 * with equal snapshots share one object. None has layers: thousands of those would not fit into memory.
 */
export class Snapshots {
  readonly #reads: Pick<Reads, "query">;
  readonly #byDevice = new Map<string, ShownSnapshot>();
  readonly #byText = new Map<string, ShownSnapshot>();

  constructor(reads: Pick<Reads, "query">) {
    this.#reads = reads;
  }

  /** The snapshots of these devices, undefined for those that are gone. Whether the caller may see them was decided before. */
  async of(uuids: readonly string[]): Promise<(uuid: string) => ShownSnapshot | undefined> {
    const known = new Map(uuids.map((uuid) => [uuid, this.#byDevice.get(uuid)]));
    const unknown = uuids.filter((uuid) => !known.get(uuid));
    if (unknown.length > 0)
      for (const { uuid, text } of await findSnapshots(this.#reads, unknown))
        known.set(uuid, this.#remember(uuid, text));
    return (uuid) => known.get(uuid);
  }

  #remember(uuid: string, text: string): ShownSnapshot {
    if (this.#byDevice.size >= MAX_REMEMBERED) {
      this.#byDevice.clear();
      this.#byText.clear();
    }
    const snapshot = this.#byText.get(text) ?? (JSON.parse(text) as ShownSnapshot);
    this.#byText.set(text, snapshot);
    this.#byDevice.set(uuid, snapshot);
    return snapshot;
  }
}
