import { z } from "zod";
import { Time } from "./fields.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

export const showcaseTag = tag("The service", "Showcase", "The device on the home page.");

/** A key to the one device that anybody may look at and touch, before they have signed in. */
export const showcase = routes({
  open: {
    method: "POST",
    path: "/v1/showcase",
    summary: "A key to the device that the home page shows. Available without a token, where the operator shows one",
    access: "public",
    ownPagesOnly: true,
    audit: { none: "it only opens a view of the device that everybody may see" },
    reply: z.object({
      url: z.string().meta({ description: "The WebSocket that sends its pictures and takes touches" }),
      access_token: z.string(),
      expires_at: Time,
    }),
    fails: ["ROUTE_NOT_FOUND", "TOO_MANY_REQUESTS", "SERVICE_UNAVAILABLE"],
  },
});
