import { AppError, type NewCredential, type UsedCredential } from "@terrarium/contract";
import type { PasskeyChallenges, Purpose } from "./challenges.ts";
import type { PasskeyRow } from "./passkeys.store.ts";
import type { RelyingParty } from "./relying-party.ts";

/** EdDSA, ES256 and RS256 (RFC 9053, RFC 8812): what authenticators have. */
export const ALGORITHMS = [-8, -7, -257];

/** The library takes some 25 MB and a tenth of a second to load, so that only those pay for it who use it. */
const library = () => import("@simplewebauthn/server");

/** What is not as it must be. The library throws plain errors, whose messages are for the log. */
const refused = (cause: unknown) =>
  new AppError("PASSKEY_REFUSED", { cause, facts: { reason: cause instanceof Error ? cause.message : cause } });

/**
 * The challenge that a browser has answered, which is taken by it: a second answer is refused.
 * @throws AppError PASSKEY_REFUSED
 */
export async function takeChallenge(
  challenges: PasskeyChallenges,
  { response: { clientDataJSON } }: Pick<NewCredential | UsedCredential, "response">,
  purpose: Purpose,
): Promise<string> {
  const { challenge, crossOrigin } = readClientData(clientDataJSON);
  // In a frame of somebody else's page, which might cover what is asked.
  if (crossOrigin === true) throw refused("a frame of another origin");
  if (typeof challenge !== "string" || !(await challenges.take(challenge, purpose))) throw refused("the challenge");
  return challenge;
}

function readClientData(base64url: string): { challenge?: unknown; crossOrigin?: unknown } {
  try {
    return Object(JSON.parse(Buffer.from(base64url, "base64url").toString()));
  } catch (error) {
    throw refused(error);
  }
}

/** A passkey as its authenticator has made it. */
export type MadePasskey = Pick<PasskeyRow, "credential_id" | "public_key" | "counter" | "transports" | "is_synced">;

/**
 * Reads the passkey that a browser has made, for our page, with its owner verified.
 * @throws AppError PASSKEY_REFUSED
 */
export async function readNewPasskey(
  challenges: PasskeyChallenges,
  party: RelyingParty,
  credential: NewCredential,
  purpose: Purpose,
): Promise<MadePasskey> {
  const expectedChallenge = await takeChallenge(challenges, credential, purpose);
  const { verifyRegistrationResponse } = await library();
  try {
    await refuseCertificates(credential);
    const { registrationInfo: made } = await verifyRegistrationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!made) throw new Error("the attestation");
    return {
      credential_id: Buffer.from(made.credential.id, "base64url"),
      public_key: Buffer.from(made.credential.publicKey),
      counter: made.credential.counter,
      transports: credential.response.transports,
      is_synced: made.credentialBackedUp,
    };
  } catch (error) {
    throw refused(error);
  }
}

/**
 * We ask for no attestation, so that browsers send none, or one that the key has signed itself. The library would verify others too, and
 * fetch revocation lists from wherever their certificates say.
 */
async function refuseCertificates({ response }: NewCredential): Promise<void> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, "base64url")));
  const format = attestation.get("fmt");
  const isOwn = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  if (format !== "none" && !isOwn) throw new Error("the attestation has certificates");
}

/**
 * Checks what a passkey has signed: our challenge, on our page, with its owner verified, and no count that was there before, as a
 * copy of the key would have it. Returns what is new about it.
 * @param challenge one that was taken
 * @throws AppError PASSKEY_REFUSED
 */
export async function verifyUse(
  party: RelyingParty,
  { credential_id, public_key, counter, user_uuid }: PasskeyRow,
  credential: UsedCredential,
  expectedChallenge: string,
): Promise<Pick<PasskeyRow, "counter" | "is_synced">> {
  const { verifyAuthenticationResponse } = await library();
  try {
    if (credential.response.userHandle !== userHandleOf(user_uuid)) throw new Error("the user handle");
    const { verified, authenticationInfo: used } = await verifyAuthenticationResponse({
      response: { ...credential, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id: credential_id.toString("base64url"), publicKey: new Uint8Array(public_key), counter },
    });
    if (!verified) throw new Error("the signature");
    return { counter: used.newCounter, is_synced: used.credentialBackedUp };
  } catch (error) {
    throw refused(error);
  }
}

/** What authenticators know a user by. It says nothing of the person. */
export const userHandleOf = (uuid: string): string =>
  Buffer.from(uuid.replaceAll("-", ""), "hex").toString("base64url");
