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
});
