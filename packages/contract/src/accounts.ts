import { z } from "zod";
import { Email, Name, Password } from "./fields.ts";
import { limits, zones } from "./limits.ts";
import { localPath } from "./local-path.ts";
import { tag } from "./openapi-tags.ts";
import { LinkKey } from "./passwords.ts";
import { routes } from "./routes.ts";
import { User } from "./users.ts";

/** A puzzle in the format of ALTCHA (altcha.org): a number is sought with which a hash begins as the puzzle says. */
export const Puzzle = z.object({
  parameters: z
    .object({
      algorithm: z.string(),
      cost: z.int(),
      data: z.object({ expires: z.number() }).meta({ description: "When it expires, in milliseconds since 1970" }),
      keyLength: z.int(),
      keyPrefix: z.string(),
      nonce: z.string(),
      salt: z.string(),
    })
    .meta({ description: "Send them back as they are: they are signed" }),
  signature: z.string(),
});
export type Puzzle = z.infer<typeof Puzzle>;

/** As on the pages, whatever is no path of this service is ignored. */
const OnTheWay = z.object({
  redirect: z
    .string()
    .max(limits.routeLength)
    .transform(localPath)
    .optional()
    .meta({ description: "Where the mailed link leads on to after signing in: a path of this service" }),
});

export const accountsTag = tag("Your account", "Sign-up", "New accounts.");

export const accounts = routes({
  create: {
    method: "POST",
    path: "/v1/users",
    summary:
      "Sign up. The account is made when its address is confirmed with the link that is mailed there. The reply is the same whether or not an account has the address",
    access: "public",
    audit: ["user.sign_up"],
    ownPagesOnly: true,
    query: OnTheWay,
    body: z.object({
      email: Email,
      password: Password,
      organization_name: z
        .union([z.literal(""), Name])
        .default("")
        .meta({ description: "A new organization, which you will manage; without one you will be a guest" }),
      instances_zone: z
        .enum(zones)
        .optional()
        .meta({ description: "Where its devices run: Europe, or where devices can run, unless it is given" }),
      tnc_accepted: z
        .boolean()
        .default(false)
        .meta({ description: "Whether the person has accepted the terms; otherwise they are asked when they sign in" }),
      turnstileCaptcha_token: z.string().max(limits.botTokenLength).meta({
        description:
          "Of Turnstile, if the settings name its site key; otherwise the solution of a puzzle: JSON in base64, `{challenge, solution}`",
      }),
    }),
    status: 201,
    reply: z.object({ user: z.object({ email: z.string(), is_validated: z.literal(false) }) }),
    fails: ["BOT_CHECK_FAILED", "DISPOSABLE_EMAIL", "PASSWORD_TOO_COMMON", "ZONE_NOT_AVAILABLE", "TOO_MANY_REQUESTS"],
  },
  puzzle: {
    method: "GET",
    path: "/v1/users/puzzle",
    summary: "A puzzle whose solution shows that it was worth some computing time to sign up. It can be used once",
    access: "public",
    ownPagesOnly: true,
    reply: Puzzle,
    fails: ["ROUTE_NOT_FOUND"],
  },
  activate: {
    method: "GET",
    path: "/v1/users/activate/:key",
    summary: "Confirm an address with a mailed link, which makes the account. Works once",
    access: "public",
    audit: ["organization.create", "user.create"],
    ownPagesOnly: true,
    params: z.object({ key: LinkKey }),
    reply: User,
    fails: ["ACTIVATION_LINK_INVALID", "ACTIVATION_LINK_USED", "LINK_EXPIRED"],
  },
  resendLink: {
    method: "POST",
    path: "/v1/users/activate/resend",
    summary: "Mail another link to confirm an address. The reply is the same whether or not somebody signed up with it",
    access: "public",
    audit: ["user.mail_activation_link"],
    ownPagesOnly: true,
    query: OnTheWay,
    body: z.object({ email: Email }),
    status: 204,
    fails: ["TOO_MANY_REQUESTS"],
  },
});
