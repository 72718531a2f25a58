import { adbKeyIn } from "@terrarium/adb";
import { defineRuntime } from "@terrarium/runtime";
import { join } from "node:path";
import { z } from "zod";
import { qemuRuntime } from "./qemu-runtime.ts";

const settings = z.object({
  TERRARIUM_QEMU_IMAGES: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((part) => part.trim().replace(/\/+$/, ""))
        .filter((part) => part !== ""),
    )
    .meta({
      description:
        "disks (`.qcow2`, `.raw`, `.img`), or folders with disks and a kernel, whose guests answer adb on port 5555, separated by commas",
      shown: "none",
    }),
  TERRARIUM_QEMU_ACCEL: z
    .enum(["auto", "kvm", "tcg"])
    .default("auto")
    .describe("what runs the guests: `kvm`; `tcg`, which is slow; `auto` for `kvm` where a trial guest boots with it"),
  TERRARIUM_QEMU_MAX_DEVICES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(20)
    .describe("devices at once in QEMU; the machine's memory may allow fewer"),
  TERRARIUM_QEMU_INTERNET: z
    .enum(["on", "off"])
    .default("off")
    .describe(
      "`on` lets devices in QEMU reach what the gateway reaches, also what listens on its loopback: the adb of other devices",
    ),
  TERRARIUM_QEMU_BOOT_SECONDS: z.coerce
    .number()
    .int()
    .min(10)
    .max(240)
    .default(200)
    .describe("how long Android in QEMU may take to start; after 240 every start is over"),
  TERRARIUM_QEMU_QUICK_BOOT: z
    .enum(["on", "off"])
    .default("on")
    .describe(
      "`on` keeps memory and disks of the first device of each kind in QEMU, once it has started; equal ones start from that",
    ),
  TERRARIUM_QEMU_SAVE_MEMORY: z
    .enum(["on", "off"])
    .default("off")
    .describe("`on` saves the memory of devices in QEMU as well, so that they go on where they were, and do not boot"),
});

export const runtime = defineRuntime({
  name: "qemu",
  settings,
  create: ({ settings: env, dataDir, layers, clock, log }) =>
    qemuRuntime({
      dataDir,
      layers,
      clock,
      log,
      adbKey: adbKeyIn(dataDir),
      images: env.TERRARIUM_QEMU_IMAGES,
      accel: env.TERRARIUM_QEMU_ACCEL,
      maxDevices: env.TERRARIUM_QEMU_MAX_DEVICES,
      hasInternet: env.TERRARIUM_QEMU_INTERNET === "on",
      quickDir: env.TERRARIUM_QEMU_QUICK_BOOT === "on" ? join(dataDir, "qemu-quick") : undefined,
      savesMemory: env.TERRARIUM_QEMU_SAVE_MEMORY === "on",
      bootMs: env.TERRARIUM_QEMU_BOOT_SECONDS * 1000,
    }),
});
