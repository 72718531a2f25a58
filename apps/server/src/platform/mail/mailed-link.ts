import { hash, randomBytes } from "node:crypto";

const KEY_BYTES = 32;

/** What makes a mailed link its reader's own: 256 random bits, of which only the hash is stored. */
export function newLinkKey(): { key: string; hash: Buffer } {
  const key = randomBytes(KEY_BYTES).toString("base64url");
  return { key, hash: hashLinkKey(key) };
}

/** The key has enough random bits for a plain hash. */
export const hashLinkKey = (key: string): Buffer => hash("sha256", key, "buffer");
