import type { Answer, NewCredential, passkeys, UsedCredential } from "@terrarium/contract";
import { createPrivateKey, generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from "node:crypto";
import { attestationCertificate } from "./attestation-certificate.ts";

type Creation = Pick<Answer<typeof passkeys.addOptions>, "challenge" | "rp" | "user">;
type Request = Pick<Answer<typeof passkeys.signInOptions>, "challenge" | "rpId">;

/** Flags of authenticator data (Web Authentication, section 6.1). */
const [PRESENT, VERIFIED, CAN_BACK_UP, IS_BACKED_UP, HAS_CREDENTIAL] = [0x01, 0x04, 0x08, 0x10, 0x40];

/** How an authenticator and its browser behave; by default as they should. */
interface Behaviour {
  /** Of the page. */
  origin: string;
  isVerified: boolean;
  isSynced: boolean;
  isFramed: boolean;
  /** Whether the vendor's certificate comes with a passkey that it makes, though nobody asked. */
  hasCertificate: boolean;
}

interface Key {
  id: Buffer;
  privateKey: KeyObject;
  userHandle: string;
}

/** A browser with an authenticator that has one passkey at most (Web Authentication, level 3; ES256). */
export class SoftwareAuthenticator {
  readonly behaviour: Behaviour;
  /** What it said when it was last used. */
  counter = 0;
  #key: Key | undefined;

  constructor(origin: string) {
    this.behaviour = { origin, isVerified: true, isSynced: false, isFramed: false, hasCertificate: false };
  }

  make({ challenge, rp, user }: Creation): NewCredential {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const id = randomBytes(16);
    this.#key = { id, privateKey, userHandle: user.id };
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const length = Buffer.from([0, id.length]);
    const data = this.#data(rp.id, HAS_CREDENTIAL, [Buffer.alloc(16), length, id, coseKey(x, y)]);
    const clientData = this.#clientData("webauthn.create", challenge);
    const { hasCertificate } = this.behaviour;
    const attestation = cborMap([
      [cborText("fmt"), cborText(hasCertificate ? "packed" : "none")],
      [cborText("attStmt"), hasCertificate ? packedStatement(signedOf(data, clientData)) : cborMap([])],
      [cborText("authData"), cborBytes(data)],
    ]);
    return {
      ...namesOf(id),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  use({ challenge, rpId }: Request): UsedCredential {
    if (!this.#key) throw new Error("it has no passkey");
    const { id, privateKey, userHandle } = this.#key;
    const clientData = this.#clientData("webauthn.get", challenge);
    const data = this.#data(rpId);
    const signature = sign("sha256", signedOf(data, clientData), privateKey);
    return {
      ...namesOf(id),
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
        userHandle,
      },
    };
  }

  #clientData(type: string, challenge: string): Buffer {
    const { origin, isFramed: crossOrigin } = this.behaviour;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
  }

  #data(rpId: string, more = 0, credential: Buffer[] = []): Buffer {
    const { isVerified, isSynced } = this.behaviour;
    const flags = PRESENT | (isVerified ? VERIFIED : 0) | (isSynced ? CAN_BACK_UP | IS_BACKED_UP : 0) | more;
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags);
    rest.writeUInt32BE(this.counter, 1);
    return Buffer.concat([hash("sha256", rpId, "buffer"), rest, ...credential]);
  }
}

const signedOf = (data: Buffer, clientData: Buffer) => Buffer.concat([data, hash("sha256", clientData, "buffer")]);

const namesOf = (id: Buffer) => {
  const name = id.toString("base64url");
  return { id: name, rawId: name, type: "public-key" } as const;
};

/** Numbers of CBOR (RFC 8949) are a type and a value, which has a byte of its own from 24 on. */
const cborHead = (type: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(type << 5) | value]);
  return value < 256
    ? Buffer.from([(type << 5) | 24, value])
    : Buffer.from([(type << 5) | 25, value >> 8, value & 255]);
};
const cborNumber = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborList = (items: Buffer[]) => Buffer.concat([cborHead(4, items.length), ...items]);
const cborMap = (entries: (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);

/** A key for ES256 (RFC 9053): its kind, its algorithm, its curve and its point. */
const coseKey = (x: string, y: string): Buffer =>
  cborMap([
    [cborNumber(1), cborNumber(2)],
    [cborNumber(3), cborNumber(-7)],
    [cborNumber(-1), cborNumber(1)],
    [cborNumber(-2), cborBytes(Buffer.from(x, "base64url"))],
    [cborNumber(-3), cborBytes(Buffer.from(y, "base64url"))],
  ]);

/** The statement of a `packed` attestation (Web Authentication, section 8.2). */
function packedStatement(signed: Buffer): Buffer {
  const { certificate, key } = attestationCertificate;
  const privateKey = createPrivateKey({ key: Buffer.from(key, "base64"), format: "der", type: "pkcs8" });
  return cborMap([
    [cborText("alg"), cborNumber(-7)],
    [cborText("sig"), cborBytes(sign("sha256", signed, privateKey))],
    [cborText("x5c"), cborList([cborBytes(Buffer.from(certificate, "base64"))])],
  ]);
}
