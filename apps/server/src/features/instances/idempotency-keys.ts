import { AppError } from "@terrarium/contract";
import { createHash } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import type { Actor } from "../sessions/actor.ts";
import { claimKey, writeReply } from "./idempotency-keys.store.ts";

export interface RepeatableRequest {
  /** The client's `Idempotency-Key`; without one, nothing is remembered. */
  key: string | undefined;
  /** What must be equal for a request to be a repetition. */
  content: object;
  now: Date;
}

/**
 * Does `work` once for each key of a user: a repeated request gets the first one's reply, and waits for it if that runs at this moment.
 * If `work` throws, the key stays free.
 * @param trx the transaction of the work
 * @throws IDEMPOTENCY_KEY_REUSED if the key was sent with another request
 */
export async function once<Reply extends object>(
  trx: Database,
  actor: Actor,
  { key, content, now }: RepeatableRequest,
  work: () => Promise<Reply>,
): Promise<Reply> {
  if (!key) return work();
  const request_hash = createHash("sha256").update(JSON.stringify(content)).digest();
  const row = { user_uuid: actor.uuid, key, request_hash, created_at: now };
  const first = await claimKey(trx, row);
  if (first === "other request") throw new AppError("IDEMPOTENCY_KEY_REUSED");
  if (first) return first as Reply;
  const reply = await work();
  await writeReply(trx, row, reply);
  return reply;
}
