import { createHash } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import {
  countUnsealed,
  deleteUpTo,
  findLastBefore,
  listSealed,
  listUnsealed,
  lockChain,
  readChain,
  writeChain,
  writeSeals,
} from "./chain.store.ts";

/** How many records one transaction seals, reads or deletes at most. */
const SEALED_AT_ONCE = 1_000;
const READ_AT_ONCE = 5_000;
const DELETED_AT_ONCE = 10_000;
/** How many transactions one run has at most: a server that stops waits for the run. The next run goes on. */
const TRANSACTIONS_PER_RUN = 50;

/** The SHA-256 of a record, its position, and the hash of the record before it. */
const hashOf = (before: Buffer, position: number, text: string): Buffer =>
  createHash("sha256").update(before).update(`${position} ${text}`).digest();

/**
 * Appends the records that are not in the chain yet. Whoever records something never waits for this: positions are given afterwards, in the
 * order in which records are found, so neither gaps in their identifiers nor a late commit leave a hole. If another process is at it, this
 * does nothing.
 * @param transactions how many at most, of 1,000 records each
 */
export async function sealRecords(db: Database, transactions = TRANSACTIONS_PER_RUN): Promise<void> {
  for (let left = transactions; left > 0 && (await listUnsealed(db, 1)).length > 0; left--)
    if ((await transaction(db, sealSome)) < SEALED_AT_ONCE) return;
}

async function sealSome(trx: Database): Promise<number> {
  const chain = await lockChain(trx);
  if (!chain) return 0;
  let { position, hash } = chain;
  const seals = (await listUnsealed(trx, SEALED_AT_ONCE)).map(({ id, text }) => {
    position++;
    hash = hashOf(hash, position, text);
    return { id, position, hash };
  });
  await writeSeals(trx, seals);
  await writeChain(trx, { position, hash });
  return seals.length;
}

/**
 * Deletes the oldest records, if they are from before a time. The chain then begins with the first remaining one: the hash of the
 * last deleted one stays, as the next one covers it.
 * @param transactions how many at most, of 10,000 records each
 */
export async function deleteBefore(db: Database, time: Date, transactions = TRANSACTIONS_PER_RUN): Promise<void> {
  for (let left = transactions; left > 0 && (await transaction(db, (trx) => deleteSomeBefore(trx, time))); left--);
}

async function deleteSomeBefore(trx: Database, time: Date): Promise<boolean> {
  const chain = await lockChain(trx);
  const last = chain && (await findLastBefore(trx, { after: chain.deleted_position, time, limit: DELETED_AT_ONCE }));
  if (!last) return false;
  await deleteUpTo(trx, last.position);
  await writeChain(trx, { deleted_position: last.position, deleted_hash: last.hash });
  return true;
}

/** The end of the chain at some time. Whoever has noted it elsewhere can check later that nothing before it was changed. */
export interface ChainEnd {
  position: number;
  /** Hexadecimal. */
  hash: string;
}

export interface Verdict {
  /** How many records the chain has. */
  sealed: number;
  /** How many are not in it yet. */
  unsealed: number;
  end: ChainEnd;
  /** The first fault. */
  fault?: { position: number; says: string };
}

/**
 * Computes the chain again, from what the records say, in one snapshot of the database.
 * @param known an end that was noted earlier; without one, a chain whose hashes were all recomputed is not detected
 */
export const verifyChain = (db: Database, known?: ChainEnd): Promise<Verdict> =>
  transaction(
    db,
    async (trx) => {
      const chain = await readChain(trx);
      const end = { position: chain.position, hash: chain.hash.toString("hex") };
      const fault = await findFault(trx, chain, known);
      const sealed = chain.position - chain.deleted_position;
      return { sealed, unsealed: await countUnsealed(trx), end, ...(fault && { fault }) };
    },
    "repeatable read",
  );

async function findFault(
  trx: Database,
  chain: Awaited<ReturnType<typeof readChain>>,
  known: ChainEnd | undefined,
): Promise<Verdict["fault"]> {
  let [position, hash] = [chain.deleted_position, chain.deleted_hash];
  const agrees = () => known?.position !== position || known.hash === hash.toString("hex");
  const other = () => ({ position, says: "the chain does not have the hash here that was noted" });
  if (!agrees()) return other();
  if (known && known.position < position)
    return { position, says: "what was noted is older than the records that are kept" };
  for (;;) {
    const records = await listSealed(trx, position, READ_AT_ONCE);
    for (const record of records) {
      position++;
      if (position > chain.position) return { position, says: `record ${record.id} is behind the end of the chain` };
      if (record.position !== position) return { position, says: "the record is missing" };
      hash = hashOf(hash, position, record.text);
      if (!hash.equals(record.hash)) return { position, says: `record ${record.id} was changed` };
      if (!agrees()) return other();
    }
    if (records.length < READ_AT_ONCE) break;
  }
  if (position < chain.position) return { position: position + 1, says: "the record is missing" };
  if (!hash.equals(chain.hash)) return { position, says: "the noted end of the chain was changed" };
  if (known && known.position > position)
    return { position, says: "the chain ends before the position that was noted" };
  return undefined;
}
