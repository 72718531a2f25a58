import type { Clock } from "@terrarium/clock";
import type { Layer } from "@terrarium/runtime";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { layerFolder, layerKey } from "./layer-store.ts";
import { deleteLayer, insertMissing, listUsed, lockUnused, markUnused } from "./layers.store.ts";

const HOUR_MS = 60 * 60 * 1000;
/** A layer that is unused for this long is deleted: no save takes as long, nor does a start between reading an image and writing its row. */
export const LAYER_GRACE_MS = 24 * HOUR_MS;
const DELETED_AT_ONCE = 20;
const FOUND_AT_ONCE = 1000;

/**
 * Deletes the layers that nothing refers to any more. Files without a row, as a crash or a restored backup leaves them, get one first, and
 * so go the same way.
 */
export const collectLayers: Periodic<{ db: Database; clock: Pick<Clock, "now">; files: FileStore }> = {
  everyMs: HOUR_MS,
  async run({ db, clock, files }) {
    await findFiles(db, files);
    const now = clock.now();
    await markUnused(db, new Date(now));
    while ((await deleteSome(db, files, new Date(now - LAYER_GRACE_MS))) > 0);
  },
};

/** Inserts rows for the files that have none. */
async function findFiles(db: Database, files: FileStore): Promise<void> {
  let found: Layer[] = [];
  for await (const { key, size } of files.list(layerFolder)) {
    found.push({ sha256: key.slice(layerFolder.length + 1), size });
    if (found.length < FOUND_AT_ONCE) continue;
    await insertMissing(db, found);
    found = [];
  }
  await insertMissing(db, found);
}

/** The file goes while its row is locked: whoever stores the same layer at this moment waits, and then finds it missing. */
function deleteSome(db: Database, files: FileStore, before: Date): Promise<number> {
  return transaction(db, async (trx) => {
    const unused = await lockUnused(trx, before, DELETED_AT_ONCE);
    // Somebody may have begun to use one since it was marked.
    const used = new Set(await listUsed(trx, unused));
    for (const sha256 of unused.filter((layer) => !used.has(layer))) {
      await files.delete(layerKey(sha256));
      await deleteLayer(trx, sha256);
    }
    return unused.length - used.size;
  });
}
