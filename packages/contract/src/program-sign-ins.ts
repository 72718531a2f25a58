import { z } from "zod";
import { ApiToken } from "./api-tokens.ts";
import { Time } from "./fields.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";
import { scopes } from "./scopes.ts";

const Host = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N} ._-]{1,64}$/u, { error: "Must be 1 to 64 letters, digits, spaces, dots, dashes or underscores" })
  .meta({ description: "The name of the machine that the program runs on, as it says" });

const code = z.string().min(1).max(32).meta({ description: "The short code, however it is typed" });

/** A code is soon approved, also one that a stranger has sent: what may make more tokens is not had by it. */
export const programScopes = ["read", "devices"] as const satisfies readonly (typeof scopes)[number][];

export const programSignInsTag = tag(
  "Your account",
  "Program sign-in",
  "API tokens by a code that is approved in a browser.",
);

/** The sign-in of a program by a code that somebody approves in their browser, in the manner of RFC 8628. */
export const programSignIns = routes({
  begin: {
    method: "POST",
    path: "/v1/program-sign-ins",
    summary: "Ask for an API token by a code that somebody approves in their browser, as devices do by RFC 8628",
    access: "public",
    audit: { none: "nobody has agreed to anything yet, and it is forgotten after ten minutes" },
    ownPagesOnly: true,
    body: z.object({
      host: Host,
      scope: z.enum(programScopes).default("devices").meta({ description: "What the token is to be for" }),
    }),
    status: 201,
    reply: z.object({
      device_code: z.string().meta({ description: "The secret of the program, with which it asks for the token" }),
      user_code: z.string().meta({ description: "What the person sees at both ends: `BCDF-GHJK`" }),
      verification_uri: z.string().meta({ description: "Where the person types it" }),
      verification_uri_complete: z.string().meta({ description: "The same with the code in it" }),
      expires_in: z.int().meta({ description: "Seconds" }),
      interval: z.int().meta({ description: "Seconds between two questions for the token" }),
    }),
    fails: ["TOO_MANY_REQUESTS"],
  },
  finish: {
    method: "POST",
    path: "/v1/program-sign-ins/token",
    summary:
      "Ask for the token that was approved. It is given once. Who asks sooner than told, is told to wait five seconds longer from then on",
    access: "public",
    audit: ["api_token.create"],
    ownPagesOnly: true,
    body: z.object({ device_code: z.string().min(1).max(64) }),
    status: 201,
    reply: ApiToken.extend({ token: z.string() }),
    fails: [
      "PROGRAM_SIGN_IN_PENDING",
      "PROGRAM_SIGN_IN_SLOW_DOWN",
      "PROGRAM_SIGN_IN_REFUSED",
      "PROGRAM_SIGN_IN_EXPIRED",
      "TOO_MANY_API_TOKENS",
      "API_TOKEN_EXISTS",
      "FORBIDDEN",
      "TERMS_NOT_ACCEPTED",
      "TOO_MANY_REQUESTS",
    ],
  },
  get: {
    method: "GET",
    path: "/v1/program-sign-ins",
    summary: "Which program asks by a code",
    access: "member",
    scope: "admin",
    ownPagesOnly: true,
    query: z.object({ code }),
    reply: z.object({
      host: z.string(),
      scope: z.enum(scopes),
      address: z.string().meta({ description: "From which it asks" }),
      created_at: Time,
      expires_at: Time.meta({ description: "Until when it can be answered" }),
    }),
    fails: ["PROGRAM_SIGN_IN_EXPIRED", "TOO_MANY_REQUESTS"],
  },
  decide: {
    method: "POST",
    path: "/v1/program-sign-ins/decision",
    summary: "Approve or refuse a program that asks by a code. One that is approved gets an API token of yours",
    access: "member",
    audit: ["api_token.approve", "api_token.refuse"],
    scope: "admin",
    ownPagesOnly: true,
    body: z.object({ code, decision: z.enum(["approve", "refuse"]) }),
    status: 204,
    fails: ["PROGRAM_SIGN_IN_EXPIRED", "TOO_MANY_API_TOKENS", "TOO_MANY_REQUESTS"],
  },
});
