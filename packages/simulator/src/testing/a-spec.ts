import type { HardwareSpec, ImageSpec, MachineSpec } from "@terrarium/runtime";

/** A phone for tests; what is named replaces what it would have. */
export function aSpec({
  image,
  hardware,
  ...rest
}: Partial<Omit<MachineSpec, "image" | "hardware">> & {
  image?: Partial<ImageSpec>;
  hardware?: Partial<HardwareSpec>;
} = {}): MachineSpec {
  return {
    id: "6f9c1f0e-7a7b-4e0e-8f6c-2a2b7c1d9e10",
    boot: 1,
    name: "Test phone",
    layers: [],
    ...rest,
    image: {
      artefact: "simulated",
      osVersion: "14.0",
      sdkVersion: 34,
      arch: "x86_64",
      imageVersion: "1.2.0",
      ...image,
    },
    hardware: {
      name: "Custom Phone",
      formFactor: "PHONE",
      displays: [{ width: 360, height: 640, density: 160 }],
      hwNavigationKeys: false,
      cpuCount: 4,
      ramMb: 4096,
      dataDiskMb: 16_384,
      properties: {},
      ...hardware,
    },
  };
}
