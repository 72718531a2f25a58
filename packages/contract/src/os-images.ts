import { z } from "zod";
import { Arch, ByUuid, FormFactor, listOf, orderingOf, pageOf, Paging, Search, Uuid } from "./fields.ts";
import { ownedSources } from "./hardware-profiles.ts";
import { routes } from "./routes.ts";
import { Person } from "./users.ts";

export const statuses = ["CREATING", "READY", "UPDATING", "ERROR"] as const;
export const Status = z.enum(statuses);

export const OsVersion = z.object({ os_version: z.string(), sdk_version: z.int() });

export const OsImage = z.object({
  uuid: Uuid,
  name: z.string(),
  os_type: z.literal("ANDROID"),
  status: Status,
  /** Incremented with each change, so that the newer of two versions can be told. */
  revision: z.int(),
  is_official: z.boolean(),
  is_beta: z.boolean(),
  owner: Person.nullable(),
  /** How many recipes that the caller may use are made with it. */
  recipe_count: z.int(),
  arch: Arch,
  os_version: OsVersion,
  image_version: z.string(),
  form_factors: z.array(FormFactor),
  /** The runtime that runs this image, and whether this installation has it. */
  runtime: z.string(),
  is_runtime_configured: z.boolean(),
});
export type OsImage = z.infer<typeof OsImage>;

export const osImages = routes({
  list: {
    method: "GET",
    path: "/v1/os-images",
    summary: "OS images",
    access: "member",
    query: Paging.extend({
      search: Search.optional(),
      source: z.enum(ownedSources).default("all"),
      arch: listOf(z.enum([...Arch.options, "all"])),
      ordering: orderingOf(["name", "updated_at"], "name"),
    }),
    reply: pageOf(OsImage),
    fails: ["PAGE_TOO_LARGE"],
  },
  get: {
    method: "GET",
    path: "/v1/os-images/:uuid",
    summary: "One OS image",
    access: "member",
    params: ByUuid,
    reply: OsImage,
    fails: ["OS_IMAGE_NOT_FOUND"],
  },
});
