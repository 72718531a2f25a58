import { z } from "zod";
import { ByUuid, GivenUuid, Name, Time, Uuid } from "./fields.ts";
import { tag } from "./openapi-tags.ts";
import { Proof, proofFails } from "./proof.ts";
import { routes } from "./routes.ts";
import { RecoveryCodes, Ticket } from "./second-factor.ts";
import { BegunSession, BrowserToken } from "./users.ts";

export const Passkey = z.object({
  uuid: Uuid,
  name: z.string(),
  created_at: Time,
  last_used_at: Time.nullable(),
  is_synced: z.boolean().meta({
    description: "Whether it is backed up, as by a password manager; otherwise it is on one device only",
  }),
  works_here: z.boolean().meta({
    description: "False if it was made when the service had another host name, for which browsers keep it",
  }),
});
export type Passkey = z.infer<typeof Passkey>;

const Bytes = z.string().meta({ description: "base64url" });
/** Bytes in base64url, of a browser. */
const Given = (max: number) =>
  z
    .string()
    .regex(/^[\w-]*$/, "Must be base64url")
    .max(max);

const Descriptor = z.object({ id: Bytes, type: z.literal("public-key"), transports: z.array(z.string()) });

/** `PublicKeyCredentialCreationOptionsJSON` of Web Authentication, level 3. */
const CreationOptions = z.object({
  challenge: Bytes,
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: Bytes, name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
  timeout: z.int().meta({ description: "Milliseconds" }),
  excludeCredentials: z.array(Descriptor),
  authenticatorSelection: z.object({
    residentKey: z.literal("required"),
    requireResidentKey: z.literal(true),
    userVerification: z.literal("required"),
  }),
  attestation: z.literal("none"),
});

/** `PublicKeyCredentialRequestOptionsJSON`. */
export const PasskeyRequest = z.object({
  challenge: Bytes,
  rpId: z.string(),
  timeout: z.int().meta({ description: "Milliseconds" }),
  userVerification: z.literal("required"),
});

const credentialOf = <Response extends z.ZodType>(response: Response) =>
  z.object({ id: Given(1400), rawId: Given(1400), type: z.literal("public-key"), response });

/** `RegistrationResponseJSON`, as far as it is used. */
export const NewCredential = credentialOf(
  z.object({
    clientDataJSON: Given(8192),
    attestationObject: Given(32_768),
    transports: z
      .array(
        z
          .string()
          .regex(/^[\w-]+$/, "Must be the name of a transport")
          .max(50),
      )
      .max(10)
      .default([]),
  }),
);
export type NewCredential = z.infer<typeof NewCredential>;

/** `AuthenticationResponseJSON`, as far as it is used. */
export const UsedCredential = credentialOf(
  z.object({
    clientDataJSON: Given(8192),
    authenticatorData: Given(8192),
    signature: Given(8192),
    userHandle: Given(100).optional(),
  }),
);
export type UsedCredential = z.infer<typeof UsedCredential>;

const OfOne = ByUuid.extend({ passkey: GivenUuid });

export const passkeysTag = tag("Your account", "Passkeys", "Signing in without a password, or after it.");

