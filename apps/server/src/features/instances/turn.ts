import type { IceServer } from "@terrarium/contract";
import { createHmac } from "node:crypto";

/** TURN servers that share a secret with this service. */
export interface TurnSettings {
  urls: string[];
  secret: string;
}

/** A relay that runs stays after that; a new one needs new credentials, which come with the next access token. */
const TURN_MS = 10 * 60 * 1000;

/**
 * What somebody needs to have their video relayed in the next ten minutes: the name ends with who they are, for the relay's log, and begins with
 * when it ends, in seconds, as coturn's `use-auth-secret` reads it.
 */
export function iceServersFor({ urls, secret }: TurnSettings, user: string, now: number): IceServer[] {
  const username = `${Math.floor((now + TURN_MS) / 1000)}:${user}`;
  return [{ urls, username, credential: createHmac("sha1", secret).update(username).digest("base64") }];
}
