import { z } from "zod";
import { Arch, ByUuid, FormFactor, listOf, Name, orderingOf, pageOf, Paging, Search, Uuid } from "./fields.ts";
import { ownedSources } from "./hardware-profiles.ts";
import { tag } from "./openapi-tags.ts";
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
  /** Incremented with each change, so that one can see which of two versions is newer. */
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
  /** The same, for `gmsaas` since 1.16. */
  supported_form_factors: z.array(FormFactor),
  /** The runtime that runs this image, and whether this installation has it. */
  runtime: z.string(),
  is_runtime_configured: z.boolean(),
  saved_size: z
    .int()
    .meta({ description: "Bytes of the saved state that its devices start from; 0 if none was saved" }),
  boot_ms: z.object({ p50: z.int(), p95: z.int() }).nullable().meta({
    description:
      "Milliseconds from the start until its devices were online, lately: half of them, and 95 of 100, took no longer",
  }),
});
export type OsImage = z.infer<typeof OsImage>;

const OsImageBody = z.object({ name: Name });

export const osImagesTag = tag("Devices", "OS images", "The Android that a device starts with.");

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
  duplicate: {
    method: "POST",
    path: "/v1/os-images/:uuid/duplicate",
    summary: "Create an OS image of yours that starts devices as another one does",
    access: "member",
    audit: ["os_image.duplicate"],
    params: ByUuid,
    body: OsImageBody,
    status: 201,
    reply: OsImage,
    fails: ["TOO_MANY_OS_IMAGES", "OS_IMAGE_NOT_FOUND", "OS_IMAGE_NOT_READY"],
  },
  edit: {
    method: "PUT",
    path: "/v1/os-images/:uuid",
    summary: "Rename an OS image of yours",
    access: "member",
    audit: ["os_image.edit"],
    params: ByUuid,
    body: OsImageBody,
    reply: OsImage,
    fails: ["OS_IMAGE_NOT_FOUND", "OS_IMAGE_NOT_ALLOWED"],
  },
  delete: {
    method: "DELETE",
    path: "/v1/os-images/:uuid",
    summary: "Delete an OS image of yours; recipes made of it become incomplete",
    access: "member",
    audit: ["os_image.delete"],
    params: ByUuid,
    status: 204,
    fails: ["OS_IMAGE_NOT_FOUND", "OS_IMAGE_NOT_ALLOWED", "OS_IMAGE_MUST_NOT_BE_SAVING"],
  },
});