export const passkeys = routes({
  list: {
    method: "GET",
    path: "/v1/users/:uuid/passkeys",
    summary: "Your passkeys",
    access: "signed-in",
    scope: "admin",
    params: ByUuid,
    reply: z.object({
      passkeys: z.array(Passkey),
      suggested_name: z.string().meta({ description: "For one that is made in this browser" }),
    }),
    fails: ["FORBIDDEN", "USER_NOT_FOUND"],
  },
  addOptions: {
    method: "POST",
    path: "/v1/users/:uuid/passkeys/options",
    summary: "Begin to add a passkey, with your password: what to hand to `navigator.credentials.create`",
    access: "signed-in",
    audit: { none: "it makes a challenge, which is not stored" },
    ownPagesOnly: true,
    params: ByUuid,
    body: Proof,
    reply: CreationOptions,
    fails: [...proofFails, "USER_NOT_FOUND", "PASSKEYS_NOT_AVAILABLE", "TOO_MANY_PASSKEYS"],
  },
  add: {
    method: "POST",
    path: "/v1/users/:uuid/passkeys",
    summary: "Add the passkey that a browser has made. The first second factor comes with recovery codes",
    access: "signed-in",
    audit: ["passkey.add"],
    params: ByUuid,
    body: z.object({ name: Name, credential: NewCredential }),
    status: 201,
    reply: Passkey.extend(RecoveryCodes.shape),
    fails: [
      "FORBIDDEN",
      "USER_NOT_FOUND",
      "PASSKEYS_NOT_AVAILABLE",
      "TOO_MANY_PASSKEYS",
      "PASSKEY_REFUSED",
      "PASSKEY_EXISTS",
    ],
  },
  rename: {
    method: "PATCH",
    path: "/v1/users/:uuid/passkeys/:passkey",
    summary: "Rename a passkey",
    access: "signed-in",
    audit: ["passkey.rename"],
    params: OfOne,
    body: z.object({ name: Name }),
    reply: Passkey,
    fails: ["FORBIDDEN", "USER_NOT_FOUND", "PASSKEY_NOT_FOUND"],
  },
  remove: {
    method: "DELETE",
    path: "/v1/users/:uuid/passkeys/:passkey",
    summary: "Remove a passkey, with your password: nobody can sign in with it any more",
    access: "signed-in",
    audit: ["passkey.remove"],
    ownPagesOnly: true,
    params: OfOne,
    body: Proof,
    status: 204,
    fails: [...proofFails, "USER_NOT_FOUND", "PASSKEY_NOT_FOUND", "LAST_SECOND_FACTOR", "LAST_WAY_TO_SIGN_IN"],
  },
  signInOptions: {
    method: "POST",
    path: "/v1/passkeys/options",
    summary:
      "Begin to sign in with a passkey: what to hand to `navigator.credentials.get`. It can be used for five minutes",
    access: "public",
    audit: { none: "it makes a challenge, which is not stored" },
    ownPagesOnly: true,
    reply: PasskeyRequest,
    fails: ["PASSKEYS_NOT_AVAILABLE"],
  },
  signIn: {
    method: "POST",
    path: "/v1/passkeys/login",
    summary: "Sign in with a passkey, which is all that it takes",
    access: "public",
    audit: ["session.open"],
    ownPagesOnly: true,
    body: z.object({ credential: UsedCredential, browser_token: BrowserToken }),
    reply: BegunSession,
    fails: [
      "SIGN_IN_NOT_ALLOWED",
      "PASSKEYS_NOT_AVAILABLE",
      "PASSKEY_UNKNOWN",
      "PASSKEY_REFUSED",
      "USER_NOT_ENABLED",
      "BAD_USERNAME_PASSWORD",
      "TOO_MANY_REQUESTS",
    ],
  },
  confirmOptions: {
    method: "POST",
    path: "/v1/users/login/second-factor/passkey/options",
    summary:
      "Begin to confirm a sign-in that was answered with SECOND_FACTOR_REQUIRED: what to hand to `navigator.credentials.get`",
    access: "public",
    audit: { none: "it makes a challenge, which is not stored" },
    ownPagesOnly: true,
    body: z.object({ ticket: Ticket }),
    reply: PasskeyRequest.extend({ allowCredentials: z.array(Descriptor) }),
    fails: ["SECOND_FACTOR_EXPIRED", "PASSKEYS_NOT_AVAILABLE"],
  },
  confirm: {
    method: "POST",
    path: "/v1/users/login/second-factor/passkey",
    summary: "Confirm it with a passkey, which begins the session",
    access: "public",
    audit: ["second_factor.use", "session.open"],
    ownPagesOnly: true,
    body: z.object({ ticket: Ticket, credential: UsedCredential, browser_token: BrowserToken }),
    reply: BegunSession,
    fails: [
      "SIGN_IN_NOT_ALLOWED",
      "PASSKEYS_NOT_AVAILABLE",
      "SECOND_FACTOR_EXPIRED",
      "PASSKEY_UNKNOWN",
      "PASSKEY_REFUSED",
      "TOO_MANY_REQUESTS",
    ],
  },
  requiredOptions: {
    method: "POST",
    path: "/v1/users/login/second-factor/passkey/begin",
    summary:
      "Begin to add a passkey after a sign-in that was answered with SECOND_FACTOR_SETUP_REQUIRED: what to hand to `navigator.credentials.create`",
    access: "public",
    audit: { none: "it makes a challenge, which is not stored" },
    ownPagesOnly: true,
    body: z.object({ ticket: Ticket }),
    reply: CreationOptions,
    fails: ["SECOND_FACTOR_EXPIRED", "PASSKEYS_NOT_AVAILABLE", "TOO_MANY_PASSKEYS"],
  },
  addRequired: {
    method: "POST",
    path: "/v1/users/login/second-factor/passkey/add",
    summary: "Add the passkey that a browser has made, which begins the session",
    access: "public",
    audit: ["passkey.add", "session.open"],
    ownPagesOnly: true,
    body: z.object({ ticket: Ticket, credential: NewCredential, browser_token: BrowserToken }),
    reply: BegunSession.extend(RecoveryCodes.shape),
    fails: [
      "SIGN_IN_NOT_ALLOWED",
      "SECOND_FACTOR_EXPIRED",
      "PASSKEYS_NOT_AVAILABLE",
      "TOO_MANY_PASSKEYS",
      "PASSKEY_REFUSED",
      "PASSKEY_EXISTS",
      "TOO_MANY_REQUESTS",
    ],
  },
});
