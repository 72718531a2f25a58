import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import { createHash, randomBytes } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { FileNotFoundError } from "../../platform/files/file-store.ts";
import { networksOf } from "../../platform/network-of.ts";
import { takeNetworks } from "../../platform/rate-limits/count-networks.ts";
import type { DatabaseRateLimiter, Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { By } from "../audit/by.ts";
import { type CaptureDeps, captureKey, getCapture } from "../captures/captures.ts";
import { deleteLink, findLink, findShared, putLink } from "./replay-links.store.ts";

type Owner = Required<Parameters<typeof getCapture>[1]>;

const HOUR_MS = 60 * 60_000;
const creationsOfUser: Limit = { name: "replay links made by a user", max: 100, windowMs: HOUR_MS };
/** Of an address. A replay may be 25 MB, and a team behind one address looks at some of them. */
const openings: Limit = { name: "replay links opened", max: 60, windowMs: 10 * 60_000 };

export interface ReplayLinkDeps extends CaptureDeps {
  clock: Pick<Clock, "now">;
  limiter: DatabaseRateLimiter;
}

/**
 * Makes a link of 256 random bits, of which only a hash is stored.
 * @throws CAPTURE_NOT_FOUND, also for what is no replay; TOO_MANY_REQUESTS
 */
export async function createLink(
  deps: ReplayLinkDeps,
  owner: Owner,
  { uuid, hours }: { uuid: string; hours: number },
  by: By,
) {
  const { db, clock, audit, limiter } = deps;
  await ownReplay(deps, db, owner, uuid);
  await limiter.take(creationsOfUser, owner.user);
  const key = randomBytes(32).toString("base64url");
  const expires = new Date(clock.now() + hours * HOUR_MS);
  const expires_at = expires.toISOString();
  await transaction(db, async (trx) => {
    await ownReplay(deps, trx, owner, uuid);
    await putLink(trx, { capture_uuid: uuid, key_hash: hashOf(key), expires_at: expires });
    const subject = { kind: "capture", uuid } as const;
    await audit.record(trx, by, { action: "capture.share", subject, details: { expires_at } });
  });
  return { key, expires_at };
}

/** @throws CAPTURE_NOT_FOUND */
export async function getLink(deps: ReplayLinkDeps, owner: Owner, uuid: string) {
  await ownReplay(deps, deps.db, owner, uuid);
  const expires = await findLink(deps.db, uuid, new Date(deps.clock.now()));
  return { expires_at: expires?.toISOString() ?? null };
}

/** Ends the link, if there is one. @throws CAPTURE_NOT_FOUND */
export async function revokeLink(deps: ReplayLinkDeps, owner: Owner, uuid: string, by: By): Promise<void> {
  await transaction(deps.db, async (trx) => {
    await ownReplay(deps, trx, owner, uuid);
    if (!(await deleteLink(trx, uuid))) return;
    await deps.audit.record(trx, by, { action: "capture.unshare", subject: { kind: "capture", uuid } });
  });
}

/** The file behind a key. @throws REPLAY_LINK_NOT_FOUND, TOO_MANY_REQUESTS */
export async function openLink({ db, clock, files, limiter }: ReplayLinkDeps, key: string, ip: string) {
  await takeNetworks(limiter, openings, networksOf(ip));
  const uuid = await findShared(db, hashOf(key), new Date(clock.now()));
  if (uuid === undefined) throw new AppError("REPLAY_LINK_NOT_FOUND");
  const content = await files.get(captureKey(uuid)).catch((error: unknown) => {
    throw error instanceof FileNotFoundError ? new AppError("REPLAY_LINK_NOT_FOUND", { cause: error }) : error;
  });
  // Nothing of its device or organization, not even a name.
  return { type: "video/mp4" as const, fileName: "replay.mp4", content };
}

async function ownReplay(deps: ReplayLinkDeps, db: Database, owner: Owner, uuid: string): Promise<void> {
  const { kind } = await getCapture({ ...deps, db }, owner, uuid);
  if (kind !== "replay") throw new AppError("CAPTURE_NOT_FOUND");
}

const hashOf = (key: string): Buffer => createHash("sha256").update(key).digest();
