import type { Clock } from "@terrarium/clock";
import { spawn } from "node:child_process";
import { access, constants, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What runs a guest: the processor's own virtualization, or QEMU's emulation of a processor. */
export type Accel = "kvm" | "tcg";

/** The same takes some tenths of a second where virtualization works. */
const WATCHDOG_MS = 5_000;
const KVM = "/dev/kvm";
/** QEMU ends with twice the number that the program writes, and one. */
const PASSED = 0x10 * 2 + 1;

/**
 * A boot sector. It does what the kernel of any system for 64 bits does first, and what a host on which KVM can only be opened does not get
 * through in the time, or fails at.
 */
const PROGRAM = [
  "fa 31c0 8ed8 8ec0 8ed0 bc007c fc", // cli; segments 0; a stack below this sector
  "66bf00100000 0f22df", // the page tables are at 0x1000: mov %edi,%cr3
  "6631c0 66b9000c0000 66f3ab", // three pages of zeros
  "c70600100320 c70600200330 c70600308300", // they lead to the first 2 MiB
  "0f0116907c", // lgdt of what is at 0x7c90
  "b0a0 0f22e0", // cr4: physical address extension, global pages
  "66b9800000c0 0f32 80cc01 0f30", // long mode, in the register EFER
  "0f20c0 660d01000080 0f22c0", // cr0: protection, paging
  "ea5c7c0800", // ljmp $8,$0x7c5c: from here on code of 64 bits
  "31c0 31db 31d2 be80969800 bf00400000", // ten million times
  "f0480fc70f ffce 75f7", // lock cmpxchg16b (%rdi); dec %esi; jnz
  "b010 e6f4 f4", // out $0x10 to the port 0xf4; hlt
].join("");
/** A table with one segment, for code of 64 bits; then the size and the place of the table. */
const SEGMENTS = "0000000000000000 00000000009a2000 0f00 807c0000";
const SEGMENTS_AT = 0x80;

export interface TrialOptions {
  program: string;
  accel: Accel;
  /** More of the processor that is tried: `,-arch-capabilities` */
  cpu?: string;
  clock: Clock;
  watchdogMs?: number;
}

/** Why a guest for 64 bits does not boot with an accelerator; undefined if one has. */
export async function tryToBoot(options: TrialOptions): Promise<string | undefined> {
  const { program, accel, cpu = "", clock, watchdogMs = WATCHDOG_MS } = options;
  const folder = await mkdtemp(join(tmpdir(), "terrarium-qemu-"));
  try {
    const disk = join(folder, "boot.raw");
    await writeFile(disk, bootSector());
    const child = spawn(
      program,
      [
        "-no-user-config",
        "-nodefaults",
        "-display",
        "none",
        "-machine",
        "pc",
        "-m",
        "16M",
        "-accel",
        accel,
        "-cpu",
        `${accel === "kvm" ? "host" : "max"}${cpu}`,
        "-blockdev",
        JSON.stringify({ driver: "raw", "node-name": "boot", file: { driver: "file", filename: disk } }),
        "-device",
        "ide-hd,drive=boot",
        "-device",
        "isa-debug-exit,iobase=0xf4,iosize=1",
      ],
      { stdio: ["ignore", "ignore", "pipe"], cwd: folder },
    );
    const done = new AbortController();
    let isTooLate = false;
    clock.sleep(watchdogMs, done.signal).then(
      () => {
        isTooLate = true;
        child.kill("SIGKILL");
      },
      () => undefined,
    );
    let said = "";
    child.stderr.on("data", (data: Buffer) => (said = (said + String(data)).slice(-500)));
    const code = await new Promise<number | null>((resolve) =>
      child.once("close", resolve).once("error", (error) => {
        said = error.message;
        resolve(null);
      }),
    );
    done.abort();
    if (code === PASSED) return undefined;
    if (isTooLate) return `a trial guest did not boot in ${watchdogMs / 1000} s`;
    return `a trial guest did not boot: ${said.trim().split("\n").at(-1) || `QEMU ended with ${code}`}`;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Why KVM does not work here; undefined if it does. That the device can be opened proves nothing.
 * @param program a QEMU that boots the trial guest
 */
export async function whyNotKvm(program: string, clock: Clock): Promise<string | undefined> {
  if (process.arch !== "x64") return "the trial guest is for x86_64";
  const mayUse = await access(KVM, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!mayUse) return `there is no ${KVM} that this account may use`;
  if (!hasVirtualization(await readFile("/proc/cpuinfo", "utf8").catch(() => "")))
    return "the processor has neither vmx nor svm";
  return tryToBoot({ program, accel: "kvm", clock });
}

/** Whether a processor of x86 runs guests, by its `/proc/cpuinfo`. */
export const hasVirtualization = (processors: string): boolean => /^flags\s*:.*\b(vmx|svm)\b/m.test(processors);

function bootSector(): Buffer {
  const sector = Buffer.alloc(512);
  sector.write(PROGRAM.replaceAll(" ", ""), "hex");
  sector.write(SEGMENTS.replaceAll(" ", ""), SEGMENTS_AT, "hex");
  // By it the firmware knows a disk that boots.
  sector.writeUInt16LE(0xaa55, 510);
  return sector;
}
