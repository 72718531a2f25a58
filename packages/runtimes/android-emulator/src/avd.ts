import type { MachineSpec, SystemImage } from "@terrarium/runtime";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Where the files of a device's AVD are; its name is the device's id. */
export const avdFolderOf = (folder: string, id: string): string => join(folder, `${id}.avd`);

/** Writes what the emulator reads of an AVD, as avdmanager does. Nothing that a customer has named is in it. */
export async function writeAvd(folder: string, { id, hardware }: MachineSpec, image: SystemImage): Promise<void> {
  const avd = avdFolderOf(folder, id);
  await mkdir(avd, { recursive: true, mode: 0o700 });
  await writeFile(
    join(folder, `${id}.ini`),
    ini({ "avd.ini.encoding": "UTF-8", path: avd, target: `android-${image.sdkVersion}` }),
  );
  await writeFile(join(avd, "config.ini"), configOf(hardware, image));
}

/** The same for equal devices. */
export function configOf(hardware: MachineSpec["hardware"], image: SystemImage): string {
  const { width = 720, height = 1280, density = 320 } = hardware.displays[0] ?? {};
  return ini({
    "avd.ini.encoding": "UTF-8",
    "abi.type": image.abi,
    "tag.id": image.tag,
    "image.sysdir.1": `${image.path}/`,
    "disk.dataPartition.size": `${hardware.dataDiskMb}M`,
    "hw.lcd.width": width,
    "hw.lcd.height": height,
    "hw.lcd.density": density,
    "hw.initialOrientation": width > height ? "landscape" : "portrait",
    "skin.name": `${width}x${height}`,
    "skin.path": `${width}x${height}`,
    showDeviceFrame: "no",
    "hw.cpu.arch": image.abi === "arm64-v8a" ? "arm64" : image.abi,
    "hw.cpu.ncore": hardware.cpuCount,
    "hw.ramSize": hardware.ramMb,
    "hw.mainKeys": hardware.hwNavigationKeys ? "yes" : "no",
    "hw.keyboard": "yes",
    "hw.gpu.enabled": "yes",
    "hw.gpu.mode": "auto",
    "hw.gps": "yes",
    "hw.battery": "yes",
    "hw.accelerometer": "yes",
    "hw.audioInput": "no",
    "hw.camera.back": "none",
    "hw.camera.front": "none",
    "hw.sdCard": "no",
    "PlayStore.enabled": image.tag.includes("playstore") ? "yes" : "no",
  });
}

const ini = (lines: Record<string, string | number>): string =>
  Object.entries(lines)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
