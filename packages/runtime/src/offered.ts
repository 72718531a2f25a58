import type { HardwareSpec, ImageSpec } from "./machine.ts";

/** What a device of an image has whose operator has made no other profile. */
export const offeredHardware: Omit<HardwareSpec, "name"> = {
  formFactor: "PHONE",
  displays: [{ width: 720, height: 1280, density: 320 }],
  hwNavigationKeys: false,
  cpuCount: 2,
  ramMb: 4096,
  dataDiskMb: 16_384,
  properties: {},
};
/** By the version of Android in an image's tag. */
const apiLevels: Readonly<Record<string, number>> = {
  "8.1": 27,
  "9.0": 28,
  "10.0": 29,
  "11.0": 30,
  "12.0": 31,
  "13.0": 33,
  "14.0": 34,
  "15.0": 35,
  "16.0": 36,
};

/** By a version of Android as it stands in the name of an image, `14.0`; undefined of one that is not known. */
export const apiLevelOf = (osVersion: string): number | undefined => apiLevels[osVersion];

/** Why a container image cannot be offered. */
export const NO_VERSION =
  "its tag does not say which Android it is, as that of redroid/redroid:14.0.0-latest; describe it in a catalogue file";

/** What a container image is whose tag says which Android it has; undefined if it does not. */
export function imageByTag(artefact: string, arch: string, imageVersion: string): ImageSpec | undefined {
  const [, osVersion = ""] = /:(\d+\.\d+)(?!.*:)/.exec(artefact) ?? [];
  const sdkVersion = apiLevelOf(osVersion);
  if (sdkVersion === undefined) return undefined;
  return { artefact, osVersion, sdkVersion, arch: arch.startsWith("arm") ? "arm64" : "x86_64", imageVersion };
}

/** By an API level; undefined of one that is not known. */
export const osVersionOf = (sdkVersion: number): string | undefined =>
  Object.keys(apiLevels).find((osVersion) => apiLevels[osVersion] === sdkVersion);
