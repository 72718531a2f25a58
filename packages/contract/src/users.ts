import { z } from "zod";
import { sayBroken } from "./field-rules.ts";
import {
  ByUuid,
  Email,
  Key,
  listOf,
  NUL_REFUSED,
  orderingOf,
  pageOf,
  Paging,
  PersonName,
  Search,
  Time,
  Uuid,
} from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";
import { userStatuses } from "./user-status.ts";

export const OrganizationRef = z.object({ uuid: Uuid, name: z.string() });

export const User = z.object({
  uuid: Uuid,
  /** Equal to `uuid`; older clients read this name. */
  genyid: Uuid,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  is_organization_manager: z.boolean(),
  is_enabled: z.boolean(),
  is_validated: z.boolean(),
  tnc_accepted: z.boolean(),
  organization: OrganizationRef.nullable(),
  /** Of their organization, which they belong to. */
  groups: z.array(z.object({ uuid: Uuid, name: z.string() })),
  front_preferences: z.record(z.string(), z.unknown()),
  is_operator: z
    .literal(true)
    .optional()
    .meta({ description: "Of somebody who runs the service, and is no customer; missing for everybody else" }),
  created_at: Time,
});
export type User = z.infer<typeof User>;

/** A user in a list: somebody who was invited and has not joined yet is listed by the identifier of the invitation. */
export const ListedUser = User.extend({
  invitation: z
    .object({ sent_at: Time, expires_at: Time, has_failed: z.boolean().meta({ description: "The mail was refused" }) })
    .nullable()
    .meta({ description: "Of somebody who was invited and has not joined yet" }),
});
export type ListedUser = z.infer<typeof ListedUser>;

/** The part of a user that others may see. */
export const Person = User.pick({ uuid: true, email: true, first_name: true, last_name: true });
export type Person = z.infer<typeof Person>;

export const Session = z.object({ token: z.string(), user: User });
export type Session = z.infer<typeof Session>;

/** From this browser's last sign-in. */
export const BrowserToken = z
  .string()
  .max(limits.browserTokenLength)
  .optional()
  .meta({ description: "From this browser's last sign-in, by whomever" });

/** A session that a browser has begun. */
export const BegunSession = Session.extend({
  browser_token: z.string().meta({
    description:
      "Send it with the browser's next sign-in: people who are known there can sign in while others guess at their passwords",
  }),
});

export type BegunSession = z.infer<typeof BegunSession>;

/** As JSON writes a surrogate that has lost its other half. */
const HALF_A_CHARACTER = /\\ud[89a-f]/;
const MAX_DEPTH = 32;

/** How deeply arrays and objects are nested in a JSON text. */
function depthOf(json: string): number {
  let [depth, deepest] = [0, 0];
  for (const bracket of json.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/[[\]{}]/g) ?? []) {
    depth += bracket === "[" || bracket === "{" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** What the web app remembers of somebody, by name; the server only stores it. */
const FrontPreferences = z
  .record(z.string().max(limits.textLength), z.unknown())
  .refine((preferences) => JSON.stringify(preferences).length <= limits.frontPreferencesLength, {
    error: sayBroken({ says: "maxLength", max: limits.frontPreferencesLength }),
  })
  .refine((preferences) => !JSON.stringify(preferences).includes("\\u0000"), { error: NUL_REFUSED })
  // The database stores neither of the two.
  .refine((preferences) => !HALF_A_CHARACTER.test(JSON.stringify(preferences)), { error: "Must be valid Unicode" })
  .refine((preferences) => depthOf(JSON.stringify(preferences)) <= MAX_DEPTH, { error: "Is nested too deeply" });

export const usersTag = tag("Your account", "Users", "Signing in and out, and the people of your organization.");

export const users = routes({
  login: {
    method: "POST",
    path: "/v1/users/login",
    summary: "Sign in",
    access: "public",
    audit: ["session.open"],
    ownPagesOnly: true,
    organizationPages: "sign-in",
    body: z.object({
      email: Email,
      password: z.string().min(1).max(limits.passwordMaxLength),
      browser_token: BrowserToken,
    }),
    reply: BegunSession,
    fails: [
      "BAD_USERNAME_PASSWORD",
      "USER_NOT_ENABLED",
      "SIGN_IN_NOT_ALLOWED",
      "SECOND_FACTOR_REQUIRED",
      "SECOND_FACTOR_SETUP_REQUIRED",
      "TOO_MANY_REQUESTS",
    ],
  },
  signout: {
    method: "POST",
    path: "/v1/users/signout",
    summary: "Sign out",
    access: "signed-in",
    audit: ["session.end"],
    status: 204,
  },
  acceptTerms: {
    method: "POST",
    path: "/v1/users/terms-and-conditions",
    summary: "Accept the terms and conditions",
    access: "signed-in",
    audit: ["user.accept_terms"],
    reply: User,
  },
  get: {
    method: "GET",
    path: "/v1/users/:uuid",
    summary: "One user of your organization, or yourself",
    access: "signed-in",
    scope: "read",
    params: ByUuid,
    reply: User,
    fails: ["USER_NOT_FOUND"],
  },
  update: {
    method: "PUT",
    path: "/v2/users/:uuid",
    summary:
      "Change your names, and keep your preferences of the web app. A manager changes the names, role and status of people of their organization",
    access: "signed-in",
    scope: "admin",
    audit: ["user.rename", "user.set_preferences", "user.enable", "user.disable", "user.set_role"],
    params: ByUuid,
    body: z.object({
      first_name: PersonName.optional(),
      last_name: PersonName.optional(),
      is_enabled: z.boolean().optional().meta({ description: "Nobody can change their own" }),
      is_organization_manager: z.boolean().optional().meta({ description: "Nobody can change their own" }),
      front_preferences: FrontPreferences.optional().meta({
        description: "Replaces all of them; missing: they stay as they are",
      }),
    }),
    reply: User,
    fails: ["USER_NOT_FOUND", "FORBIDDEN", "TERMS_NOT_ACCEPTED", "DISABLED_BY_OPERATOR"],
  },
  list: {
    method: "GET",
    path: "/v2/users",
    summary:
      "Users of your organization, for its managers also those who are invited; asked for at most 50 e-mail addresses, those who have joined and guests, without the names of guests",
    access: "member",
    query: Paging.extend({
      search: Search.optional(),
      search_field: z.enum(["email", "first_name", "last_name"]).optional(),
      users: listOf(Key, limits.pageSizeMax),
      field: z.enum(["email", "uuid"]).default("email"),
      emails: listOf(Key, limits.pageSizeMax).meta({ description: "Another name of `users` with `field=email`" }),
      status: listOf(z.enum(userStatuses), userStatuses.length),
      ordering: orderingOf(["created_at", "email", "first_name", "last_name"], "created_at"),
    }),
    reply: pageOf(ListedUser),
    fails: ["PAGE_TOO_LARGE", "TOO_MANY_REQUESTS"],
  },
});
