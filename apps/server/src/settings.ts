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

const port = z.coerce.number().int().min(0).max(65_535);

/**
 * The environment variables of the server; those of a runtime are in its own package. Each is described by its row in the
 * README's table, which `npm run generate` prints from here; `shown` is what stands for a default that has no value.
 */
export const Environment = z.object({
  PORT: port.default(8080).describe("where the web app and the API answer; `0` takes a free one"),
  HOST: z.string().default("0.0.0.0").describe("the address to listen on"),
  TERRARIUM_DATA_DIR: z.string().default(".data").describe("the embedded database, devices' files, keys"),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe("a PostgreSQL 15 or newer of yours, instead of the embedded one; the demo is closed then"),
  TERRARIUM_DEMO: z.enum(["on", "off"]).optional().meta({
    description: "`off` closes the demo accounts; they are always closed with `DATABASE_URL` or `NODE_ENV=production`",
    shown: "`on`",
  }),
  TERRARIUM_ROLES: list.pipe(z.array(z.enum(roles))).meta({
    description: `what this process does, of \`${roles.join()}\``,
    shown: "all",
  }),
  TERRARIUM_PUBLIC_URL: z.url().optional().meta({
    description: "how browsers reach the service: `https://devices.example.com`",
    shown: "as requested",
  }),
  TERRARIUM_TRUSTED_PROXIES: list.describe("addresses of the proxies in front, whose `X-Forwarded-*` is believed"),
  TERRARIUM_RUNTIMES: list
    .transform((names) => (names.length > 0 ? names : ["simulator"]))
    .meta({ description: "the ways of running devices; the simulator is the only one so far", shown: "`simulator`" }),
  TERRARIUM_GATEWAY_NAME: z.string().max(100).optional().meta({
    description: "names a gateway in its leases; one that comes back under its name takes its devices back at once",
    shown: "host and pid",
  }),
  TERRARIUM_GATEWAY_HOST: z.string().default("127.0.0.1").describe("the address the gateway listens on"),
  TERRARIUM_GATEWAY_PORT: port.default(0).meta({
    description: "where the gateway listens for viewers that the api hands on",
    shown: "a free one",
  }),
  TERRARIUM_GATEWAY_ADDRESS: z.string().optional().meta({
    description: "`host:port` at which the api finds it",
    shown: "its own",
  }),
  TERRARIUM_MEDIA_PORT: port.default(0).meta({ description: "one UDP port for all video", shown: "free ones" }),
  TERRARIUM_MEDIA_ADDRESS: z.string().optional().meta({
    description: "the address at which browsers find that port",
    shown: "found out",
  }),
  TERRARIUM_SCRCPY_SERVER: z
    .string()
    .optional()
    .describe(
      "the file `scrcpy-server-v4.1` of scrcpy's release, which shows the screens of devices that are not simulated",
    ),
  TERRARIUM_CATALOGUE: z.string().optional().describe("a file with more recipes, hardware profiles and images"),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/ })
    .optional()
    .describe("sends mails by this server, `smtp://user:password@host:587`; without it they stay in the database"),
  MAIL_FROM: MailboxText.optional().describe(
    "whom mails are from, `Terrarium <devices@example.com>`; needed with `SMTP_URL`",
  ),
  S3_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe("keeps files in this S3-compatible service instead of the data directory (nothing is kept there yet)"),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional()
    .describe("the bucket, which is there already"),
  S3_REGION: z.string().default("us-east-1").describe("the region that requests are signed for"),
  S3_ACCESS_KEY_ID: z.string().optional().describe("the key that signs"),
  S3_SECRET_ACCESS_KEY: z.string().optional().describe("its secret half"),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("warn")
    .describe("`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`"),
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
    scrcpyServer: env.TERRARIUM_SCRCPY_SERVER,
    catalogue: env.TERRARIUM_CATALOGUE,
    /** Undefined when mails are kept in the database and not sent. */
    mail: env.SMTP_URL && env.MAIL_FROM ? { url: env.SMTP_URL, from: env.MAIL_FROM } : undefined,
    /** Undefined when files are kept in the data directory. */
    s3: s3Of(env),
    logLevel: env.LOG_LEVEL,
  };
}

export type Settings = ReturnType<typeof readSettings>;
