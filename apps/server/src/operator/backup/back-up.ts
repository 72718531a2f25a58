import type { Clock } from "@terrarium/clock";
import type { TarEntry } from "../../platform/archive/tar.ts";
import { inParts, writeArchive } from "../../platform/archive/write-archive.ts";
import { openSnapshot, type Snapshot } from "../../platform/db/backup/snapshot.ts";
import { FileNotFoundError, type FileStore } from "../../platform/files/file-store.ts";
import { VERSION } from "../../version.ts";
import { readAdbKey } from "./adb-key-file.ts";
import type { Content, Places, Say } from "./content.ts";

export interface BackupOptions extends Places {
  clock: Clock;
  say: Say;
  /** Undefined if nothing was ever stored. */
  files: FileStore | undefined;
}

/**
 * Writes an installation to an archive, while it runs: the database as it was at one moment, the files of the store and the adb key. The
 * keys that sign tokens are in the database.
 * @returns the size of the archive in bytes
 */
export async function backUp(path: string, options: BackupOptions): Promise<number> {
  const snapshot = await openSnapshot(options.url);
  try {
    const content: Content = {
      version: VERSION,
      made_at: new Date(options.clock.now()).toISOString(),
      migrations: snapshot.migrations,
      tables: [],
      sequences: snapshot.sequences,
      files: [],
      adb_key: false,
    };
    return await writeArchive(path, partsOf(snapshot, options, content), () => content);
  } finally {
    await snapshot.close();
  }
}

/** The parts of the archive, in order; adds to `content` what was read. */
async function* partsOf(
  snapshot: Snapshot,
  { say, files, adbKeyFile }: BackupOptions,
  content: Content,
): AsyncGenerator<TarEntry> {
  const key = await readAdbKey(adbKeyFile);
  if (key) yield { name: "adbkey", content: key };
  content.adb_key = key !== undefined;
  for (const table of snapshot.tables) {
    const rows = snapshot.copy(table);
    yield* inParts(`database/${table.name}`, rows);
    content.tables.push({ ...table, rows: rows.rows() });
    say(`${table.name}: ${rows.rows()} rows`);
  }
  // After the database, so that every file that its rows name is there.
  for await (const { key } of files?.list() ?? []) {
    const bytes = await files?.get(key).catch(ignoreDeleted);
    if (!bytes) continue;
    let size = 0;
    for await (const part of inParts(`files/${content.files.length}`, bytes)) {
      size += part.content.byteLength;
      yield part;
    }
    content.files.push({ key, size });
    say(`${key}: ${size} bytes`);
  }
}

function ignoreDeleted(error: unknown): undefined {
  if (!(error instanceof FileNotFoundError)) throw error;
}
