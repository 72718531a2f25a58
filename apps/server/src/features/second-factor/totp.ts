import type { Clock } from "@terrarium/clock";
import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_MS = 30_000;
const DIGITS = 6;
/** Codes of the step before and the step after work too: clocks of phones are not exact, and typing takes time. */
const STEPS_AROUND = [0, -1, 1] as const;

/** 160 bits, as RFC 4226 recommends, and the size that every authenticator app accepts. */
export const TOTP_SECRET_BYTES = 20;

/** The step of a time. */
export const stepAt = (now: number): number => Math.floor(now / STEP_MS);

/** The code of a step: HOTP with the number of the step as its counter (RFC 4226, section 5.3). */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** What time it is for an authenticator app, which knows nothing of how far an operator has moved the service's clock. */
export const appNow = (clock: Clock): number => clock.now() - (clock.movedMs?.() ?? 0);

/**
 * The step that a code of RFC 6238 belongs to; undefined if the code does not work. It works during its step, one step before and one after,
 * and only once: not if it or a later one was used, so that nobody can use a code that they have seen somebody type.
 * @param lastUsed the step of the last code that was used
 */
export function totpStep(secret: Uint8Array, code: string, now: number, lastUsed: number | null): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined;
  const present = stepAt(now);
  return STEPS_AROUND.map((offset) => present + offset).find(
    (step) => step > (lastUsed ?? -1) && timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)),
  );
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base 32 of RFC 4648 without padding, as authenticator apps expect it. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** The bytes of what `base32` wrote. */
export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What the QR code contains: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export function otpauthUrl(secret: Uint8Array, account: string): string {
  const label = `Terrarium:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=Terrarium`;
}
