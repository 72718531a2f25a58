import { defineRuntime } from "@terrarium/runtime";
import { z } from "zod";
import { simulatorRuntime } from "./simulator-runtime.ts";

const settings = z.object({
  TERRARIUM_SIMULATOR_MAX_DEVICES: z.coerce
    .number()
    .int()
    .min(1)
    .max(100_000)
    .default(1000)
    .describe("simulated devices at once"),
  TERRARIUM_SIMULATOR_MAX_DISK_MB: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(2048)
    .describe("the most that one simulated device may write, whatever its profile says, in MiB"),
});

export const runtime = defineRuntime({
  name: "simulator",
  settings,
  create: ({ settings: env, dataDir, clock, log }) =>
    simulatorRuntime({
      dataDir,
      clock,
      log,
      maxDevices: env.TERRARIUM_SIMULATOR_MAX_DEVICES,
      maxDiskMb: env.TERRARIUM_SIMULATOR_MAX_DISK_MB,
    }),
});
