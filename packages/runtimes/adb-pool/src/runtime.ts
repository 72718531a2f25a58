import { adbKeyIn } from "@terrarium/adb";
import { defineRuntime } from "@terrarium/runtime";
import { z } from "zod";
import { adbPool } from "./adb-pool.ts";

const DEFAULT_SERVER = { host: "127.0.0.1", port: 5037 };

/** `host:port`; an IPv6 address stands in brackets. */
const Address = z.string().transform((text, context) => {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text.trim()) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) };
  context.addIssue({ code: "custom", message: `"${text}" is not host:port` });
  return z.NEVER;
});

const settings = z.object({
  TERRARIUM_ADB_POOL_ENDPOINTS: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((part) => part.trim() !== ""))
    .pipe(z.array(Address).max(1000))
    .meta({ description: "`host:port` of adb on phones and emulators, separated by commas", shown: "none" }),
  TERRARIUM_ADB_POOL_SERVER: z
    .literal("off")
    .or(Address)
    .default(DEFAULT_SERVER)
    .meta({
      description:
        "`host:port` of an adb server, whose devices (USB, Wi-Fi, emulators) are in the pool too; `off` for none",
      shown: `\`${DEFAULT_SERVER.host}:${DEFAULT_SERVER.port}\``,
    }),
  TERRARIUM_ADB_POOL_GRACE_SECONDS: z.coerce
    .number()
    .int()
    .min(0)
    .max(3600)
    .default(20)
    .describe("how long a device of the pool may be unplugged before its session ends"),
});

export const runtime = defineRuntime({
  name: "adb-pool",
  settings,
  create: ({ settings: env, dataDir, clock, log }) =>
    adbPool({
      dataDir,
      clock,
      log,
      adbKey: adbKeyIn(dataDir),
      endpoints: env.TERRARIUM_ADB_POOL_ENDPOINTS,
      server: env.TERRARIUM_ADB_POOL_SERVER === "off" ? undefined : env.TERRARIUM_ADB_POOL_SERVER,
      graceMs: env.TERRARIUM_ADB_POOL_GRACE_SECONDS * 1000,
    }),
});
