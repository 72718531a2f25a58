import type { Socket } from "socket.io";
import type { Actor } from "./actor.ts";
import type { CredentialCaller, RefusedCredential, Sessions } from "./sessions.ts";

export interface SocketActor extends Actor {
  /** When its token ends; an API token does not. */
  expiresAt: number | undefined;
}

/** Who opens a socket: by the query (`token=Bearer%20...` or bare, `api_token=...`) or by the same names in the auth payload. */
export async function actorOfSocket(
  sessions: Sessions,
  handshake: Socket["handshake"],
  address: string,
): Promise<{ actor?: SocketActor; refused?: RefusedCredential }> {
  const given = { ...handshake.query, ...handshake.auth } as Record<string, unknown>;
  if (typeof given.api_token === "string") return admit(sessions.byApiToken(given.api_token), undefined);
  if (typeof given.token !== "string") return {};
  const caller = await sessions.byToken(given.token.replace(/^Bearer +/i, ""), address);
  return admit(caller, caller.expiresAt);
}

async function admit({ actor, refused }: CredentialCaller, expiresAt: number | undefined) {
  const found = await actor;
  if (!found) return { refused };
  return found.hasAcceptedTerms ? { actor: { ...found, expiresAt } } : {};
}
