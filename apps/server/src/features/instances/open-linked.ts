import { activeStates, AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { InstanceDeps } from "./instances.ts";
import { findInstance } from "./instances.store.ts";
import { iceServersFor } from "./turn.ts";
import { playerPathOf } from "./visit-path.ts";

/** Whose a device is; undefined if there is none, or it is over. */
export async function ownerOf(
  db: Database,
  uuid: string,
): Promise<{ owner_uuid: string; organization_uuid: string } | undefined> {
  const row = await findInstance(db, uuid);
  return row?.state === "DELETED" ? undefined : row;
}

/**
 * Where the display of a device is that somebody has a link to, and a short-lived token for it, which ends with the link.
 * @throws AppError INSTANCE_NOT_RUNNING
 */
export async function openLinked(
  { db, accessTokens, turn, clock }: Pick<InstanceDeps, "db" | "accessTokens" | "turn" | "clock">,
  { instance, link, credential }: { instance: string; link: string; credential: string },
  origin: string,
) {
  const row = await findInstance(db, instance);
  if (!row || !activeStates.includes(row.state)) throw new AppError("INSTANCE_NOT_RUNNING");
  const token = await accessTokens.issue({ instance, user: link, role: "participant", credential, link });
  return {
    webrtc_url: origin.replace(/^http/, "ws") + playerPathOf(instance),
    ...token,
    ...(turn && { ice_servers: iceServersFor(turn, link, clock.now()) }),
  };
}
