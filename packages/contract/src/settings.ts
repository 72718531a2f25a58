import { z } from "zod";
import { Time } from "./fields.ts";
import { Display, HardwareProfile } from "./hardware-profiles.ts";
import { zones } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

/** Who runs this installation, for the legal texts. */
const Operator = z.object({
  name: z.string().nullable(),
  address: z.string().nullable(),
  contact: z.string().nullable().meta({ description: "An e-mail address, also for requests about personal data" }),
  court: z.string().nullable(),
});

/** What using the service costs, and what is free. */
export const Offer = z.object({
  currency: z.literal("USD"),
  minute_cents: z.int().meta({ description: "The price of a minute of a device" }),
  unlimited_monthly_cents: z.int().meta({ description: "Of a device of an upfront plan, for a month" }),
  annual_discount: z.int().meta({ description: "Percent, of twelve months" }),
  payg_threshold_cents: z
    .int()
    .meta({ description: "Pay-as-you-go is billed every seven days, or when it comes to more" }),
  card_hold_cents: z
    .int()
    .meta({ description: "What is held on a card that is added, and given back at once; 0 for nothing" }),
  trial: z.object({ minutes: z.int(), days: z.int() }).meta({
    description: "What a new account has for free: until the minutes are used up, or the days are over",
  }),
});
export type Offer = z.infer<typeof Offer>;

/** Where the navigation leads beside the screens. */
const Links = z.object({
  documentation: z.string(),
  api_reference: z.string(),
  repository: z.string().nullable().meta({ description: "Where the source can be cloned from" }),
  feedback: z.string().nullable().meta({ description: "Null where it is written to support" }),
  support: z.string(),
});

/** The form of a device, enough to draw it. */
const Showcase = HardwareProfile.pick({ form_factor: true, display_mode: true }).extend({
  display_settings: z.object({
    displays: z.array(Display.pick({ width: true, height: true, density: true })),
    hw_navigation_keys: z.boolean(),
  }),
});

/** What a browser needs to know about this installation before anyone has signed in. */
export const PublicSettings = z.object({
  version: z.string(),
  /** The demo accounts; empty unless they are enabled. */
  demo_accounts: z.array(
    z.object({ email: z.string(), password: z.string(), role: z.enum(["manager", "user", "guest"]) }),
  ),
  /** With whom one can sign in, besides a password. */
  sso_providers: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      is_stand_in: z.boolean().meta({ description: "Whether a demonstration plays this provider itself" }),
    }),
  ),
  /** The origin at which passkeys can be used; null where browsers know none: without TLS, or where the host is an IP address. */
  passkeys_at: z.string().nullable(),
  /** Whether mails are not sent, but shown to whoever tries the product on their own machine. */
  has_mailbox: z.boolean(),
  /** The form of the device that the home page shows; null where it shows none. */
  showcase: Showcase.nullable(),
  operator: Operator,
  /** What must be sent when signing up: the solution of a puzzle, or what Turnstile returns for this key. */
  turnstile_site_key: z.string().nullable(),
  /** What Stripe's form for cards is opened with; missing where Stripe does not charge them. */
  stripe_publishable_key: z.string().optional(),
  offer: Offer,
  /** Business days in which a request for a trial is answered. */
  trial_review_days: z.int(),
  /** What a person's picture is asked from, followed by the SHA-256 of their address; missing where pictures are switched off. */
  avatar_url: z.string().optional(),
  links: Links,
  /** Whether people can write to support from the page; otherwise they are led to `links.support`. */
  has_support: z.boolean(),
  /** The status page, and the JSON document that says how things are; null where the operator wants none. Own ones are paths. */
  status: z.object({ page: z.string(), summary: z.string() }).nullable(),
  /** Where events of those who consent are posted, and whose are staff's. */
  analytics: z.object({ collector: z.string(), staff_domain: z.string().nullable() }).nullable(),
  banner_excluded_organization: z.string().nullable(),
});
export type PublicSettings = z.infer<typeof PublicSettings>;

/** With what changes while the service runs. */
export const CurrentSettings = PublicSettings.extend({
  /** By which the web app decides what is shown until or from a date. */
  time: Time,
  zones: z
    .array(z.enum(zones))
    .readonly()
    .meta({ description: "Where devices can run now; all zones while that is not known" }),
});
export type CurrentSettings = z.infer<typeof CurrentSettings>;

export const settingsTag = tag("The service", "Settings", "What this installation tells everybody of itself.");

export const settings = routes({
  get: {
    method: "GET",
    path: "/v1/settings",
    summary: "Public settings for the pages before sign-in. Available without a token",
    access: "public",
    reply: CurrentSettings,
  },
  openApi: {
    method: "GET",
    path: "/openapi.json",
    summary: "This document. Available without a token, so that clients can be generated from it",
    access: "public",
    reply: z.record(z.string(), z.unknown()),
  },
});
