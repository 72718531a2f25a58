import { type Selectable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { AuditChainTable } from "./audit.tables.ts";

export type Chain = Omit<Selectable<AuditChainTable>, "is_only">;

/** A record as its hash covers it. */
export interface ChainedRecord {
  id: number;
  text: string;
}
export interface SealedRecord extends ChainedRecord {
  position: number;
  hash: Buffer;
}

/** Everything that a record says, as one text that is the same on every machine, whatever its time zone. */
const text = sql<string>`jsonb_build_array(id, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), action, outcome, actor_kind,
  actor_uuid, credential_uuid, organization_uuid, subject_kind, subject_uuid, address, request_id, details)::text`;

export const readChain = (db: Database): Promise<Chain> =>
  db.selectFrom("audit_chain").selectAll().executeTakeFirstOrThrow();

/** The chain, which nobody else changes until the transaction ends; undefined if somebody is doing so. */
export const lockChain = (trx: Database): Promise<Chain | undefined> =>
  trx.selectFrom("audit_chain").selectAll().forUpdate().skipLocked().executeTakeFirst();

export async function writeChain(trx: Database, ends: Partial<Chain>): Promise<void> {
  await trx.updateTable("audit_chain").set(ends).execute();
}

export async function listUnsealed(db: Database, limit: number): Promise<ChainedRecord[]> {
  const { rows } = await sql<ChainedRecord>`
    SELECT id, ${text} AS text FROM audit_records WHERE position IS NULL ORDER BY id LIMIT ${limit}`.execute(db);
  return rows;
}

export async function countUnsealed(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM audit_records WHERE position IS NULL`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The records after a position, in the order of the chain. */
export async function listSealed(db: Database, after: number, limit: number): Promise<SealedRecord[]> {
  const { rows } = await sql<SealedRecord>`
    SELECT id, position, hash, ${text} AS text FROM audit_records
    WHERE position > ${after} ORDER BY position LIMIT ${limit}`.execute(db);
  return rows;
}

export async function writeSeals(trx: Database, seals: readonly Omit<SealedRecord, "text">[]): Promise<void> {
  const columns = [
    seals.map(({ id }) => id),
    seals.map(({ position }) => position),
    seals.map(({ hash }) => hash.toString("hex")),
  ];
  await sql`
    UPDATE audit_records SET position = seal.position, hash = decode(seal.hash, 'hex')
    FROM unnest(${columns[0]}::bigint[], ${columns[1]}::bigint[], ${columns[2]}::text[]) AS seal (id, position, hash)
    WHERE audit_records.id = seal.id`.execute(trx);
}

/** Deletes the records up to a position, which the database allows for this transaction alone. */
export async function deleteUpTo(trx: Database, position: number): Promise<void> {
  await sql`SELECT set_config('terrarium.audit_retention', 'on', true)`.execute(trx);
  await sql`DELETE FROM audit_records WHERE position <= ${position}`.execute(trx);
  await sql`SELECT set_config('terrarium.audit_retention', 'off', true)`.execute(trx);
}

/** The last of the oldest records that are all from before a time; at most `limit` of them are looked at. */
export async function findLastBefore(
  trx: Database,
  { after, time, limit }: { after: number; time: Date; limit: number },
): Promise<{ position: number; hash: Buffer } | undefined> {
  const { rows } = await sql<{ position: number; hash: Buffer }>`
    SELECT position, hash FROM (
      SELECT position, hash, bool_and(at < ${time}) OVER (ORDER BY position) AS is_old
      FROM (SELECT position, hash, at FROM audit_records WHERE position > ${after} ORDER BY position LIMIT ${limit}) AS next
    ) AS oldest WHERE is_old ORDER BY position DESC LIMIT 1`.execute(trx);
  return rows[0];
}
