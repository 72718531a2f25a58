import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";

/** A disk of an image. It is only read: each device writes to an overlay of its own. */
export interface BaseDisk {
  path: string;
  /** Said rather than guessed: what a guest writes into a raw disk could look like another format, which names files of the host. */
  format: "qcow2" | "raw";
  /** Becomes as large as the profile says. */
  isData: boolean;
}

/** What a device boots. */
export interface QemuImage {
  /** What recipes call it: the last part of its path. */
  name: string;
  arch: Arch;
  disks: BaseDisk[];
  /** Paths of what it boots without a boot loader. */
  kernel?: string;
  initrd?: string;
  cmdline?: string;
  /** Of UEFI, if it needs that. */
  firmware?: string;
}

export type Arch = "x86_64" | "arm64";

const DISK = /\.(qcow2|raw|img)$/;

/**
 * Reads what is at a path: a disk, or a folder with disks (`*.qcow2`, `*.raw`, `*.img`, by name), and `kernel`, `initrd`, `cmdline` and
 * `firmware.fd` if it has them. A disk named `data` is for user data.
 * @throws Error that says what is wrong with it
 */
export async function readImage(path: string): Promise<QemuImage> {
  const name = basename(path);
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Error(`there is no ${path}`);
  const arch = /arm64|aarch64/i.test(name) ? "arm64" : "x86_64";
  if (!found.isDirectory()) return { name, arch, disks: disksOf([path]) };
  const files = (await readdir(path)).toSorted();
  const part = (file: string) => (files.includes(file) ? join(path, file) : undefined);
  const disks = disksOf(files.filter((file) => DISK.test(file)).map((file) => join(path, file)));
  const cmdline = part("cmdline");
  return {
    name,
    arch,
    disks,
    ...only({ kernel: part("kernel"), initrd: part("initrd"), firmware: part("firmware.fd") }),
    ...(cmdline === undefined ? {} : { cmdline: (await readFile(cmdline, "utf8")).trim() }),
  };
}

function disksOf(paths: string[]): BaseDisk[] {
  if (paths.length === 0 || !paths.every((path) => DISK.test(path)))
    throw new Error("an image is a disk or a folder with disks: *.qcow2, *.raw, *.img");
  return paths.map((path) => ({
    path,
    format: path.endsWith(".qcow2") ? "qcow2" : "raw",
    isData: basename(path).startsWith("data."),
  }));
}

const only = <T extends object>(parts: T) =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: NonNullable<T[Key]>;
  };

/** What its checksum is made of, beside its command line. */
export const filesOf = ({ disks, kernel, initrd, firmware }: QemuImage): (string | undefined)[] => [
  ...disks.map((disk) => disk.path),
  kernel,
  initrd,
  firmware,
];
