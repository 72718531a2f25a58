import { hostname } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";
import { MailboxText } from "./platform/mail/mail.ts";

const roles = ["api", "realtime", "jobs", "gateway"] as const;
export type Role = (typeof roles)[number];

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  );

const Environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().default("0.0.0.0"),
  TERRARIUM_DATA_DIR: z.string().default(".data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  TERRARIUM_DEMO: z.enum(["on", "off"]).optional(),
  TERRARIUM_ROLES: list.pipe(z.array(z.enum(roles))),
  /** How browsers reach this service, when that is not what the request says: `https://devices.example.com`. */
  TERRARIUM_PUBLIC_URL: z.url().optional(),
  TERRARIUM_TRUSTED_PROXIES: list,
  /** Where the gateway of this process listens for viewers, and how the api finds it. */
  TERRARIUM_GATEWAY_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  TERRARIUM_GATEWAY_HOST: z.string().default("127.0.0.1"),
  TERRARIUM_GATEWAY_ADDRESS: z.string().optional(),
  /** The gateway's name in leases: one that comes back under it takes its devices back at once. */
  TERRARIUM_GATEWAY_NAME: z.string().max(100).optional(),
  /** The ways of running Android that this installation has. */
  TERRARIUM_RUNTIMES: list.transform((names) => (names.length > 0 ? names : ["simulator"])),
  /** One UDP port for all video, and the address browsers find it at. */
  TERRARIUM_MEDIA_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  TERRARIUM_MEDIA_ADDRESS: z.string().optional(),
  TERRARIUM_MAX_DEVICES: z.coerce.number().int().min(1).max(100_000).default(1000),
  /** More recipes, hardware profiles and images: a file like the built-in catalogue. */
  TERRARIUM_CATALOGUE: z.string().optional(),
  /** The server that sends our mails, `smtp://user:password@host:587` or `smtps://`, and whom they are from. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: MailboxText.optional(),
  /** An S3-compatible service that keeps files, instead of the data directory. */
  S3_URL: z.url({ protocol: /^https?$/ }).optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("warn"),
  NODE_ENV: z.string().optional(),
});

/** What only makes sense together. */
const together = [
  ["SMTP_URL", "MAIL_FROM"],
  ["S3_URL", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
] as const;
const CheckedEnvironment = Environment.superRefine((env, context) => {
  for (const [first, ...others] of together)
    for (const other of others)
      if (env[first] && !env[other])
        context.addIssue({ code: "custom", path: [other], message: `Needed with ${first}` });
});

/** Where S3 is, when it is wanted. */
function s3Of(env: z.infer<typeof Environment>) {
  const { S3_URL: url, S3_BUCKET: bucket, S3_REGION: region } = env;
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  return url && bucket && accessKeyId && secretAccessKey
    ? { url, bucket, region, accessKeyId, secretAccessKey }
    : undefined;
}

/** Everything an operator can choose, read once. Throws a ZodError that names the variable. */
export function readSettings(environment: Record<string, string | undefined>) {
  // An empty variable is one that is not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const env = CheckedEnvironment.parse(given);
  const embedded = env.DATABASE_URL === undefined;
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.TERRARIUM_DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    embedded,
    demo: embedded && env.NODE_ENV !== "production" && env.TERRARIUM_DEMO !== "off",
    roles: env.TERRARIUM_ROLES.length > 0 ? env.TERRARIUM_ROLES : [...roles],
    publicUrl: env.TERRARIUM_PUBLIC_URL,
    trustedProxies: env.TERRARIUM_TRUSTED_PROXIES,
    gateway: {
      port: env.TERRARIUM_GATEWAY_PORT,
      address: env.TERRARIUM_GATEWAY_ADDRESS,
      host: env.TERRARIUM_GATEWAY_HOST,
      name: env.TERRARIUM_GATEWAY_NAME ?? `${hostname()}-${process.pid}`,
      /** Another process of ours started this one and tells it when to stop. */
      isChild: env.TERRARIUM_GATEWAY_NAME === "embedded",
    },
    media: { port: env.TERRARIUM_MEDIA_PORT, address: env.TERRARIUM_MEDIA_ADDRESS },
    runtimes: env.TERRARIUM_RUNTIMES,
    maxDevices: env.TERRARIUM_MAX_DEVICES,
    catalogue: env.TERRARIUM_CATALOGUE,
    /** Undefined when mails are kept in the database and not sent. */
    mail: env.SMTP_URL && env.MAIL_FROM ? { url: env.SMTP_URL, from: env.MAIL_FROM } : undefined,
    /** Undefined when files are kept in the data directory. */
    s3: s3Of(env),
    logLevel: env.LOG_LEVEL,
  };
}

export type Settings = ReturnType<typeof readSettings>;
