import { z } from "zod";
import { Time } from "./fields.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

/** The parts of the service whose state is public. */
export const statusComponents = ["api", "devices", "displays", "mail", "payments", "jobs"] as const;
export type StatusComponent = (typeof statusComponents)[number];
const componentStates = ["operational", "degraded_performance", "major_outage"] as const;
export type ComponentState = (typeof componentStates)[number];

/** In the words of common status pages, so that their tools can read it. */
export const PlatformStatus = z.object({
  page: z.object({ updated_at: Time.meta({ description: "When it was looked at, at most 15 s ago" }) }),
  status: z.object({ indicator: z.enum(["none", "minor", "major", "critical"]), description: z.string() }),
  components: z.array(z.object({ id: z.enum(statusComponents), name: z.string(), status: z.enum(componentStates) })),
});
export type PlatformStatus = z.infer<typeof PlatformStatus>;

export const statusTag = tag("The service", "Status", "How the service is.");

export const status = routes({
  get: {
    method: "GET",
    path: "/status.json",
    summary: "How the service is: in all, and each of its parts. Available without a token",
    access: "public",
    reply: PlatformStatus,
  },
});
