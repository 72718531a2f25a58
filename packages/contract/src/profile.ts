import { z } from "zod";
import { ByUuid, Uuid } from "./fields.ts";
import { tag } from "./openapi-tags.ts";
import { Proof, proofFails } from "./proof.ts";
import { routes } from "./routes.ts";

/** What happens when an account is deleted. */
export const Deletion = z.object({
  /** Why it is refused now, as the `reason` of LAST_MANAGER; null if it is not. */
  refusal: z.enum(["members", "plan"]).nullable(),
  /** Running devices, which are stopped. */
  devices: z.array(z.object({ uuid: Uuid, name: z.string() })),
  /** Recipes that the account's owner has made: those of an organization stay with it, unless nobody else belongs to it. */
  recipes: z.object({ deleted: z.int(), kept: z.int() }),
  api_tokens: z.int(),
  /** Whether the organization ends with the account, as nobody else belongs to it. */
  ends_organization: z.boolean(),
});
export type Deletion = z.infer<typeof Deletion>;

export const profileTag = tag("Your account", "Your data", "Taking it with you, and deleting your account.");

export const profile = routes({
  deletion: {
    method: "GET",
    path: "/v1/users/:uuid/deletion",
    summary: "What would happen if you deleted your account",
    access: "signed-in",
    scope: "admin",
    params: ByUuid,
    reply: Deletion,
    fails: ["USER_NOT_FOUND", "FORBIDDEN"],
  },
  remove: {
    method: "DELETE",
    path: "/v1/users/:uuid",
    summary: "Delete your account, with your password",
    access: "signed-in",
    audit: ["user.delete"],
    ownPagesOnly: true,
    params: ByUuid,
    body: Proof,
    status: 204,
    fails: [...proofFails, "USER_NOT_FOUND", "LAST_MANAGER"],
  },
  export: {
    method: "GET",
    path: "/v1/users/:uuid/export",
    summary: "Everything that the service holds on you, as one JSON document",
    access: "signed-in",
    audit: ["user.export"],
    scope: "admin",
    params: ByUuid,
    reply: { kind: "bytes", types: ["application/json"] },
    fails: ["USER_NOT_FOUND", "FORBIDDEN", "TOO_MANY_REQUESTS"],
  },
});
