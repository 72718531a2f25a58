import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { formatPublicKey } from "./public-key.ts";
import { signToken } from "./signature.ts";

/** The key by which devices know a host: an RSA key of 2048 bits, as in the `adbkey` of the stock adb. */
export class AdbKey {
  /** What the device is shown, and stores when its user accepts it: one line of Android's `adb_keys`. */
  readonly publicKey: string;
  readonly #key: KeyObject;

  /**
   * @param pem PKCS #8, as adb stores it
   * @param comment `user@host`, shown to who is asked to accept the key Throws `AdbError` `INVALID_ARGUMENT` for a key of another kind, or
   * what `createPrivateKey` throws.
   */
  constructor(pem: string, comment: string) {
    this.#key = createPrivateKey(pem);
    this.publicKey = formatPublicKey({ key: createPublicKey(this.#key), comment });
  }

  /** A new key as PEM, to be stored where only its owner can read it. */
  static async generatePem(): Promise<string> {
    const { privateKey } = await promisify(generateKeyPair)("rsa", {
      modulusLength: 2048,
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    return privateKey;
  }

  sign(token: Uint8Array): Uint8Array {
    return signToken(this.#key, token);
  }
}
