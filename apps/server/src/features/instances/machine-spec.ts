import type { MachineSpec } from "@terrarium/runtime";
import type { InstanceFields } from "./move-instance.ts";

/** What a runtime must bring up for a device, from what it was made of when it was asked for. */
export function machineSpecOf({
  uuid,
  boot,
  name,
  snapshot,
}: Pick<InstanceFields, "uuid" | "boot" | "name" | "snapshot">): MachineSpec {
  const { hardwareProfile: profile, osImage: image } = snapshot;
  return {
    id: uuid,
    boot,
    name,
    image: {
      artefact: image.artefact,
      osVersion: image.osVersion,
      sdkVersion: image.sdkVersion,
      arch: image.arch,
      imageVersion: image.imageVersion,
    },
    hardware: {
      name: profile.name,
      formFactor: profile.displayMode === "FOLDABLE" ? "FOLDABLE" : profile.formFactor,
      displays: profile.displays.map(({ width, height, density, ...display }) => ({
        width,
        height,
        density,
        physicalInches: display.physical_size ?? undefined,
        showNavigationBar: display.show_navigation_bar ?? !profile.hwNavigationKeys,
      })),
      hwNavigationKeys: profile.hwNavigationKeys,
      cpuCount: profile.cpuCount,
      ramMb: profile.ramSize,
      dataDiskMb: profile.dataDiskSize,
      properties: profile.properties,
    },
    layers: image.layers ?? [],
  };
}
