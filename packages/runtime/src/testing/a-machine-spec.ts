import type { MachineSpec } from "../machine.ts";

/** A phone with Android 14; what is named replaces what it would have. */
export const aMachineSpec = (part: Partial<MachineSpec> = {}): MachineSpec => ({
  id: "0b9f6a34-52c1-4f0e-9d0e-1f3a5b7c9d11",
  boot: 1,
  name: "A phone",
  image: { artefact: "test", osVersion: "14.0", sdkVersion: 34, arch: "x86_64", imageVersion: "1" },
  hardware: {
    name: "Phone",
    formFactor: "PHONE",
    displays: [{ width: 360, height: 640, density: 160 }],
    hwNavigationKeys: false,
    cpuCount: 2,
    ramMb: 2048,
    dataDiskMb: 4096,
    properties: {},
  },
  layers: [],
  ...part,
});
