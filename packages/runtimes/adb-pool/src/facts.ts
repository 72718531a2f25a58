import type { AdbLink } from "@terrarium/adb";
import type { FormFactor, HardwareSpec, ImageSpec } from "@terrarium/runtime";
import { runSections } from "./sections.ts";

/** What a device says of itself. */
export interface DeviceFacts {
  /** `Google Pixel 7` */
  name: string;
  model: string;
  image: ImageSpec;
  hardware: HardwareSpec;
  /** It plays scrcpy's server itself, as simulated devices do. */
  bringsScrcpy: boolean;
}

const QUESTIONS = {
  properties: "getprop",
  size: "wm size",
  density: "wm density",
  features: "pm list features",
  memory: "cat /proc/meminfo",
  processors: "nproc || grep -c ^processor /proc/cpuinfo",
  disk: "df -k /data",
  storage: "ls /sdcard/",
};

/** By the first of `ro.product.cpu.abilist`. */
const archs: Readonly<Record<string, ImageSpec["arch"]>> = { "arm64-v8a": "arm64", x86_64: "x86_64", x86: "x86" };

/** @throws Error that says what the device lacks to be offered */
export async function readFacts(link: Pick<AdbLink, "shell">, signal: AbortSignal): Promise<DeviceFacts> {
  // Before it has started and its files are there, all that come would be taken for somebody's who used it.
  const said = await runSections(link, QUESTIONS, signal, ["storage"]);
  if (!/^\[sys\.boot_completed\]: \[1\]$/m.test(said.properties)) throw new Error("it still starts");
  return factsOf(said);
}

export function factsOf(said: Record<Exclude<keyof typeof QUESTIONS, "storage">, string>): DeviceFacts {
  const properties = new Map(
    [...said.properties.matchAll(/^\[([^\]]+)\]: \[([^\]]*)\]$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  const get = (name: string): string => properties.get(name) ?? "";
  const sdkVersion = Number(get("ro.build.version.sdk"));
  if (!(sdkVersion >= 21)) throw new Error("it is no Android 5 or newer: getprop has no ro.build.version.sdk");
  const abi = (get("ro.product.cpu.abilist") || get("ro.product.cpu.abi")).split(",")[0] ?? "";
  const arch = archs[abi];
  if (!arch) throw new Error(`its processor is of no kind that can be offered: ${abi || "unknown"}`);
  const model = get("ro.product.model") || get("ro.product.device");
  const maker = get("ro.product.manufacturer");
  const name = model.toLowerCase().startsWith(maker.toLowerCase()) ? model : `${maker} ${model}`;
  // What somebody has set with `wm size` counts, as that is what the screen shows.
  const [, width, height] = /(?:Override|Physical) size: (\d+)x(\d+)\s*$/.exec(said.size) ?? [];
  const [, density] = /(?:Override|Physical) density: (\d+)\s*$/.exec(said.density) ?? [];
  if (!width || !height || !density) throw new Error("it has no screen: wm says no size");
  const release = get("ro.build.version.release");
  const [, osVersion] = /^(\d+(?:\.\d+)?)(?:\.\d+)*$/.exec(release) ?? [];
  if (!osVersion) throw new Error(`it runs a preview of Android, "${release.slice(0, 40)}", which has no number`);
  return {
    name,
    model,
    image: {
      artefact: `model:${model}`,
      osVersion: osVersion.includes(".") ? osVersion : `${osVersion}.0`,
      sdkVersion,
      arch,
      imageVersion: get("ro.build.id") || get("ro.build.version.incremental"),
    },
    hardware: {
      name,
      formFactor: formFactorOf(said.features, get("ro.build.characteristics")),
      displays: [{ width: Number(width), height: Number(height), density: Number(density) }],
      hwNavigationKeys: get("qemu.hw.mainkeys") === "1",
      cpuCount: Number(/^\d+/.exec(said.processors.trim())?.[0] ?? 1),
      ramMb: Math.round(Number(/MemTotal:\s+(\d+) kB/.exec(said.memory)?.[1] ?? 0) / 1024),
      dataDiskMb: Math.round(
        Number(/^\S+\s+(\d+)\s.*$/m.exec(said.disk.split("\n").slice(1).join("\n"))?.[1] ?? 0) / 1024,
      ),
      properties: { product_model: model, product_manufacturer: maker, product_brand: get("ro.product.brand") },
    },
    bringsScrcpy: said.features.includes("android.software.terrarium_simulated"),
  };
}

function formFactorOf(features: string, characteristics: string): FormFactor {
  if (features.includes("android.hardware.type.watch")) return "WATCH";
  if (features.includes("android.hardware.type.automotive")) return "CAR";
  if (features.includes("android.software.leanback") || features.includes("android.hardware.type.television"))
    return "TV";
  return characteristics.split(",").includes("tablet") ? "TABLET" : "PHONE";
}
