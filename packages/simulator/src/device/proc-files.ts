import type { MachineSpec } from "@terrarium/runtime";
import { androidVersion } from "./android-version.ts";
import type { SimulatedDevice } from "./simulated-device.ts";

/** The memory of the hardware profile, of which a fixed fifth is in use. */
export function memoryOf({ spec }: { spec: MachineSpec }): { totalKib: number; freeKib: number } {
  const totalKib = spec.hardware.ramMb * 1024;
  return { totalKib, freeKib: Math.floor(totalKib * 0.8) };
}

/** The kernel an Android of this level commonly runs. */
export function kernelRelease(sdkVersion: number): string {
  if (sdkVersion >= 35) return "6.6.30-android15-8-simulated";
  if (sdkVersion >= 33) return "6.1.23-android14-4-simulated";
  if (sdkVersion >= 30) return "5.4.61-android11-2-simulated";
  return sdkVersion >= 28 ? "4.14.175-simulated" : "3.18.94-simulated";
}

/** The content of a file that is generated when it is read. */
export function makeFile(device: SimulatedDevice, name: string): Uint8Array {
  const text = maker[name]?.(device) ?? `${name}: a simulated device has no code here\n`;
  return new TextEncoder().encode(text);
}

/** Major and minor number of the disk that holds /data. */
const DATA_DISK = "253:5";

const upSeconds = (device: SimulatedDevice) => (device.uptimeMs / 1000).toFixed(2);

const maker: Record<string, (device: SimulatedDevice) => string> = {
  "build.prop": (device) =>
    `# begin build properties\n${device.properties
      .entries()
      .filter(([name]) => name.startsWith("ro."))
      .map(([name, value]) => `${name}=${value}\n`)
      .join("")}# end build properties\n`,
  hosts: () => "127.0.0.1       localhost\n::1             ip6-localhost\n",
  "battery/capacity": (device) => `${device.state.values.battery.level}\n`,
  "battery/status": (device) =>
    `${{ charging: "Charging", discharging: "Discharging", full: "Full" }[device.state.values.battery.status]}\n`,
  "blkio/read_bps": ({ state }) => (state.values.diskReadRate > 0 ? `${DATA_DISK} ${state.values.diskReadRate}\n` : ""),
  "proc/cmdline": (device) =>
    `androidboot.hardware=terrarium androidboot.serialno=${device.properties.get("ro.serialno")} terrarium.simulated=1\n`,
  "proc/cpuinfo": ({ spec }) =>
    Array.from({ length: spec.hardware.cpuCount }, (_, at) =>
      spec.image.arch === "arm64"
        ? `processor\t: ${at}\nBogoMIPS\t: 38.40\nFeatures\t: fp asimd evtstrm aes pmull sha1 sha2 crc32\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: 0xd05\nCPU revision\t: 0\n\n`
        : `processor\t: ${at}\nvendor_id\t: Terrarium\nmodel name\t: Simulated ${spec.image.arch} processor\nflags\t\t: fpu sse sse2 ssse3 sse4_1 sse4_2\ncpu cores\t: ${spec.hardware.cpuCount}\n\n`,
    ).join("") + `Hardware\t: Terrarium simulated device\n`,
  "proc/filesystems": () => "nodev\tsysfs\nnodev\ttmpfs\nnodev\tproc\n\text4\n\tfuse\n",
  "proc/loadavg": () => "0.00 0.00 0.00 1/12 2000\n",
  "proc/meminfo": (device) => {
    const { totalKib, freeKib } = memoryOf(device);
    const row = (name: string, kib: number) => `${`${name}:`.padEnd(16)}${String(kib).padStart(8)} kB\n`;
    return (
      row("MemTotal", totalKib) +
      row("MemFree", freeKib) +
      row("MemAvailable", freeKib) +
      row("Buffers", 0) +
      row("Cached", 0) +
      row("SwapTotal", 0) +
      row("SwapFree", 0)
    );
  },
  "proc/mounts": () =>
    "/dev/block/dm-0 / ext4 ro,seclabel,relatime 0 0\ntmpfs /dev tmpfs rw,seclabel,nosuid,relatime 0 0\nproc /proc proc rw,relatime 0 0\n" +
    "/dev/block/dm-5 /data ext4 rw,seclabel,nosuid,nodev,noatime 0 0\n/dev/fuse /storage/emulated fuse rw,nosuid,nodev,noexec,noatime 0 0\n",
  "proc/stat": (device) =>
    `cpu  0 0 0 ${Math.floor(device.uptimeMs / 10)} 0 0 0 0 0 0\nbtime ${Math.floor((device.clock.now() - device.uptimeMs) / 1000)}\n`,
  "proc/uptime": (device) => `${upSeconds(device)} ${upSeconds(device)}\n`,
  "proc/version": (device) =>
    `Linux version ${device.kernelRelease} (terrarium@simulator) #1 SMP PREEMPT ${androidVersion(device.spec.image.sdkVersion).buildId}\n`,
};
