import { AppError, Email, type ErrorCode, users } from "@terrarium/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { actorOfRequest } from "../sessions/admitted.ts";
import type { RefusedCredential } from "../sessions/sessions.ts";
import { findOwnerOfSession, findUserByName } from "./audit.store.ts";
import { byCaller } from "./by.ts";
import type { Refusal, Refusals } from "./refusals.ts";

/** Codes of refusals that matter to security, besides that of a credential that is not valid. */
const refusalCodes: ReadonlySet<ErrorCode> = new Set([
  "BAD_USERNAME_PASSWORD",
  "USER_NOT_ENABLED",
  "SIGN_IN_NOT_ALLOWED",
  "SECOND_FACTOR_REQUIRED",
  "SECOND_FACTOR_SETUP_REQUIRED",
  "SECOND_FACTOR_WRONG",
  "SECOND_FACTOR_EXPIRED",
  "BOT_CHECK_FAILED",
  "TOO_MANY_REQUESTS",
  "ORIGIN_NOT_ALLOWED",
  "LINK_EXPIRED",
  "ACTIVATION_LINK_INVALID",
  "PASSKEY_UNKNOWN",
  "PASSKEY_REFUSED",
  "SSO_STATE_INVALID",
  "SSO_FAILED",
  "SSO_EMAIL_NOT_VERIFIED",
  "SSO_ACCOUNT_EXISTS",
  "FORBIDDEN",
  "API_TOKEN_NOT_SCOPED",
  "INSTANCE_NOT_ALLOWED",
  "INSTANCE_STOP_NOT_ALLOWED",
  "INSTANCE_DISMISS_NOT_ALLOWED",
]);

/** Records the requests that are refused to somebody; a call without any credential does not count. */
export function noteRefusedRequests(app: FastifyInstance, refusals: Refusals): void {
  app.addHook("onError", (request, _reply, error, done) => {
    const refusal = error instanceof AppError ? refusalOf(request, error) : undefined;
    if (refusal) refusals.note(refusal);
    done();
  });
}

function refusalOf(request: FastifyRequest, { code, facts }: AppError): Refusal | undefined {
  const route = request.routeOptions.config.route;
  const by = byCaller({ actor: actorOfRequest(request), ip: request.clientAddress, requestId: request.id });
  const details = { code, route: `${request.method} ${route?.path ?? ""}` };
  if (code === "NOT_AUTHENTICATED") {
    const credential = facts["credential"] as RefusedCredential | undefined;
    return credential && credentialRefusal(by, credential, details);
  }
  const isOperators = code === "ROUTE_NOT_FOUND" && route?.access === "operator";
  if (!isOperators && !refusalCodes.has(code)) return undefined;
  const owner = facts["owner"] as { uuid: string; organization_uuid: string | null } | undefined;
  if (owner) return { action: "session.open", by, details, about: async () => owner };
  if (route?.path !== users.login.path) return { action: "route.use", by, details };
  const { data: email } = Email.safeParse((request.body as { email?: unknown } | undefined)?.email);
  return { action: "session.open", by, details, about: async (db) => email && findUserByName(db, email) };
}

export const credentialRefusal = (
  by: Refusal["by"],
  { kind, reason, session }: RefusedCredential,
  details: Refusal["details"],
): Refusal => ({
  action: "credential.use",
  by: session === undefined ? by : { ...by, credential: session },
  details: { ...details, credential: kind, reason },
  about: async (db) => session && findOwnerOfSession(db, session),
});
