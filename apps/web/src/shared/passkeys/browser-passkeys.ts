import type { Contract, NewCredential, PublicSettings, Reply, UsedCredential } from "@terrarium/contract";

/** Loaded when somebody adds or uses a passkey. */
const library = () => import("@simplewebauthn/browser");

/** Why passkeys cannot be used on this page; undefined if they can. */
export function whyNoPasskeys({ passkeys_at: at }: Pick<PublicSettings, "passkeys_at">) {
  if (at === null) return "none";
  if (!isSecureContext) return "insecure";
  if (location.origin !== at) return "elsewhere";
  return "PublicKeyCredential" in globalThis ? undefined : "browser";
}

/** Has the browser make a passkey, unless the signal aborts. Rejects with what `troubleOf` names. */
export async function makePasskey(
  optionsJSON: Reply<Contract["passkeys"]["addOptions"]>,
  stop: AbortSignal,
): Promise<NewCredential> {
  const { startRegistration, WebAuthnAbortService } = await library();
  stop.throwIfAborted();
  stop.addEventListener("abort", () => WebAuthnAbortService.cancelCeremony(), { once: true });
  const { id, rawId, response } = await startRegistration({ optionsJSON });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, rawId, type: "public-key", response: { clientDataJSON, attestationObject, transports } };
}

type Request = Reply<Contract["passkeys"]["signInOptions"]>;

/** Has somebody choose a passkey and use it. Rejects with what `troubleOf` names. */
export async function askForPasskey(optionsJSON: Request, useBrowserAutofill = false): Promise<UsedCredential> {
  const { startAuthentication } = await library();
  const { id, rawId, response } = await startAuthentication({ optionsJSON, useBrowserAutofill });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, rawId, type: "public-key", response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

/** The part of a challenge's life after which it is replaced, so that who chooses late has time to. */
const FRESH = 0.8;

/**
 * Offers passkeys among what the browser fills in, where it can; a page may be open for long, so it asks the service again now and then.
 * Resolves with the one that somebody has chosen; never if nobody does.
 */
export async function offerInAutofill(ask: () => Promise<Request>, stop: AbortSignal): Promise<UsedCredential> {
  const { browserSupportsWebAuthnAutofill, WebAuthnAbortService } = await library();
  const cancel = () => WebAuthnAbortService.cancelCeremony();
  stop.addEventListener("abort", cancel);
  while (!stop.aborted && (await browserSupportsWebAuthnAutofill())) {
    const options = await ask();
    if (stop.aborted) break;
    const timer = setTimeout(cancel, options.timeout * FRESH);
    try {
      return await askForPasskey(options, true);
    } catch (error) {
      if (!isAborted(error)) throw error;
    } finally {
      clearTimeout(timer);
    }
  }
  return new Promise(() => undefined);
}

const isAborted = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

/** Tells the browser that a passkey is good for nothing any more, so that it is not offered again. Not every browser listens. */
export async function forgetPasskey({ id }: UsedCredential): Promise<void> {
  const { sendSignal } = await library();
  await sendSignal({ signalName: "unknownCredential", rpID: location.hostname, credentialID: id }).catch(
    () => undefined,
  );
}

/** What a browser says by the name of its error (Web Authentication, sections 5.1.3 and 5.1.4); undefined for anything else. */
export function troubleOf(error: unknown): "cancelled" | "known" | "impossible" | undefined {
  const { name } = error instanceof Error ? error : { name: "" };
  if (name === "NotAllowedError" || name === "AbortError") return "cancelled";
  if (name === "InvalidStateError") return "known";
  return name === "ConstraintError" || name === "NotSupportedError" ? "impossible" : undefined;
}
