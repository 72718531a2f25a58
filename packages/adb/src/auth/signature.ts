import { constants, type KeyObject, privateEncrypt, publicDecrypt } from "node:crypto";

/** What PKCS #1 (RFC 8017, section 9.2) puts before a SHA-1 hash, to say that it is one. */
const SHA1_PREFIX = Buffer.from("3021300906052b0e03021a05000414", "hex");
const padding = constants.RSA_PKCS1_PADDING;

/**
 * Signs a token as adb does: with `RSA_sign(NID_sha1)`, which takes the token for a hash. So it is not hashed again, and
 * Node's `sign` cannot be used.
 */
export function signToken(key: KeyObject, token: Uint8Array): Uint8Array {
  return privateEncrypt({ key, padding }, Buffer.concat([SHA1_PREFIX, token]));
}

/** Whether `signature` is the key's for this token; false for what is no signature at all. */
export function isSignature(key: KeyObject, token: Uint8Array, signature: Uint8Array): boolean {
  try {
    return publicDecrypt({ key, padding }, signature).equals(Buffer.concat([SHA1_PREFIX, token]));
  } catch {
    return false;
  }
}
