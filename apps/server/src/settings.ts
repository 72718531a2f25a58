import { limits, zones } from "@terrarium/contract";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { isLoopback } from "./platform/http/hosts.ts";
import { mediaEnvironment, mediaOf } from "./media-settings.ts";
import { operatorEnvironment, operatorOf } from "./operator-settings.ts";
import { STRIPE_MINIMUM } from "./features/payments/stripe-provider.ts";
import { paymentEnvironment, paymentsOf, taxesOf } from "./payment-settings.ts";
import { MailboxText } from "./platform/mail/mail.ts";
import { list, port } from "./settings-fields.ts";
import { botCheckEnvironment, botCheckOf, ssoEnvironment, ssoOf } from "./sign-in-settings.ts";

const roles = ["api", "realtime", "jobs", "gateway"] as const;
export type Role = (typeof roles)[number];

/** An origin as browsers send it. */
const Origin = z
  .url({ protocol: /^https?$/ })
  .refine((url) => URL.parse(url)?.origin === url, "Must be a scheme, a host and perhaps a port");

/** The time that a gateway which was killed has to come back. */
const LEAST_KEEP_SECONDS = 60;
const days = z.coerce.number().int().min(1).max(36_500);

const cents = z.coerce.number().int().min(0);

const MB = 1024 ** 2;

/**
 * The environment variables of the server; each runtime's package declares its own. `npm run generate` prints the README's table from
 * here: the descriptions, and the defaults, or `shown` where a default is not a plain value.
 */
