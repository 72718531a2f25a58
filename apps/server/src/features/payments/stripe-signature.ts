import { createHmac, timingSafeEqual } from "node:crypto";

/** How old an event may be, as Stripe recommends: long enough for slow networks, too short to replay one. */
const TOLERANCE_S = 5 * 60;

/**
 * Whether Stripe has signed these bytes now. The header is `t=1700000000,v1=…`, with one `v1` for each secret while it is rolled.
 * https://docs.stripe.com/webhooks#verify-manually
 */
export function isSignedByStripe(
  body: Uint8Array,
  header: string | undefined,
  { secret, now }: { secret: string; now: number },
): boolean {
  const parts = (header ?? "").split(",").map((part) => part.trim().split("="));
  const time = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^\d{1,12}$/.test(time) || Math.abs(now / 1000 - Number(time)) > TOLERANCE_S) return false;
  const expected = createHmac("sha256", secret).update(`${time}.`).update(body).digest();
  return parts.some(([name, value]) => {
    const given = name === "v1" && /^[\da-f]{64}$/.test(value ?? "") ? Buffer.from(value ?? "", "hex") : undefined;
    return given !== undefined && timingSafeEqual(given, expected);
  });
}
