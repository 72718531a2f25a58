import { z } from "zod";
import {
  Arch,
  ByUuid,
  Description,
  FormFactor,
  GivenUuid,
  listOf,
  Name,
  pageOf,
  PageSize,
  Paging,
  Search,
  Uuid,
} from "./fields.ts";
import { HardwareProfile } from "./hardware-profiles.ts";
import { Instance } from "./instances.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { OsImage } from "./os-images.ts";
import { Recipe } from "./recipe.ts";
import { routes } from "./routes.ts";
import { Share, ShareBody } from "./shares.ts";

export const RecipeBody = z.object({
  name: Name,
  description: Description.default(""),
  hardware_profile_uuid: GivenUuid,
  os_image_uuid: GivenUuid,
});
export type RecipeBody = z.output<typeof RecipeBody>;

export const EditRecipe = RecipeBody.extend({
  description: Description,
  revision: z.int().meta({ description: "The revision that was edited; if the recipe has another, it stays as it is" }),
}).partial();
export type EditRecipe = z.output<typeof EditRecipe>;

/** `custom` is everything that is not official: one's own recipes and shared ones. */
export const recipeSources = ["all", "official", "shared", "custom"] as const;

const minutes = (max: number) => z.int().min(0).max(max);

/** Three generations of clients have three ways to set the timeouts; the newest one in the request is used. */
export const StartInstance = z.object({
  instance_name: Name,
  rename_on_conflict: z.boolean().default(false),
  /** The oldest: true means the organization's inactivity timeout, false none. */
  stop_when_inactive: z.boolean().optional(),
  /** Command-line clients: minutes; 0 means none, a missing value the organization's, which has one for API tokens. */
  timeouts: z
    .object({
      inactivity: minutes(limits.inactivityMinutesMax).optional(),
      global: minutes(limits.runMinutesMax).optional(),
    })
    .optional(),
  /** The web app: the organization's inactivity timeout. */
  automatic_release: z.object({ type: z.enum(["after_inactivity"]) }).optional(),
  queue: z.boolean().optional().meta({
    description:
      "Wait instead of being refused with TOO_MANY_RUNNING_VDS, GROUP_ALLOCATION_REACHED or NO_SLOT_AVAILABLE; stopping the device ends that. A missing value is the organization's",
  }),
});
export type StartInstance = z.output<typeof StartInstance>;

const listQuery = Paging.extend({
  search: Search.optional(),
  source: z.enum(recipeSources).default("all"),
  arch: listOf(z.enum([...Arch.options, "all"])),
  form_factor: listOf(z.enum([...FormFactor.options, "FOLDABLE"])),
  os_image_uuid: GivenUuid.optional().meta({ description: "Only those made with this OS image" }),
  /** The web player's example page sends it instead of a page size. */
  limit: PageSize.optional(),
});

export const recipesTag = tag(
  "Devices",
  "Recipes",
  "What devices are started from: a hardware profile and an OS image.",
);

