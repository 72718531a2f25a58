import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { captureFolder } from "./captures.ts";
import { deleteUnfinished, findKnown } from "./captures.store.ts";

const HOUR_MS = 60 * 60 * 1000;
/** What is unfinished for this long never will be: a recording takes half an hour. */
export const UNFINISHED_MS = 24 * HOUR_MS;
const FOUND_AT_ONCE = 1000;

/**
 * Deletes the files of captures that are gone: deleted while the file store did not answer, or with their owner's account. A row is there
 * before its file, so a file without one is nobody's.
 */
export const collectCaptures: Periodic<{ db: Database; clock: Pick<Clock, "now">; files: FileStore }> = {
  everyMs: HOUR_MS,
  async run({ db, clock, files }) {
    await deleteUnfinished(db, new Date(clock.now() - UNFINISHED_MS));
    let found: string[] = [];
    for await (const { key } of files.list(captureFolder)) {
      if (found.push(key) === FOUND_AT_ONCE) await deleteUnknown(db, files, found.splice(0));
    }
    await deleteUnknown(db, files, found);
  },
};

async function deleteUnknown(db: Database, files: FileStore, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const uuidOf = (key: string) => key.slice(captureFolder.length + 1);
  const known = await findKnown(db, keys.map(uuidOf));
  for (const key of keys.filter((each) => !known.has(uuidOf(each)))) await files.delete(key);
}
