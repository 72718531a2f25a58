import { z } from "zod";
import { routes } from "./routes.ts";

/** What a visitor's browser needs to know of this installation. */
export const PublicSettings = z.object({
  version: z.string(),
  /** Accounts anyone may try; empty unless this is a demonstration. */
  demo_accounts: z.array(
    z.object({ email: z.string(), password: z.string(), role: z.enum(["manager", "user", "guest"]) }),
  ),
});
export type PublicSettings = z.infer<typeof PublicSettings>;

export const settings = routes({
  get: {
    method: "GET",
    path: "/v1/settings",
    summary: "Public settings: what the sign-in page has to know. Answers without a token",
    access: "public",
    reply: PublicSettings,
  },
  openApi: {
    method: "GET",
    path: "/openapi.json",
    summary: "This document. Answers without a token, so that clients can be made of it",
    access: "public",
    reply: z.record(z.string(), z.unknown()),
  },
});
