import { adbKeyIn } from "@terrarium/adb";
import { androidSdkPlaces, defineRuntime } from "@terrarium/runtime";
import { homedir } from "node:os";
import { z } from "zod";
import { androidEmulator } from "./emulator-runtime.ts";

const settings = z.object({
  TERRARIUM_ANDROID_EMULATOR_SDK: z.string().optional().meta({
    description: "the folder of an Android SDK with an emulator and system images",
    shown: "`ANDROID_HOME`, `ANDROID_SDK_ROOT`, `~/Android/Sdk`",
  }),
  ANDROID_HOME: z.string().optional().describe("where an Android SDK is looked for, as its own tools do"),
  ANDROID_SDK_ROOT: z.string().optional().describe("an older name of `ANDROID_HOME`"),
  TERRARIUM_ANDROID_EMULATOR_ACCEL: z
    .enum(["auto", "on", "off"])
    .default("auto")
    .describe(
      "whether the processor runs the emulators' guests; `off` is too slow for most; `auto` for `on` where KVM works",
    ),
  TERRARIUM_ANDROID_EMULATOR_MAX_DEVICES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1000)
    .default(8)
    .describe("emulators at once; the machine's memory may allow fewer"),
  TERRARIUM_ANDROID_EMULATOR_INTERNET: z
    .enum(["on", "off"])
    .default("off")
    .describe(
      "`on` lets emulators reach what the gateway reaches, also what listens on its loopback: the adb of other devices",
    ),
  TERRARIUM_ANDROID_EMULATOR_QUICK_BOOT: z
    .enum(["on", "off"])
    .default("on")
    .describe("`on` starts equal devices from a snapshot of the first one, made when it had just started"),
  TERRARIUM_ANDROID_EMULATOR_BOOT_SECONDS: z.coerce
    .number()
    .int()
    .min(10)
    .max(240)
    .default(200)
    .describe("how long Android in an emulator may take to start; after 240 every start is over"),
});

export const runtime = defineRuntime({
  name: "android-emulator",
  settings,
  create: ({ settings: env, dataDir, layers, clock, log }) =>
    androidEmulator({
      dataDir,
      layers,
      clock,
      log,
      adbKey: adbKeyIn(dataDir),
      sdkPlaces: androidSdkPlaces(env, homedir()),
      accel: env.TERRARIUM_ANDROID_EMULATOR_ACCEL,
      maxDevices: env.TERRARIUM_ANDROID_EMULATOR_MAX_DEVICES,
      hasInternet: env.TERRARIUM_ANDROID_EMULATOR_INTERNET === "on",
      bootsQuickly: env.TERRARIUM_ANDROID_EMULATOR_QUICK_BOOT === "on",
      bootMs: env.TERRARIUM_ANDROID_EMULATOR_BOOT_SECONDS * 1000,
    }),
});
