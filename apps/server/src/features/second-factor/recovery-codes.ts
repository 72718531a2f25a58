import { hash, randomBytes } from "node:crypto";
import { base32 } from "./totp.ts";

/** How many somebody gets at once. */
const RECOVERY_CODES = 10;

/** 80 bits, so that storing a plain hash is safe. */
const CODE_BYTES = 10;

/** New codes, as they are shown: `abcd-efgh-ijkl-mnop`. They have no 0, 1, 8 or 9, which look like letters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    (base32(randomBytes(CODE_BYTES)).toLowerCase().match(/.{4}/g) ?? []).join("-"),
  );

/** The stored hash of a code, however it was typed: in capitals, or with spaces in place of its hyphens. */
export const hashRecoveryCode = (typed: string): Buffer =>
  hash("sha256", typed.toLowerCase().replaceAll(/[^a-z2-7]/g, ""), "buffer");
