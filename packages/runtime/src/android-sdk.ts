import { readdir, readFile, access } from "node:fs/promises";
import { join } from "node:path";
import type { ImageSpec } from "./machine.ts";
import { osVersionOf } from "./offered.ts";

/** Android for Google's emulator, as the SDK holds it. */
export interface SystemImage {
  /** As sdkmanager names it: `system-images;android-34;google_apis;x86_64` */
  name: string;
  /** Its folder. */
  path: string;
  /** `x86_64`, `arm64-v8a` */
  abi: string;
  arch: ImageSpec["arch"];
  sdkVersion: number;
  osVersion: string;
  /** `google_apis`, `default`, `android-tv` */
  tag: string;
  revision: string;
}

const archs: Readonly<Record<string, ImageSpec["arch"]>> = { "arm64-v8a": "arm64", x86_64: "x86_64", x86: "x86" };

/** The first of these folders that is an Android SDK with an emulator. */
export async function findAndroidSdk(places: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const place of places) if (place && (await isThere(join(place, "emulator/emulator")))) return place;
  return undefined;
}

/** Where an Android SDK is looked for, the likeliest first. */
export const androidSdkPlaces = (
  env: Partial<Record<"TERRARIUM_ANDROID_EMULATOR_SDK" | "ANDROID_HOME" | "ANDROID_SDK_ROOT", string | undefined>>,
  home: string,
): (string | undefined)[] => [
  env.TERRARIUM_ANDROID_EMULATOR_SDK,
  env.ANDROID_HOME,
  env.ANDROID_SDK_ROOT,
  join(home, "Android/Sdk"),
  join(home, "Library/Android/sdk"),
];

/** The system images of an SDK that are whole, in `system-images/<platform>/<tag>/<abi>`. */
export async function systemImagesOf(sdk: string): Promise<SystemImage[]> {
  const root = join(sdk, "system-images");
  const images: SystemImage[] = [];
  for (const platform of await namesIn(root))
    for (const tag of await namesIn(join(root, platform)))
      for (const abi of await namesIn(join(root, platform, tag))) {
        const image = await readImage(join(root, platform, tag, abi), ["system-images", platform, tag, abi].join(";"));
        if (image) images.push(image);
      }
  return images;
}

/** The lines `name=value` of a file; none if there is no such file. */
export async function propertiesIn(path: string): Promise<Map<string, string>> {
  const text = await readFile(path, "utf8").catch(() => "");
  return new Map(
    [...text.matchAll(/^\s*([^#=\s][^=\n]*?)\s*=[ \t]*(.*?)\s*$/gm)].map(([, key = "", value = ""]) => [key, value]),
  );
}

/** Undefined of one that is half downloaded, a preview, or for a processor that nobody is offered. */
async function readImage(path: string, name: string): Promise<SystemImage | undefined> {
  const [said, build] = await Promise.all([
    propertiesIn(join(path, "source.properties")),
    propertiesIn(join(path, "build.prop")),
  ]);
  const abi = said.get("SystemImage.Abi") ?? "";
  const arch = archs[abi];
  const sdkVersion = Number(said.get("AndroidVersion.ApiLevel"));
  const isPreview = (said.get("AndroidVersion.CodeName") ?? "REL") !== "REL";
  if (!arch || !(sdkVersion >= 21) || isPreview || !(await isThere(join(path, "system.img")))) return undefined;
  const release = build.get("ro.build.version.release") ?? build.get("ro.system.build.version.release");
  const osVersion = /^\d+(\.\d+)?$/.test(release ?? "") ? release! : (osVersionOf(sdkVersion) ?? "");
  if (osVersion === "") return undefined;
  return {
    name,
    path,
    abi,
    arch,
    sdkVersion,
    osVersion: osVersion.includes(".") ? osVersion : `${osVersion}.0`,
    tag: said.get("SystemImage.TagId") ?? "default",
    revision: said.get("Pkg.Revision") ?? "1",
  };
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch((): string[] => [])).toSorted();

/** Whether there is a file or folder. */
export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
