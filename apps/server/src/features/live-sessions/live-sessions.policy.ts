import { AppError } from "@terrarium/contract";
import type { Actor } from "../sessions/actor.ts";

interface Session {
  owner_uuid: string;
  instance_organization_uuid: string;
  participants: readonly { user_uuid: string }[];
}

/**
 * The owner of the device may do everything with its session, participants may see it and leave. Members of the device's organization learn that
 * they are not in it; to everybody else there is none.
 * @throws AppError LIVE_SESSION_NOT_FOUND, LIVE_SESSION_NOT_ALLOWED, LIVE_SESSION_NOT_OWNED
 */
export function checkSession<Row extends Session>(
  actor: Actor,
  right: "see" | "change",
  session: Row | undefined,
): asserts session is Row {
  if (!session) throw new AppError("LIVE_SESSION_NOT_FOUND");
  if (session.owner_uuid === actor.uuid) return;
  if (!session.participants.some(({ user_uuid }) => user_uuid === actor.uuid)) {
    const isColleague = session.instance_organization_uuid === actor.organization;
    throw new AppError(isColleague ? "LIVE_SESSION_NOT_ALLOWED" : "LIVE_SESSION_NOT_FOUND");
  }
  if (right === "change") throw new AppError("LIVE_SESSION_NOT_OWNED");
}
