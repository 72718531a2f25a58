import { z } from "zod";
import { Email, Password } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

/** What makes a mailed link the reader's own. A key that nobody was sent is not malformed, but unknown. */
export const LinkKey = z.string().max(limits.linkKeyLength);

export const passwordsTag = tag(
  "Your account",
  "Passwords",
  "Changing a password, and setting one that was forgotten.",
);

export const passwords = routes({
  change: {
    method: "PUT",
    path: "/v1/users/password",
    summary:
      "Change your password, which ends all other sessions of the account. This session and API tokens continue to work",
    access: "signed-in",
    audit: ["user.reset_password"],
    ownPagesOnly: true,
    body: z.object({ old_password: z.string().max(limits.passwordMaxLength), new_password: Password }),
    status: 204,
    fails: ["FORBIDDEN", "WRONG_PASSWORD", "NO_PASSWORD", "PASSWORD_TOO_COMMON", "TOO_MANY_REQUESTS"],
  },
  requestLink: {
    method: "POST",
    path: "/v1/users/password/request",
    summary:
      "Have a link mailed with which a new password can be set. The reply is the same whether or not an account has the address",
    access: "public",
    audit: ["user.mail_password_link"],
    ownPagesOnly: true,
    body: z.object({
      email: Email,
      turnstileCaptcha_token: z.string().max(limits.botTokenLength).optional().meta({
        description: "As for signing up. Without it, an address may ask for a few links an hour only",
      }),
    }),
    status: 204,
    fails: ["BOT_CHECK_FAILED", "TOO_MANY_REQUESTS"],
  },
  checkLink: {
    method: "GET",
    path: "/v1/users/password/reset/:key",
    summary: "Whose password a mailed link is for",
    access: "public",
    ownPagesOnly: true,
    params: z.object({ key: LinkKey }),
    reply: z.object({ email: z.string() }),
    fails: ["LINK_EXPIRED"],
  },
  reset: {
    method: "PUT",
    path: "/v1/users/password/reset",
    summary:
      "Set a new password with a mailed link, which ends all sessions of the account. API tokens continue to work",
    access: "public",
    audit: ["user.reset_password"],
    ownPagesOnly: true,
    body: z.object({ reset_key: LinkKey, new_password: Password }),
    status: 204,
    fails: ["LINK_EXPIRED", "PASSWORD_TOO_COMMON", "TOO_MANY_REQUESTS"],
  },
});
