import { execFile, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Adbd, fetchDebian, makeReferenceRoot } from "@terrarium/adb/testing";

const run = promisify(execFile);
/** The one for clouds knows no screens. */
const KERNEL_PACKAGE = "linux-image-amd64";
/** In the order in which they need each other. */
const MODULES = `virtio virtio_ring virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci virtio_blk
  failover net_failover virtio_net fat nls_cp437 nls_ascii vfat`.split(/\s+/);
/** What a screen and input need. They take an emulated processor long. */
const SCREEN_MODULES = "virtio_input evdev drm drm_kms_helper drm_shmem_helper virtio_dma_buf virtio-gpu".split(" ");
const ALL_MODULES = [...MODULES, ...SCREEN_MODULES];
/** How a file begins that xz has written. */
const XZ = Buffer.from("fd377a585a00", "hex");
const DATA_KIB = 16_384;
/** Without what takes an emulated processor long. */
const COMMAND_LINE = `console=ttyS0 quiet panic=-1 mitigations=off random.trust_cpu=on cryptomgr.notests \
rodata=off initcall_blacklist=load_system_certificate_list,init_kprobe_trace,crypto_kdf108_init`;
const loading = (modules: readonly string[]) =>
  `for module in ${modules.join(" ")}; do insmod /modules/$module.ko; done`;
/** As QEMU's network for users has it. */
const INIT = `#!/bin/sh
export PATH=/bin LD_LIBRARY_PATH=/lib64
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/pts
mount -t devpts pts /dev/pts
${loading(MODULES)}
mount -t vfat /dev/vda /data || echo no data
mkdir -p /data/local/tmp
ip link set lo up
ip addr add 10.0.2.15/24 dev eth0
ip link set eth0 up
ip route add default via 10.0.2.2
echo the guest is up
grep -q silent /proc/cmdline && exec sleep 1000000
exec /adbd
`;

/**
 * Makes the image of a small device: Debian's kernel, busybox, the genuine adbd, and a disk with `/data`. That is of FAT, which a
 * mount does not change, as it does ext4. `sh /screen` switches screen and input on.
 * @throws Error with the reason where it cannot be made
 */
export async function makeReferenceGuest(folder: string, adbd: Adbd): Promise<void> {
  const kernel = await fetchDebian({
    name: "kernel",
    file: "boot",
    release: "bookworm",
    only: ["boot/vmlinuz-*", ...ALL_MODULES.map((name) => `lib/modules/*/${name}.ko`)],
    choose: async (cache) => {
      const [, name] = /Depends: (linux-image-\S+)/.exec(await cache("depends", KERNEL_PACKAGE)) ?? [];
      if (name === undefined) throw new Error(`apt knows no ${KERNEL_PACKAGE}`);
      return [name];
    },
  });
  if (typeof kernel !== "string") throw new Error(kernel.missing);
  const root = await mkdtemp(join(tmpdir(), "terrarium-guest-"));
  try {
    await makeReferenceRoot(root, adbd, INIT);
    const [version = ""] = await readdir(join(kernel, "lib/modules"));
    const files = await readdir(join(kernel, "lib/modules", version), { recursive: true });
    await mkdir(join(root, "modules"));
    await writeFile(join(root, "screen"), loading(SCREEN_MODULES));
    for (const name of ALL_MODULES) {
      const path = files.find((file) => file.endsWith(`/${name}.ko`));
      // Some kernels have it built in.
      if (path) await cp(join(kernel, "lib/modules", version, path), join(root, "modules", `${name}.ko`));
    }
    await mkdir(folder, { recursive: true });
    // Nothing is compressed: unpacking it is what takes an emulated processor longest.
    await writeFile(join(folder, "kernel"), await unpackKernel(join(kernel, "boot", `vmlinuz-${version}`)));
    await run("sh", [
      "-c",
      'cd "$1" && find . | busybox cpio -o -H newc > "$2"',
      "sh",
      root,
      join(folder, "initrd.new"),
    ]);
    await rename(join(folder, "initrd.new"), join(folder, "initrd"));
    await writeFile(join(folder, "cmdline"), COMMAND_LINE);
    await run("busybox", ["truncate", "-s", `${DATA_KIB}K`, join(folder, "data.raw")]);
    await run("busybox", ["mkdosfs", join(folder, "data.raw")]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** What is within a compressed kernel. */
async function unpackKernel(path: string): Promise<Buffer> {
  const whole = await readFile(path);
  const packed = whole.subarray(whole.indexOf(XZ));
  // It complains of what follows, which is not its own.
  const unpacked = spawnSync("xz", ["-dcq"], { input: packed, maxBuffer: 1 << 28 }).stdout;
  return unpacked.length > packed.length ? unpacked : whole;
}
