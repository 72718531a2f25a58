import { z } from "zod";
import { ByUuid, Time, Uuid } from "./fields.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

/** A place where somebody is signed in. */
export const SignInSession = z.object({
  uuid: Uuid,
  is_current: z.boolean().meta({ description: "Whether this is the session that the request was made with" }),
  device: z.string().meta({ description: "By what it said of itself: `Firefox on Windows`; empty if it did not" }),
  address: z.string().nullable().meta({ description: "The address that it was last used from" }),
  created_at: Time,
  last_used_at: Time.nullable().meta({ description: "To the minute" }),
});
export type SignInSession = z.infer<typeof SignInSession>;

export const sessionsTag = tag("Your account", "Sessions", "Where you are signed in.");

export const sessions = routes({
  list: {
    method: "GET",
    path: "/v1/sessions",
    summary: "Where you are signed in",
    access: "signed-in",
    scope: "admin",
    reply: z.object({ sessions: z.array(SignInSession) }),
    fails: ["FORBIDDEN"],
  },
  end: {
    method: "DELETE",
    path: "/v1/sessions/:uuid",
    summary: "Sign out in one place; its connections end as well",
    access: "signed-in",
    audit: ["session.end"],
    params: ByUuid,
    status: 204,
    fails: ["FORBIDDEN", "SESSION_NOT_FOUND"],
  },
  endOthers: {
    method: "DELETE",
    path: "/v1/sessions",
    summary: "Sign out everywhere but here. API tokens continue to work",
    access: "signed-in",
    audit: ["user.sign_out"],
    status: 204,
    fails: ["FORBIDDEN"],
  },
});
