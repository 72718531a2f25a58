import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
const SECRET_BYTES = 32;

/** A new secret: the bytes that sign, and how they are shown and pasted into the receiver's settings. */
export function newSecret(): { key: Buffer; shown: string } {
  const key = randomBytes(SECRET_BYTES);
  return { key, shown: PREFIX + key.toString("base64") };
}

/**
 * The headers by which a receiver knows that a message is ours, and when it was sent (Standard Webhooks, symmetric): each key signs
 * `id.timestamp.body`. A receiver that knows one of the keys accepts it.
 * @param at the time of this attempt
 */
export function signedHeaders(id: string, at: Date, body: string, keys: readonly Buffer[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
