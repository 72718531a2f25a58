import { defineRuntime } from "@terrarium/runtime";
import { z } from "zod";
import {
  DEFAULT_DEVICES_PER_HOST,
  DEFAULT_LAYER_CACHE_MB,
  DEFAULT_MAX_DEVICES,
  simulatorRuntime,
} from "./simulator-runtime.ts";

const settings = z.object({
  TERRARIUM_SIMULATOR_MAX_DEVICES: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(DEFAULT_MAX_DEVICES)
    .describe("simulated devices at once"),
  TERRARIUM_SIMULATOR_PER_HOST: z.coerce
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(DEFAULT_DEVICES_PER_HOST)
    .describe(
      "the most simulated devices in one host process; up to four processes, but no more than cores, share the devices before one is full",
    ),
  TERRARIUM_SIMULATOR_MAX_DISK_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(2048)
    .describe("the most that one simulated device may write, whatever its profile says, in MiB"),
  TERRARIUM_SIMULATOR_LAYER_CACHE_MB: z.coerce
    .number()
    .int()
    .min(0)
    .max(10_000_000)
    .default(DEFAULT_LAYER_CACHE_MB)
    .describe("how much of saved devices is kept on the gateway's disk besides what running ones use, in MiB"),
});

export const runtime = defineRuntime({
  name: "simulator",
  settings,
  create: ({ settings: env, dataDir, keepMs, layers, clock, log }) =>
    simulatorRuntime({
      dataDir,
      clock,
      log,
      layers,
      layerCacheMb: env.TERRARIUM_SIMULATOR_LAYER_CACHE_MB,
      orphanMs: keepMs,
      maxDevices: env.TERRARIUM_SIMULATOR_MAX_DEVICES,
      devicesPerHost: env.TERRARIUM_SIMULATOR_PER_HOST,
      maxDiskMb: env.TERRARIUM_SIMULATOR_MAX_DISK_MB,
    }),
});
