import type { Clock } from "@terrarium/clock";
import { activeStates } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { findLiveCredentials } from "../sessions/credentials.ts";
import { findParticipation, findState } from "./instances.store.ts";
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
    const { instance: instanceUuid, user, role, credential } = claims;
    const [row, participation, live] = await Promise.all([
      findState(db, instanceUuid, credential),
      role === "participant" ? findParticipation(db, instanceUuid, user) : undefined,
      findLiveCredentials(db, [claims.credential], new Date(clock.now())),
    ]);
    if (!row || live.size === 0) return "wrong";
    if (role === "owner" && row.owner_uuid !== user) return "wrong";
    if (!activeStates.includes(row.state)) return "ended";
    if (role === "participant" && !participation) return "wrong";
    return {
      instanceUuid,
      user,
      role,
      credential,
      cameAs: row.is_session ? "user" : "token",
      organization: row.organization_uuid,
      ...(participation && { viewOnly: !participation.can_control }),
    };
  };
}