export const Environment = z.object({
  PORT: port.default(8080).describe("port of the web app and the API; `0` picks a free one"),
  HOST: z.string().optional().meta({
    description: "the address to listen on; without demo accounts the default is `0.0.0.0`",
    shown: "`127.0.0.1`",
  }),
  TERRARIUM_DATA_DIR: z
    .string()
    .default(".data")
    .describe("directory of the embedded database, devices' files and keys"),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe("an external PostgreSQL, 15 or newer, instead of the embedded one; disables the demo accounts"),
  TERRARIUM_DEMO: z.enum(["on", "off"]).optional().meta({
    description: "`off` disables the demo accounts; `DATABASE_URL` and `NODE_ENV=production` always do",
    shown: "`on`",
  }),
  TERRARIUM_SHOWCASE: z.string().optional().meta({
    description:
      "the device that anybody may look at and touch on the home page: an official recipe, by its name or uuid, `on` for the first simulated phone, or `off`; strangers can do on it, and on its network, what whoever holds it can",
    shown: "`on` with demo accounts, else `off`",
  }),
  TERRARIUM_ROLES: list.pipe(z.array(z.enum(roles))).meta({
    description: `the roles of this process, of \`${roles.join()}\``,
    shown: "all",
  }),
  TERRARIUM_PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description:
        "where browsers reach the service, `https://devices.example.com`; needed to sign in at a domain name, and with `SMTP_URL`, as links in mails lead there; a demonstration on this machine does without",
      shown: "as requested",
    }),
  TERRARIUM_ALLOWED_ORIGINS: list
    .pipe(z.array(Origin))
    .describe("other origins whose pages may sign people in, `https://portal.example.com`"),
  TERRARIUM_TRUSTED_PROXIES: list.describe("addresses of reverse proxies whose `X-Forwarded-*` headers are trusted"),
  TERRARIUM_RUNTIMES: list
    .transform((names) => (names.length > 0 ? names : ["simulator"]))
    .meta({
      description:
        "the runtimes to load: `simulator`, `adb-pool`, `android-emulator`, `docker`, `kubernetes`, `qemu` (docs/RUNTIMES.md)",
      shown: "`simulator`",
    }),
  TERRARIUM_KEEP_DEVICES_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(86_400)
    .default(300)
    .describe(
      "how long devices run on without their server, for the next one to take them over; with `0` they end when it is stopped",
    ),
  TERRARIUM_MAX_APP_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.appBytes / MB)
    .default(2048)
    .describe("the largest app or file, in megabytes, that can be dropped on a device"),
  TERRARIUM_CAPTURES_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(limits.captureBytes / MB)
    .default(2048)
    .describe("the screenshots and recordings that an organization may keep, in megabytes"),
  TERRARIUM_GATEWAY_NAME: z.string().max(100).optional().meta({
    description: "names a gateway in its leases; after a restart with the same name it takes its devices back at once",
    shown: "host and process id",
  }),
  TERRARIUM_GATEWAY_ZONES: list
    .pipe(z.array(z.enum(zones)))
    .transform((given) => (given.length > 0 ? given : null))
    .meta({
      description: `where the gateway’s machines are, of \`${zones.join()}\`: it starts the devices of organizations that have chosen one of these`,
      shown: "all",
    }),
  TERRARIUM_GATEWAY_HOST: z.string().default("127.0.0.1").describe("the address the gateway listens on"),
  TERRARIUM_GATEWAY_PORT: port.default(0).meta({
    description: "the port at which the gateway listens for viewers, whom the api proxies to it",
    shown: "a free one",
  }),
  TERRARIUM_GATEWAY_ADDRESS: z.string().optional().meta({
    description: "`host:port` at which the api reaches the gateway",
    shown: "the two above",
  }),
  ...mediaEnvironment,
  TERRARIUM_SCRCPY_SERVER: z.string().optional().meta({
    description:
      "the file `scrcpy-server-v4.1` from scrcpy's release, needed to show devices that are not simulated; `npm run operator -- scrcpy fetch` gets it",
    shown: "what was fetched",
  }),
  TERRARIUM_CATALOGUE: z.string().optional().describe("a file with more recipes, hardware profiles and images"),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe(
      "the server that sends mails, `smtp://user:password@host:587`; without it they are only stored in the database, and a demonstration shows them at `/mailbox`",
    ),
  MAIL_FROM: MailboxText.optional().describe(
    "the sender of mails, `Terrarium <devices@example.com>`; required with `SMTP_URL`, but for a demonstration on this machine",
  ),
  ...botCheckEnvironment,
  TERRARIUM_PRIVATE_WEBHOOKS: z
    .enum(["on", "off"])
    .default("off")
    .describe(
      "`on` lets webhooks lead to http and to addresses of this machine and its networks, for whoever trusts all managers of organizations; otherwise only with https to public addresses",
    ),
  TERRARIUM_MINUTE_CENTS: cents.default(5).describe("the price of a minute of a device, in US cents"),
  TERRARIUM_UNLIMITED_CENTS: cents
    .default(20_600)
    .describe("the price of a device of an upfront plan for a month, in US cents"),
  TERRARIUM_ANNUAL_DISCOUNT: z.coerce
    .number()
    .int()
    .min(0)
    .max(100)
    .default(17)
    .describe("how much less a year costs than twelve months, in percent"),
  TERRARIUM_PAYG_THRESHOLD_CENTS: cents
    .min(limits.thresholdMin)
    .default(5_000)
    .describe("pay-as-you-go is billed every seven days, or when it comes to as much, in US cents"),
  TERRARIUM_CARD_HOLD_CENTS: cents
    .default(100)
    .describe("what is held on a card that is added, and given back at once, in US cents; with 0, nothing is"),
  TERRARIUM_TRIAL_MINUTES: z.coerce.number().int().min(0).default(60).describe("the free minutes of a new account"),
  TERRARIUM_TRIAL_DAYS: z.coerce.number().int().min(0).default(14).describe("the days for which it has them"),
  TERRARIUM_TRIAL_REVIEW_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(2)
    .describe("the business days in which requests for a trial are answered, as pages and mails say"),
  ...paymentEnvironment,
  ...ssoEnvironment,
  S3_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("an S3-compatible service to store files in instead of the data directory"),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional()
    .describe("the bucket, which must exist"),
  S3_REGION: z.string().default("us-east-1").describe("the region for request signatures"),
  S3_ACCESS_KEY_ID: z.string().optional().describe("the access key"),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe("the secret of the access key"),
  TERRARIUM_AVATARS: z
    .union([z.literal("off"), z.url({ protocol: /^https?$/ }).regex(/^[^?#]+\/$/, "Must end in a slash")])
    .default("https://gravatar.com/avatar/")
    .describe(
      "where browsers ask for people's pictures, by the SHA-256 of their e-mail addresses; with `off` they ask nobody, and initials are drawn",
    ),
  TERRARIUM_HISTORY_DAYS: days
    .default(548)
    .describe("days after which devices that have ended are deleted, with their history; by default 18 months"),
  TERRARIUM_AUDIT_DAYS: days.default(365).describe("days after which records of who did what are deleted"),
  ...operatorEnvironment,
  TERRARIUM_ACCOUNT_DAYS: days
    .default(548)
    .describe(
      "days without a sign-in after which it is announced to people that their account will be deleted, a month later, if SMTP_URL is set; by default 18 months",
    ),
  METRICS_PORT: port.optional().meta({
    description:
      "the port of `/metrics` for Prometheus, which has no password; the gateway that the server starts has the next one",
    shown: "no metrics",
  }),
  METRICS_HOST: z.string().default("127.0.0.1").describe("the address it listens on; never one that customers reach"),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "an OpenTelemetry collector, `http://127.0.0.1:4318`, that gets traces of requests, jobs and starts of devices",
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("the share of requests, jobs and starts that are traced"),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("warn")
    .describe(
      "`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`; from `info` on, the log also tells who did what",
    ),
  NODE_ENV: z.string().optional(),
});

const DEMO_SENDER = { name: "Terrarium", address: "terrarium@localhost" };

/** The first variable of each group requires the others. */
const groups = [
  ["SMTP_URL", "MAIL_FROM", "TERRARIUM_PUBLIC_URL"],
  ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"],
  ["TURNSTILE_SECRET_KEY", "TURNSTILE_SITE_KEY"],
  ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"],
  ["TERRARIUM_TURN_SECRET", "TERRARIUM_TURN_URLS"],
  ["TERRARIUM_TURN_URLS", "TERRARIUM_TURN_SECRET"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["S3_URL", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
] as const;
const isGiven = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));
const CheckedEnvironment = Environment.superRefine((env, context) => {
  for (const [first, ...others] of groups)
    for (const other of others)
      if (isGiven(env[first]) && !isGiven(env[other]) && !(first === "SMTP_URL" && isDemonstration(env)))
        context.addIssue({ code: "custom", path: [other], message: `Needed with ${first}` });
  const { STRIPE_SECRET_KEY: stripe, TERRARIUM_CARD_HOLD_CENTS: hold } = env;
  if (stripe && hold > 0 && hold < STRIPE_MINIMUM)
    context.addIssue({
      code: "custom",
      path: ["TERRARIUM_CARD_HOLD_CENTS"],
      message: `Stripe holds ${STRIPE_MINIMUM} at least. With 0, nothing is held`,
    });
});

function placeOf(env: z.infer<typeof Environment>) {
  const embedded = env.DATABASE_URL === undefined;
  const demo = embedded && env.NODE_ENV !== "production" && env.TERRARIUM_DEMO !== "off";
  const host = env.HOST ?? (demo ? "127.0.0.1" : "0.0.0.0");
  const publicHost = env.TERRARIUM_PUBLIC_URL && new URL(env.TERRARIUM_PUBLIC_URL).hostname;
  const isLocal =
    isLoopback(host) &&
    (publicHost === undefined || isLoopback(publicHost)) &&
    env.TERRARIUM_TRUSTED_PROXIES.length === 0;
  return { embedded, demo, host, isLocal };
}

/** With demo accounts, and for browsers on this machine only: there, mails need neither a real sender nor a public address. */
function isDemonstration(env: z.infer<typeof Environment>): boolean {
  const { demo, isLocal } = placeOf(env);
  return demo && isLocal;
}

function s3Of(env: z.infer<typeof Environment>) {
  const { S3_URL: url, S3_BUCKET: bucket, S3_REGION: region } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return url && bucket && accessKeyId && secretAccessKey
    ? { url, bucket, region, accessKeyId, secretAccessKey }
    : undefined;
}

/** Without a name it is the first official recipe of a phone. Undefined where there is none. */
const showcaseOf = (asked: string): { recipe: string | undefined } | undefined =>
  asked === "off" ? undefined : { recipe: asked === "on" ? undefined : asked };

/**
 * Parses the environment.
 * @throws ZodError that names the variable
 */
export function readSettings(environment: Record<string, string | undefined>) {
  // An empty variable counts as not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const env = CheckedEnvironment.parse(given);
  const { embedded, demo, host, isLocal } = placeOf(env);
  return {
    port: env.PORT,
    host,
    /** Whether only browsers on this machine reach the service. With a proxy, others may. */
    isLocal,
    dataDir: resolve(env.TERRARIUM_DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    embedded,
    demo,
    roles: env.TERRARIUM_ROLES.length > 0 ? env.TERRARIUM_ROLES : [...roles],
    publicUrl: env.TERRARIUM_PUBLIC_URL,
    allowedOrigins: env.TERRARIUM_ALLOWED_ORIGINS,
    trustedProxies: env.TERRARIUM_TRUSTED_PROXIES,
    maxAppBytes: env.TERRARIUM_MAX_APP_MB * MB,
    maxCaptureBytes: env.TERRARIUM_CAPTURES_MB * MB,
    gateway: {
      port: env.TERRARIUM_GATEWAY_PORT,
      address: env.TERRARIUM_GATEWAY_ADDRESS,
      host: env.TERRARIUM_GATEWAY_HOST,
      zones: env.TERRARIUM_GATEWAY_ZONES,
      name: env.TERRARIUM_GATEWAY_NAME ?? `${hostname()}-${process.pid}`,
      /** Whether a server started this process and will stop it. */
      isChild: env.TERRARIUM_GATEWAY_NAME === "embedded",
    },
    /** Whether SIGTERM leaves devices to the next server. */
    leavesDevices: env.TERRARIUM_KEEP_DEVICES_SECONDS > 0,
    keepDevicesMs: 1000 * Math.max(LEAST_KEEP_SECONDS, env.TERRARIUM_KEEP_DEVICES_SECONDS),
    media: mediaOf(env, host, isLocal),
    runtimes: env.TERRARIUM_RUNTIMES,
    /** Undefined if there is none. */
    scrcpyServer: env.TERRARIUM_SCRCPY_SERVER ?? fetchedScrcpy(resolve(env.TERRARIUM_DATA_DIR)),
    catalogue: env.TERRARIUM_CATALOGUE,
    /** Undefined if mails are only stored. */
    mail: env.SMTP_URL ? { url: env.SMTP_URL, from: env.MAIL_FROM ?? DEMO_SENDER } : undefined,
    showcase: showcaseOf(env.TERRARIUM_SHOWCASE ?? (demo ? "on" : "off")),
    /** Whether a page shows the mails: only where whoever reaches the service knows the passwords of the demo accounts. */
    hasMailbox: isDemonstration(env) && env.SMTP_URL === undefined,
    botCheck: botCheckOf(env),
    webhookTargets: { allowsPrivate: env.TERRARIUM_PRIVATE_WEBHOOKS === "on" },
    offer: {
      currency: "USD" as const,
      minute_cents: env.TERRARIUM_MINUTE_CENTS,
      unlimited_monthly_cents: env.TERRARIUM_UNLIMITED_CENTS,
      annual_discount: env.TERRARIUM_ANNUAL_DISCOUNT,
      payg_threshold_cents: env.TERRARIUM_PAYG_THRESHOLD_CENTS,
      card_hold_cents: env.TERRARIUM_CARD_HOLD_CENTS,
      trial: { minutes: env.TERRARIUM_TRIAL_MINUTES, days: env.TERRARIUM_TRIAL_DAYS },
    },
    trialReviewDays: env.TERRARIUM_TRIAL_REVIEW_DAYS,
    payments: paymentsOf(env, { isTrial: embedded && env.NODE_ENV !== "production" }),
    taxes: taxesOf(env),
    sso: ssoOf(env),
    /** Whether Google and GitHub are played by this installation itself, so that a demonstration shows them at work. */
    hasStandIn: isDemonstration(env) && !env.GOOGLE_CLIENT_ID && !env.GITHUB_CLIENT_ID && !env.OIDC_ISSUER,
    /** Undefined if files are stored in the data directory. */
    s3: s3Of(env),
    operator: operatorOf(env, { mail: env.SMTP_URL ? "sent" : isDemonstration(env) ? "shown" : "kept" }),
    /** Undefined if nobody is asked for pictures. */
    avatarUrl: env.TERRARIUM_AVATARS === "off" ? undefined : env.TERRARIUM_AVATARS,
    logLevel: env.LOG_LEVEL,
    /** Undefined if they are not served. */
    metrics: env.METRICS_PORT === undefined ? undefined : { port: env.METRICS_PORT, host: env.METRICS_HOST },
    /** Undefined if nothing is traced. */
    tracing: env.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT, share: env.OTEL_TRACES_SAMPLER_ARG }
      : undefined,
    retention: {
      auditDays: env.TERRARIUM_AUDIT_DAYS,
      historyDays: env.TERRARIUM_HISTORY_DAYS,
      accountDays: env.TERRARIUM_ACCOUNT_DAYS,
    },
  };
}

/** Where the operator's tool puts the server of scrcpy. */
export const scrcpyServerFile = (dataDir: string): string => join(dataDir, "scrcpy-server-v4.1");

function fetchedScrcpy(dataDir: string): string | undefined {
  const path = scrcpyServerFile(dataDir);
  return existsSync(path) ? path : undefined;
}

export type Settings = ReturnType<typeof readSettings>;

/**
 * What is to be done for devices of a runtime to be offered, and their screens to be shown; null if nothing is missing.
 * @param more settings that it needs besides, as words before a command
 */
export function helpWith(
  runtime: "adb-pool" | "android-emulator" | "docker" | "kubernetes" | "qemu",
  { runtimes, scrcpyServer }: Pick<Settings, "runtimes" | "scrcpyServer">,
  more = "",
): string | null {
  const fetch = scrcpyServer === undefined ? "npm run operator -- scrcpy fetch && " : "";
  if (fetch + more === "" && runtimes.includes(runtime)) return null;
  // Also those that there are: who types this in another terminal has not set them.
  return `${fetch}TERRARIUM_RUNTIMES=${[...new Set([...runtimes, runtime])].join()} ${more}npm start`;
}

/**
 * The environment of a gateway that the server starts beside its embedded database. What would follow from there being a database is said,
 * so that the gateway sends video from where the server listens.
 */
export const gatewayEnvironment = (
  env: Record<string, string | undefined>,
  { host, databaseUrl }: { host: string; databaseUrl: string },
) => ({
  ...env,
  HOST: host,
  DATABASE_URL: databaseUrl,
  // Two processes cannot listen on one port; 0 is any for both.
  ...(env["METRICS_PORT"] && Number(env["METRICS_PORT"]) > 0
    ? { METRICS_PORT: String(Number(env["METRICS_PORT"]) + 1) }
    : {}),
  // It sends no mails; and with a database that it did not start, it is no demonstration, which may do without a sender.
  SMTP_URL: "",
  TERRARIUM_ROLES: "gateway",
  TERRARIUM_GATEWAY_NAME: "embedded",
});

/** The file with the embedded database's URL, which exists while the server runs. */
export const databaseUrlFile = (dataDir: string): string => join(dataDir, "database-url");
