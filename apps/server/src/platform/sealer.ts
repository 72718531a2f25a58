import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { QueryExecutorProvider } from "kysely";
import { secretFor } from "./secrets.ts";

const CIPHER = "aes-256-gcm";
/** The first byte of what is sealed. Another cipher or key would get another one. */
const VERSION = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts small secrets that the database stores and the service needs in plain text again, unlike passwords, of which hashes are enough.
 * What is sealed for one purpose cannot be opened for another, nor in the row of another owner. The installation's key is in the same
 * database, in a table of its own: who gets to read other tables, or a dump of them, gets no secrets.
 *
 * ```
 * | version, 1 byte | nonce, 12 bytes | tag, 16 bytes | ciphertext, as long as the plain text |
 * ```
 */
export class Sealer {
  readonly #key: Uint8Array;

  /**
   * @param secret a random key of the installation
   * @param purpose what is sealed: each gets a key of its own (HKDF, RFC 5869)
   */
  constructor(secret: Uint8Array, purpose: string) {
    this.#key = new Uint8Array(hkdfSync("sha256", secret, "", `terrarium sealer: ${purpose}`, 32));
  }

  /** @param owner the identifier of the row that it is stored in */
  seal(plain: Uint8Array, owner: string): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(owner));
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), sealed]);
  }

  /** @throws Error if it was not sealed for this purpose and owner by this installation */
  open(sealed: Uint8Array, owner: string): Buffer {
    const at = 1 + IV_BYTES;
    if (sealed[0] !== VERSION || sealed.length < at + TAG_BYTES) throw new Error("This was not sealed here");
    const decipher = createDecipheriv(CIPHER, this.#key, sealed.subarray(1, at), { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(owner))
      .setAuthTag(sealed.subarray(at, at + TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(at + TAG_BYTES)), decipher.final()]);
  }
}

/** The sealer of an installation, the same in all its processes. */
export const sealerFor = async (db: QueryExecutorProvider, purpose: string): Promise<Sealer> =>
  new Sealer(await secretFor(db, "sealer"), purpose);
