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
  get: { method: "GET", path: "/v1/settings", summary: "Public settings", access: "public", reply: PublicSettings },
});
