import { activeStates } from "@terrarium/contract";
import type { Database } from "../../platform/db/database.ts";
import type { AccessTokens } from "./access-tokens.ts";

export interface DisplayGrant {
  instanceUuid: string;
  user: string;
  role: "owner" | "participant";
  /** The session or API token it was asked for with. */
  credential: string;
}

/** Reads the token of a display; what it grants is looked up again, so that a right lost since counts at once. */
export function displayAccess(
  db: Database,
  tokens: AccessTokens,
): (token: string) => Promise<DisplayGrant | "wrong" | "expired"> {
  return async (token) => {
    const claims = await tokens.read(token);
    if (claims === "expired") return "expired";
    if (!claims) return "wrong";
    const row = await db
      .selectFrom("instances")
      .innerJoin("users", "users.uuid", "instances.owner_uuid")
      .select(["instances.state", "users.uuid as owner", "users.is_enabled"])
      .where("instances.uuid", "=", claims.instance)
      .where((where) =>
        where.or([
          where.exists(
            where
              .selectFrom("sessions")
              .where("uuid", "=", claims.credential)
              .where("ended_at", "is", null)
              .select("uuid"),
          ),
          where.exists(where.selectFrom("api_tokens").where("uuid", "=", claims.credential).select("uuid")),
        ]),
      )
      .executeTakeFirst();
    const isActive = (activeStates as readonly string[]).includes(row?.state ?? "");
    if (!row?.is_enabled || row.owner !== claims.user || !isActive) return "wrong";
    const { instance: instanceUuid, user, role, credential } = claims;
    return { instanceUuid, user, role, credential };
  };
}
