import type { Clock } from "@terrarium/clock";
import { activeStates } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { findLiveCredentials } from "../sessions/credentials.ts";
import { findEmbedLink, findParticipation, findState } from "./instances.store.ts";
import type { AccessTokens } from "./access-tokens.ts";

export interface DisplayGrant {
  instanceUuid: string;
  user: string;
  role: "owner" | "participant";
  /** The session or API token it was asked for with. */
  credential: string;
  /** Which of the two that is, and whose the device is: for the record of what is done to it. */
  cameAs: "user" | "token";
  organization: string;
  /** The link to a page of others that it came by, if it did; it ends with that, too. */
  link?: string | undefined;
  /** Of a participant who may watch, but not touch. */
  viewOnly?: boolean;
}

/** Reads the token of a display; what it grants is looked up again, so that a right lost since counts at once. */
export function displayAccess(
  { db, clock }: { db: Database; clock: Clock },
  tokens: AccessTokens,
): (token: string) => Promise<DisplayGrant | "wrong" | "expired" | "ended"> {
  return async (token) => {
    const claims = await tokens.read(token);
    if (claims === "expired") return "expired";
    if (!claims) return "wrong";
    const { instance: instanceUuid, user, role, credential, link } = claims;
    const now = new Date(clock.now());
    const [row, participation, embedded, live] = await Promise.all([
      findState(db, instanceUuid, credential),
      role === "participant" && link === undefined ? findParticipation(db, instanceUuid, user) : undefined,
      link === undefined ? undefined : findEmbedLink(db, { uuid: link }, now),
      findLiveCredentials(db, [claims.credential], now),
    ]);
    if (!row || live.size === 0) return "wrong";
    if (role === "owner" && row.owner_uuid !== user) return "wrong";
    if (!activeStates.includes(row.state)) return "ended";
    const shared = link === undefined ? participation : embedded?.instance_uuid === instanceUuid ? embedded : undefined;
    if (role === "participant" && !shared) return "wrong";
    if (embedded && embedded.user_uuid !== row.owner_uuid) return "wrong";
    return {
      instanceUuid,
      user,
      role,
      credential,
      cameAs: row.is_session ? "user" : "token",
      organization: row.organization_uuid,
      ...(link !== undefined && { link }),
      ...(shared && { viewOnly: !shared.can_control }),
    };
  };
}
