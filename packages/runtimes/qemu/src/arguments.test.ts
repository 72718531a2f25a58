import { aMachineSpec } from "@terrarium/runtime/testing";
import { expect, it } from "vitest";
import { qemuArguments, type QemuParts } from "./arguments.ts";

const disk = { path: "/images/a/a.raw", format: "raw", isData: false } as const;
const parts: QemuParts = {
  image: { name: "a", arch: "x86_64", disks: [disk, disk], kernel: "/k", initrd: "/i", cmdline: "quiet" },
  place: "qemu-place",
  accel: "tcg",
  port: 21_000,
  hasInternet: false,
  isRoot: false,
};
/** The words after an option, each time it is given. */
const given = (option: string, more: Partial<QemuParts> = {}) => {
  const words = qemuArguments(aMachineSpec({ name: "$(reboot)" }), { ...parts, ...more });
  return words.flatMap((word, at) => (word === option ? [words[at + 1]] : []));
};

it("gives a guest its profile and its disks, and no word that a customer has chosen", () => {
  expect([given("-smp"), given("-m"), given("-uuid")]).toEqual([["2"], ["2048M"], [aMachineSpec().id]]);
  expect(given("-device")).toContain("virtio-gpu-pci,xres=360,yres=640");
  expect(given("-blockdev").map((text) => (JSON.parse(text!) as { file: object }).file)).toEqual([
    { driver: "file", filename: "disk0.qcow2" },
    { driver: "file", filename: "disk1.qcow2" },
  ]);
  expect(given("-append")).toEqual(["quiet androidboot.lcd_density=160"]);
  expect(qemuArguments(aMachineSpec({ name: "$(reboot)" }), parts).join(" ")).not.toContain("reboot");
});

it("lets a guest reach nothing but who connects to it, unless that is asked for", () => {
  const forward = "hostfwd=tcp:127.0.0.1:21000-:5555";
  expect(given("-netdev")).toEqual([`user,id=net,restrict=on,${forward}`]);
  expect(given("-netdev", { hasInternet: true })).toEqual([`user,id=net,restrict=off,${forward}`]);
});

it("does not let QEMU run as root, start programs, or gain rights", () => {
  expect([given("-runas"), given("-runas", { isRoot: true })]).toEqual([[], ["nobody"]]);
  for (const isRoot of [true, false]) expect(given("-sandbox", { isRoot })[0]).toContain("spawn=deny");
  expect(given("-sandbox")[0]).toContain("elevateprivileges=deny");
});

it("has the processor of the host with kvm, and all of an emulated one otherwise", () => {
  expect([given("-cpu", { accel: "kvm" }), given("-cpu")]).toEqual([["host"], ["max"]]);
  expect(given("-machine", { image: { ...parts.image, arch: "arm64" } })).toEqual(["virt"]);
});
