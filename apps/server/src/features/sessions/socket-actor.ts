import type { Socket } from "socket.io";
import type { Actor } from "./actor.ts";
import type { Sessions } from "./sessions.ts";

export interface SocketActor extends Actor {
  /** When its token ends; an API token does not. */
  expiresAt: number | undefined;
}

/** Who opens a socket: by the query (`token=Bearer%20...` or bare, `api_token=...`) or by the same names in the auth payload. */
export async function actorOfSocket(
  sessions: Sessions,
  handshake: Socket["handshake"],
): Promise<SocketActor | undefined> {
  const given = { ...handshake.query, ...handshake.auth } as Record<string, unknown>;
  if (typeof given.api_token === "string") return admitted(await sessions.byApiToken(given.api_token).actor, undefined);
  if (typeof given.token !== "string") return undefined;
  const { actor, expiresAt } = await sessions.byToken(given.token.replace(/^Bearer +/i, ""));
  return admitted(await actor, expiresAt);
}

const admitted = (actor: Actor | undefined, expiresAt: number | undefined): SocketActor | undefined =>
  actor?.hasAcceptedTerms ? { ...actor, expiresAt } : undefined;
