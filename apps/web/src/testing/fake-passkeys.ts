import { onTestFinished, vi } from "vitest";

const bytes = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
const common = { id: "AQID", rawId: bytes("\u0001\u0002\u0003"), type: "public-key" };

/** What a browser gives to a page that has it make a passkey. */
export const aMadePasskey = () => ({
  ...common,
  response: { clientDataJSON: bytes("made"), attestationObject: bytes("key"), getTransports: () => ["internal"] },
  getClientExtensionResults: () => ({}),
});

/** ... and use one. */
export const aUsedPasskey = () => ({
  ...common,
  response: {
    clientDataJSON: bytes("used"),
    authenticatorData: bytes("data"),
    signature: bytes("signature"),
    userHandle: bytes("robin"),
  },
  getClientExtensionResults: () => ({}),
});

export const browserSays = (name: string) => () => Promise.reject(new DOMException("", name));

interface Behaviour {
  create?: (options: CredentialCreationOptions) => unknown;
  /** When the page asks for a passkey. */
  get?: (options: CredentialRequestOptions) => unknown;
  /** When it offers passkeys in what is filled in; without it the browser cannot. */
  fill?: (options: CredentialRequestOptions) => unknown;
}

/** Answers in place of the browser and its authenticators for one test. */
export function fakePasskeys({ create, get, fill }: Behaviour) {
  const asked: PublicKeyCredentialCreationOptions[] = [];
  vi.spyOn(PublicKeyCredential, "isConditionalMediationAvailable").mockResolvedValue(fill !== undefined);
  vi.spyOn(navigator.credentials, "create").mockImplementation(async (options = {}) => {
    if (options.publicKey) asked.push(options.publicKey);
    return create?.(options) as Credential;
  });
  vi.spyOn(navigator.credentials, "get").mockImplementation(
    async (options = {}) => (options.mediation === "conditional" ? fill : get)?.(options) as Credential,
  );
  onTestFinished(() => void vi.restoreAllMocks());
  return { asked };
}

/** Nobody chooses, until the page asks for something else. */
export const nobodyChooses = ({ signal }: CredentialRequestOptions): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError"))));
