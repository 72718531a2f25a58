import { createPublicKey, type KeyObject } from "node:crypto";
import { AdbError } from "../errors.ts";

const MODULUS_BYTES = 256;
const MODULUS_WORDS = MODULUS_BYTES / 4;
const STRUCT_BYTES = 12 + 2 * MODULUS_BYTES;
const R = 1n << BigInt(8 * MODULUS_BYTES);
const WORD = 1n << 32n;

/** A key that a host is known by. */
export interface AdbPublicKey {
  key: KeyObject;
  /** `user@host`, said by the host and checked by nobody; empty when it said nothing. */
  comment: string;
}

/**
 * Android's own form of an RSA key of 2048 bits (AOSP libcrypto_utils, android_pubkey.cpp), in base64 with a comment behind
 * it. All little endian; n0inv and rr spare the device the start of a Montgomery multiplication:
 *
 *     0          4                   8         264              520        524
 *     +----------+-------------------+---------+----------------+----------+
 *     | words 64 | n0inv: -1/n mod 2^32 | modulus n | rr: 2^4096 mod n | exponent |
 *     +----------+-------------------+---------+----------------+----------+
 *
 * Throws `AdbError` `INVALID_ARGUMENT` when it is no such key.
 */
export function formatPublicKey({ key, comment }: AdbPublicKey): string {
  const { kty, n = "", e = "" } = key.export({ format: "jwk" });
  const modulus = Buffer.from(n, "base64url");
  if (kty !== "RSA" || modulus.length !== MODULUS_BYTES)
    throw new AdbError("INVALID_ARGUMENT", "adb's keys are RSA keys of 2048 bits");
  const value = toInteger(modulus);
  const struct = Buffer.alloc(STRUCT_BYTES);
  struct.writeUInt32LE(MODULUS_WORDS, 0);
  struct.writeUInt32LE(Number(WORD - inverse(value)), 4);
  struct.set(modulus.toReversed(), 8);
  struct.set(toBytes((R * R) % value).toReversed(), 8 + MODULUS_BYTES);
  struct.writeUInt32LE(Number(toInteger(Buffer.from(e, "base64url"))), 8 + 2 * MODULUS_BYTES);
  // The comment ends with the line.
  return `${struct.toString("base64")} ${comment.replaceAll(/[\0\r\n]/g, "_")}`;
}

/** Undefined when the line is no key of 2048 bits with an exponent that Android makes. A NUL ends it, as adb sends it. */
export function parsePublicKey(line: string): AdbPublicKey | undefined {
  const [, base64 = "", comment = ""] = /^([A-Za-z0-9+/]+=*)(?:[ \t]+([^\0\r\n]*))?[\r\n]*(?:\0.*)?$/s.exec(line) ?? [];
  const struct = Buffer.from(base64, "base64");
  if (struct.length !== STRUCT_BYTES || struct.readUInt32LE(0) !== MODULUS_WORDS) return undefined;
  const modulus = struct.subarray(8, 8 + MODULUS_BYTES).toReversed();
  const exponent = struct.readUInt32LE(8 + 2 * MODULUS_BYTES);
  const isOdd = (modulus.at(-1)! & 1) === 1;
  const isFull = (modulus[0]! & 0x80) !== 0;
  if (!isOdd || !isFull || (exponent !== 3 && exponent !== 65_537)) return undefined;
  const jwk = { kty: "RSA", n: Buffer.from(modulus).toString("base64url"), e: exponent === 3 ? "Aw" : "AQAB" };
  return { key: createPublicKey({ key: jwk, format: "jwk" }), comment };
}

/** The number that, times `odd`, is 1 modulo 2^32: each round of Newton's doubles the bits that are right. */
function inverse(odd: bigint): bigint {
  let result = 1n;
  for (let bits = 1; bits < 32; bits *= 2) result = (result * (2n - odd * result)) & (WORD - 1n);
  return result;
}

const toInteger = (bigEndian: Uint8Array) => BigInt(`0x${Buffer.from(bigEndian).toString("hex")}`);
const toBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(2 * MODULUS_BYTES, "0"), "hex");
