import { AppError, type EmbedLink, limits } from "@terrarium/contract";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { networksOf } from "../../platform/network-of.ts";
import { takeNetworks } from "../../platform/rate-limits/count-networks.ts";
import type { DatabaseRateLimiter, Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { By } from "../audit/by.ts";
import { openLinked, ownerOf } from "../instances/open-linked.ts";
import { getInstance, type InstanceDeps } from "../instances/instances.ts";
import type { Actor } from "../sessions/actor.ts";
import { findLiveCredentials } from "../sessions/credentials.ts";
export { isEmbedOrigin } from "./embed-links.store.ts";
import {
  deleteLink,
  deleteLinksBut,
  type EmbedLinkRow,
  findEmbedOrigins,
  findLink,
  findLinks,
  insertLink,
  lockDevice,
} from "./embed-links.store.ts";

const HOUR_MS = 60 * 60_000;
const creationsOfUser: Limit = { name: "embed links made by a user", max: 300, windowMs: HOUR_MS };
/** Of an address. Each page that shows a device opens its link again for each connection, and a company's pages have one address. */
const openings: Limit = { name: "embed links opened", max: 600, windowMs: 10 * 60_000 };

export interface EmbedLinkDeps extends InstanceDeps {
  limiter: DatabaseRateLimiter;
}

/**
 * Makes a link of 256 random bits, of which only a hash is stored, for the owner of a device.
 * @throws AppError INSTANCE_NOT_FOUND, INSTANCE_NOT_ALLOWED, INSTANCE_ENDED; TOO_MANY_EMBED_LINKS, TOO_MANY_REQUESTS
 */
export async function createLink(
  deps: EmbedLinkDeps,
  actor: Actor,
  { uuid: instance, hours, can_control }: { uuid: string; hours: number; can_control: boolean },
  { origin, by }: { origin: string; by: By },
): Promise<EmbedLink & { url: string }> {
  const { db, clock, audit, limiter } = deps;
  await getInstance(deps, actor, instance, "display");
  await limiter.take(creationsOfUser, actor.uuid);
  const key = randomBytes(32).toString("base64url");
  const now = new Date(clock.now());
  const row = {
    uuid: randomUUID(),
    key_hash: hashOf(key),
    instance_uuid: instance,
    user_uuid: actor.uuid,
    credential_uuid: actor.credential,
    can_control,
    created_at: now,
    expires_at: new Date(now.getTime() + hours * HOUR_MS),
  };
  await transaction(db, async (trx) => {
    await lockDevice(trx, instance);
    const live = await findLiveLinks(trx, instance, now);
    if (live.length >= limits.embedLinks) throw new AppError("TOO_MANY_EMBED_LINKS");
    const others = live.map(({ uuid }) => uuid);
    await deleteLinksBut(trx, instance, others);
    await insertLink(trx, row);
    const details = { link: row.uuid, can_control: String(can_control), expires_at: row.expires_at.toISOString() };
    await audit.record(trx, by, { action: "instance.embed", subject: { kind: "instance", uuid: instance }, details });
  });
  return { ...present(row), url: `${origin}/embed/${key}` };
}

/** Those that work now. @throws AppError INSTANCE_NOT_FOUND, INSTANCE_NOT_ALLOWED, INSTANCE_ENDED */
export async function listLinks(deps: EmbedLinkDeps, actor: Actor, instance: string): Promise<EmbedLink[]> {
  await getInstance(deps, actor, instance, "display");
  return (await findLiveLinks(deps.db, instance, new Date(deps.clock.now()))).map(present);
}

/** Those of a device that have not ended, by time or with what they were made with. */
async function findLiveLinks(db: Database, instance: string, now: Date) {
  const rows = await findLinks(db, instance, now);
  const credentials = [...new Set(rows.map(({ credential_uuid }) => credential_uuid))];
  const live = await findLiveCredentials(db, credentials, now);
  return rows.filter(({ credential_uuid }) => live.has(credential_uuid));
}

/** Ends a link, if there is one. @throws AppError INSTANCE_NOT_FOUND, INSTANCE_NOT_ALLOWED, INSTANCE_ENDED */
export async function revokeLink(
  deps: EmbedLinkDeps,
  actor: Actor,
  { uuid, link }: { uuid: string; link: string },
  by: By,
): Promise<void> {
  await getInstance(deps, actor, uuid, "display");
  await transaction(deps.db, async (trx) => {
    if (!(await deleteLink(trx, uuid, link))) return;
    const subject = { kind: "instance", uuid } as const;
    await deps.audit.record(trx, by, { action: "instance.stop_embedding", subject, details: { link } });
  });
}

/**
 * What a link opens, for our own pages and for programs, or for the page of an origin that the device's organization lists.
 * @throws AppError EMBED_LINK_NOT_FOUND, ORIGIN_NOT_ALLOWED, INSTANCE_NOT_RUNNING, TOO_MANY_REQUESTS
 */
export async function openLink(
  deps: EmbedLinkDeps,
  key: string,
  { ip, pageOrigin, origin }: { ip: string; pageOrigin: string | undefined; origin: string },
) {
  const { link, origins } = await findEmbedded(deps, key, ip);
  if (pageOrigin !== undefined && !origins.includes(pageOrigin))
    throw new AppError("ORIGIN_NOT_ALLOWED", { facts: { origin: pageOrigin } });
  const { uuid, instance_uuid: instance, credential_uuid: credential, can_control } = link;
  return { ...(await openLinked(deps, { instance, link: uuid, credential }, origin)), can_control };
}

/**
 * A link that works, and the origins whose pages may show its device.
 * @throws AppError EMBED_LINK_NOT_FOUND, also for one whose maker may no longer use the device; TOO_MANY_REQUESTS
 */
export async function findEmbedded(
  { db, clock, limiter }: Pick<EmbedLinkDeps, "db" | "clock" | "limiter">,
  key: string,
  ip: string,
): Promise<{ link: EmbedLinkRow; origins: string[] }> {
  await takeNetworks(limiter, openings, networksOf(ip));
  const now = new Date(clock.now());
  const link = await findLink(db, { key_hash: hashOf(key) }, now);
  const device = link && (await ownerOf(db, link.instance_uuid));
  if (!device || device.owner_uuid !== link.user_uuid) throw new AppError("EMBED_LINK_NOT_FOUND");
  const live = await findLiveCredentials(db, [link.credential_uuid], now);
  if (live.size === 0) throw new AppError("EMBED_LINK_NOT_FOUND");
  return { link, origins: await findEmbedOrigins(db, device.organization_uuid) };
}

const present = ({
  uuid,
  can_control,
  created_at,
  expires_at,
}: Omit<EmbedLinkRow, "key_hash" | "instance_uuid" | "user_uuid" | "credential_uuid">): EmbedLink => ({
  uuid,
  can_control,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
});

const hashOf = (key: string): Buffer => createHash("sha256").update(key).digest();
