import type { Clock } from "@terrarium/clock";
import { sql, type Transaction } from "kysely";
import type { Migration } from "kysely/migration";
import type { Schema } from "../../database/schema.ts";
import { endInterruptedInstances } from "../../features/instances/end-interrupted.ts";
import { forgetServers } from "../../features/operator/server-beat.ts";
import { cancelDeliveries } from "../../features/webhooks/deliveries.ts";
import { endAllSessions } from "../../features/sessions/end-all-sessions.ts";
import { type Archive, ArchiveError, openArchive } from "../../platform/archive/read-archive.ts";
import { loadInto } from "../../platform/db/backup/load-tables.ts";
import { lockMigrations, migrateWithin, NewerDatabaseError } from "../../platform/db/migrate.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import { cancelMails } from "../../platform/mail/send-mail.ts";
import { readAdbKey, writeAdbKey } from "./adb-key-file.ts";
import { Content, type Places, type Say } from "./content.ts";
import { StoredParts } from "./stored-parts.ts";

export interface RestoreOptions extends Places {
  clock: Clock;
  say: Say;
  files: () => Promise<FileStore>;
  /** Restores into a file store that has other files, and replaces those of the same keys. */
  overwritesFiles?: boolean | undefined;
  /** Mails that waited when the backup was made are sent. Otherwise they are not: they may have been sent since. */
  sendsMails?: boolean | undefined;
  /** All that this version knows. */
  migrations: Record<string, Migration>;
}

/** A backup whose sums were right, and what it contains. */
export interface Backup {
  archive: Archive;
  content: Content;
}

/** The place to restore to is not empty. */
class NotEmptyError extends Error {
  override name = "NotEmptyError";
}

/**
 * Reads all of a backup and checks it.
 * @throws ArchiveError; NewerDatabaseError when this version is older than the one that made it
 */
export async function openBackup(path: string, migrations: Record<string, Migration>): Promise<Backup> {
  const archive = await openArchive(path);
  const parsed = Content.safeParse(archive.content);
  if (!parsed.success) throw new ArchiveError(`${path} is not a backup of Terrarium.`, { cause: parsed.error });
  const unknown = parsed.data.migrations.filter((name) => !(name in migrations));
  if (unknown.length > 0) throw new NewerDatabaseError(unknown);
  return { archive, content: parsed.data };
}

/**
 * Puts a backup into an empty database, and its files and key in their places. The database is filled in one transaction that ends last:
 * after a failure, or if this process is killed, it is empty, and the same can be tried again.
 *
 * What was true only of the old machines is put right: devices that ran have ended, everybody has to sign in again, and mails and
 * webhooks that waited are not sent.
 * @throws NotEmptyError before anything is written
 */
export async function restore({ archive, content }: Backup, options: RestoreOptions): Promise<void> {
  const { url, say, adbKeyFile, migrations } = options;
  await using parts = new StoredParts(archive.read());
  const key = content.adb_key ? await parts.one("adbkey") : undefined;
  const present = await readAdbKey(adbKeyFile);
  if (key && present && !present.equals(key))
    throw new NotEmptyError(`${adbKeyFile} is the key of another installation.`);
  const store = await options.files();
  if (!options.overwritesFiles) await refuseOtherFiles(store, content);
  await loadInto<Schema>(url, async ({ trx, isEmpty, clear, load, setSequence }) => {
    await lockMigrations(trx);
    if (!(await isEmpty()))
      throw new NotEmptyError("The database is not empty. Restore into a new data directory, or an empty database.");
    await migrateWithin(trx, Object.fromEntries(content.migrations.map((name) => [name, migrations[name]!])));
    await clear(content.tables);
    // What is restored is no news for webhooks.
    await sql`SET LOCAL terrarium.webhooks = 'off'`.execute(trx);
    for (const table of content.tables) {
      const rows = await load(table, parts.of(`database/${table.name}`));
      if (rows !== table.rows) throw new ArchiveError(`${table.name} has ${rows} rows instead of ${table.rows}.`);
      say(`${table.name}: ${rows} rows`);
    }
    for (const sequence of content.sequences) await setSequence(sequence);
    for (const [index, { key: name, size }] of content.files.entries()) {
      await store.put(name, parts.of(`files/${index}`), { maxBytes: size });
      say(`${name}: ${size} bytes`);
    }
    if (key) await writeAdbKey(adbKeyFile, key);
    await migrateWithin(trx, migrations);
    await settle(trx, options);
  });
}

/** Files of the backup itself are left there by a restore that was interrupted. */
async function refuseOtherFiles(store: FileStore, { files }: Content): Promise<void> {
  const sizes = new Map(files.map(({ key, size }) => [key, size]));
  for await (const { key, size } of store.list())
    if (sizes.get(key) !== size)
      throw new NotEmptyError(
        `The file store is in use: it has ${key}, which is not from this backup. Nothing was changed. ` +
          "Restore into an empty store, or add --overwrite-files.",
      );
}

async function settle(trx: Transaction<Schema>, { clock, say, sendsMails }: RestoreOptions): Promise<void> {
  const now = new Date(clock.now());
  await endAllSessions(trx, now);
  await forgetServers(trx);
  const ended = await endInterruptedInstances(trx, now);
  if (ended > 0) say(`devices that ran when the backup was made, and have ended: ${ended}`);
  const mails = sendsMails ? 0 : await cancelMails(trx, now, "It waited when a backup was restored.");
  if (mails > 0) say(`mails that waited when the backup was made, and are not sent: ${mails} (see --send-mails)`);
  const webhooks = await cancelDeliveries(trx, now);
  if (webhooks > 0) say(`webhooks that waited when the backup was made, and can be replayed: ${webhooks}`);
}