export const recipes = routes({
  list: {
    method: "GET",
    path: "/v3/recipes",
    summary: "Recipes you may start",
    access: "user",
    query: listQuery,
    reply: pageOf(Recipe),
    fails: ["PAGE_TOO_LARGE"],
  },
  listByKind: {
    method: "GET",
    path: "/v1/recipes",
    summary: "Names of the recipes you may start, by kind; for older clients",
    access: "user",
    query: z.object({ limit: z.string().optional() }),
    reply: z.record(z.string(), z.array(z.object({ uuid: Uuid, name: z.string() }))),
  },
  get: {
    method: "GET",
    path: "/v2/recipes/:uuid",
    summary: "One recipe",
    access: "user",
    params: ByUuid,
    reply: Recipe,
    fails: ["RECIPE_NOT_FOUND"],
  },
  create: {
    method: "POST",
    path: "/v1/recipes",
    summary: "Create a recipe from a hardware profile and an OS image",
    access: "member",
    audit: ["recipe.create"],
    body: RecipeBody,
    status: 201,
    reply: Recipe,
    fails: [
      "TOO_MANY_RECIPES",
      "HARDWARE_PROFILE_NOT_FOUND",
      "OS_IMAGE_NOT_FOUND",
      "FORM_FACTOR_MISMATCH",
      "ARCH_NOT_SUPPORTED",
    ],
  },
  edit: {
    method: "PUT",
    path: "/v2/recipes/:uuid",
    summary: "Change a recipe of yours; what is left out stays as it is",
    access: "member",
    audit: ["recipe.edit"],
    params: ByUuid,
    body: EditRecipe,
    reply: Recipe,
    fails: [
      "RECIPE_NOT_FOUND",
      "RECIPE_NOT_ALLOWED",
      "RECIPE_MUST_NOT_BE_SAVING",
      "RECIPE_CHANGED",
      "HARDWARE_PROFILE_NOT_FOUND",
      "OS_IMAGE_NOT_FOUND",
      "FORM_FACTOR_MISMATCH",
      "ARCH_NOT_SUPPORTED",
    ],
  },
  delete: {
    method: "DELETE",
    path: "/v1/recipes/:uuid",
    summary: "Delete a recipe of yours, and if asked the parts that no other recipe uses; official parts stay",
    access: "member",
    audit: ["recipe.delete", "hardware_profile.delete", "os_image.delete"],
    params: ByUuid,
    body: z.object({
      delete_hardware_profile: z.boolean().default(false),
      delete_os_image: z.boolean().default(false),
    }),
    status: 204,
    fails: [
      "RECIPE_NOT_FOUND",
      "RECIPE_NOT_ALLOWED",
      "RECIPE_MUST_NOT_BE_SAVING",
      "HARDWARE_PROFILE_NOT_ALLOWED",
      "HARDWARE_PROFILE_IN_USE",
      "OS_IMAGE_NOT_ALLOWED",
      "OS_IMAGE_IN_USE",
    ],
  },
  hardwareProfile: {
    method: "GET",
    path: "/v1/recipes/:uuid/hardware-profile",
    summary: "The hardware profile of a recipe",
    access: "user",
    params: ByUuid,
    reply: HardwareProfile,
    fails: ["RECIPE_NOT_FOUND", "HARDWARE_PROFILE_NOT_FOUND"],
  },
  osImage: {
    method: "GET",
    path: "/v1/recipes/:uuid/os-image",
    summary: "The OS image of a recipe",
    access: "user",
    params: ByUuid,
    reply: OsImage,
    fails: ["RECIPE_NOT_FOUND", "OS_IMAGE_NOT_FOUND"],
  },
  start: {
    method: "POST",
    path: "/v1/recipes/:uuid/start-disposable",
    summary: "Start a device from a recipe",
    access: "user",
    audit: ["instance.start"],
    params: ByUuid,
    body: StartInstance,
    status: 201,
    reply: Instance,
    idempotent: true,
    fails: [
      "TOO_MANY_REQUESTS",
      "RECIPE_NOT_FOUND",
      "RECIPE_NOT_READY",
      "RECIPE_INCOMPLETE",
      "TOO_MANY_RUNNING_VDS",
      "GROUP_ALLOCATION_REACHED",
      "BUDGET_USED_UP",
      "LICENSE_EXPIRED",
      "INVALID_LICENSE",
      "ARCH_NOT_SUPPORTED",
      "RUNTIME_NOT_CONFIGURED",
      "ZONE_NOT_AVAILABLE",
      "NO_SLOT_AVAILABLE",
      "INSTANCE_NAME_TAKEN",
      "IDEMPOTENCY_KEY_REUSED",
    ],
  },
  share: {
    method: "POST",
    path: "/v1/recipes/:uuid/share",
    summary: "Share a recipe with people and organizations; with more of them, if it is shared already",
    access: "member",
    audit: ["recipe.share", "recipe.edit_share"],
    params: ByUuid,
    body: ShareBody,
    status: 201,
    reply: Share,
    fails: [
      "RECIPE_NOT_FOUND",
      "RECIPE_SHARE_NOT_ALLOWED",
      "RECIPIENTS_NOT_FOUND",
      "ORGANIZATION_NOT_FOUND",
      "TOO_MANY_RECIPIENTS",
      "TOO_MANY_REQUESTS",
    ],
  },
  rollBack: {
    method: "PUT",
    path: "/v1/recipes/:uuid/rollback",
    summary: "Bring back the state of a recipe from before it was last saved",
    access: "member",
    audit: ["recipe.roll_back"],
    params: ByUuid,
    reply: Recipe,
    fails: [
      "RECIPE_NOT_FOUND",
      "RECIPE_NOT_ALLOWED",
      "RECIPE_MUST_NOT_BE_SAVING",
      "RECIPE_NOT_SAVED_BEFORE",
      "FORM_FACTOR_MISMATCH",
    ],
  },
});
