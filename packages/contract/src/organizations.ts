import { z } from "zod";
import { Arch, ByUuid, Uuid } from "./fields.ts";
import { zones } from "./limits.ts";
import { routes } from "./routes.ts";

export const Timeouts = z
  .object({ inactivity: z.int(), global: z.int() })
  .meta({ description: "Minutes; 0 means no timeout" });
export type Timeouts = z.infer<typeof Timeouts>;

export const Organization = z.object({
  uuid: Uuid,
  name: z.string(),
  preferences: z.object({ timeouts: Timeouts }),
  os_images_supported_arch: z.array(Arch),
  is_debtor: z.boolean(),
  license: z.object({
    type: z.enum(["metered", "pending", "fixed"]),
    is_active: z.boolean(),
    instances: z.object({ max: z.int(), zone: z.enum(zones), zone_type: z.enum(["shared", "dedicated"]) }),
  }),
  requires_second_factor: z.boolean().meta({ description: "Whether its members sign in with a second factor" }),
  /** The number of running devices of all its users. */
  running_instances: z.int(),
});
export type Organization = z.infer<typeof Organization>;

export const organizations = routes({
  get: {
    method: "GET",
    path: "/v1/organizations/:uuid",
    summary: "Your organization",
    access: "signed-in",
    scope: "read",
    params: ByUuid,
    reply: Organization,
    fails: ["ORGANIZATION_NOT_FOUND"],
  },
  requireSecondFactor: {
    method: "PUT",
    path: "/v1/organizations/:uuid/second-factor",
    summary:
      "Whether the members of your organization sign in with a second factor. When it is required, the sessions of those who have none end; API tokens continue to work",
    access: "manager",
    params: ByUuid,
    body: z.object({ is_required: z.boolean() }),
    reply: Organization,
    fails: ["FORBIDDEN", "ORGANIZATION_NOT_FOUND", "SECOND_FACTOR_MISSING"],
  },
});
