import type { Accel, MachineSpec } from "@terrarium/runtime";
import type { Arch, QemuImage } from "./image.ts";

/** Relative to the folder of the machine, in which its process runs: such a path is never too long for a socket. */
export const QMP_SOCKET = "qmp.sock";
export const VNC_SOCKET = "vnc.sock";
export const overlayOf = (at: number): string => `disk${at}.qcow2`;

/** The programs, and what they emulate. */
export const emulators: Readonly<Record<Arch, { program: string; machine: string }>> = {
  x86_64: { program: "qemu-system-x86_64", machine: "q35" },
  arm64: { program: "qemu-system-aarch64", machine: "virt" },
};

/** How much of the guest's serial output is held in memory. */
const CONSOLE_BYTES = 65_536;
const ADB_PORT = 5555;

export interface QemuParts {
  image: QemuImage;
  /** Names the installation: by it and the id its processes are found. */
  place: string;
  accel: Accel;
  /** Of loopback, which leads to adb. */
  port: number;
  /** Whether the guest reaches what the gateway's host reaches, and the host itself. */
  hasInternet: boolean;
  isRoot: boolean;
}

/** What devices must have in common to go on from one memory. */
export function sameInMemory(
  spec: MachineSpec,
  { image, accel, hasInternet }: Pick<QemuParts, "image" | "accel" | "hasInternet">,
): string[] {
  const { name, arch, disks } = image;
  const parts = { image: { name, arch, disks }, place: "", accel, port: 0, hasInternet, isRoot: false };
  return qemuArguments({ ...spec, id: "" }, parts);
}

/** What QEMU is started with. Nothing that a customer has named is in it. */
export function qemuArguments({ id, hardware }: MachineSpec, parts: QemuParts): string[] {
  const { image, place, accel, port, hasInternet, isRoot } = parts;
  const { width = 720, height = 1280, density = 320 } = hardware.displays[0] ?? {};
  const network = `restrict=${hasInternet ? "off" : "on"},hostfwd=tcp:127.0.0.1:${port}-:${ADB_PORT}`;
  const boot = image.kernel === undefined ? [] : ["-kernel", image.kernel];
  if (image.kernel !== undefined && image.initrd !== undefined) boot.push("-initrd", image.initrd);
  if (image.kernel !== undefined)
    boot.push("-append", `${image.cmdline ?? ""} androidboot.lcd_density=${density}`.trim());
  if (image.firmware !== undefined) boot.push("-bios", image.firmware);
  return [
    "-name",
    place,
    "-uuid",
    id,
    "-no-user-config",
    "-nodefaults",
    "-vnc",
    `unix:${VNC_SOCKET},share=force-shared,lock-key-sync=off`,
    "-machine",
    emulators[image.arch].machine,
    "-accel",
    accel,
    "-cpu",
    accel === "kvm" ? "host" : "max",
    "-smp",
    String(hardware.cpuCount),
    "-m",
    `${hardware.ramMb}M`,
    // It starts no program, so it gains no right, whatever a guest finds to do to it. Root's may still become nobody.
    "-sandbox",
    `on,obsolete=deny,spawn=deny,resourcecontrol=deny,elevateprivileges=${isRoot ? "allow" : "deny"}`,
    ...(isRoot ? ["-runas", "nobody"] : []),
    ...boot,
    ...image.disks.flatMap((_, at) => [
      "-blockdev",
      JSON.stringify(overlay(at)),
      // A full disk of the host is an error to the guest, and does not let it stand still.
      "-device",
      `virtio-blk-pci,drive=disk${at},werror=report,rerror=report`,
    ]),
    "-netdev",
    `user,id=net,${network}`,
    "-device",
    "virtio-net-pci,netdev=net,romfile=",
    "-device",
    `virtio-gpu-pci,xres=${width},yres=${height}`,
    "-device",
    "virtio-tablet-pci",
    "-device",
    "virtio-keyboard-pci",
    "-device",
    "virtio-rng-pci",
    // Notifies a guest that goes on from a memory that it is not the only one, and must not use the same random numbers.
    ...(image.arch === "x86_64" ? ["-device", "vmgenid,guid=auto"] : []),
    "-chardev",
    `ringbuf,id=console,size=${CONSOLE_BYTES}`,
    "-serial",
    "chardev:console",
    "-qmp",
    `unix:${QMP_SOCKET},server=on,wait=off`,
  ];
}

const overlay = (at: number) => ({
  driver: "qcow2",
  "node-name": `disk${at}`,
  discard: "unmap",
  file: { driver: "file", filename: overlayOf(at) },
});
