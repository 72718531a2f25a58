import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Adbd } from "./fetch-adbd.ts";
import { lockAdbd } from "./lock-adbd.ts";

/** A running genuine adbd. */
export interface GenuineAdbd {
  /** Files here are the device's too. */
  folder: string;
  connect(): Promise<Socket>;
  stop(): Promise<void>;
}

const CAGE = fileURLToPath(new URL("adbd-cage.ts", import.meta.url));

/**
 * Starts adbd where only this process finds it. With `keys` it lets in only hosts that have one of them. Rejects with what
 * was printed when the machine does not allow that.
 */
export async function startGenuineAdbd(
  { program: original, libraries }: Adbd,
  { keys }: { keys?: readonly string[] } = {},
): Promise<GenuineAdbd> {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-adbd-"));
  const socketPath = join(folder, "adbd.sock");
  const isRoot = process.getuid?.() === 0;
  const program = keys ? await lockAdbd(original, folder, keys) : original;
  const words = [...(isRoot ? ["-n"] : ["-rn"]), process.execPath, CAGE, socketPath, program, libraries];
  const cage = spawn("unshare", words, { stdio: ["pipe", "pipe", "pipe"], cwd: folder });
  const ended = new Promise<void>((resolve) => cage.on("close", () => resolve()));
  let complaint = "";
  cage.stderr.on("data", (data: Buffer) => (complaint = (complaint + data.toString()).slice(-2000)));
  cage.stdin.on("error", () => {});
  const stop = async () => {
    cage.stdin.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const ready = await Promise.race([
    new Promise<boolean>((resolve) => cage.stdout.once("data", () => resolve(true))),
    new Promise<boolean>((resolve) => cage.on("error", () => resolve(false))),
    ended.then(() => false),
  ]);
  if (!ready) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(`adbd did not start: ${complaint.trim().split("\n").at(-1)}`);
  }
  return {
    folder,
    stop,
    connect: () =>
      new Promise((resolve, reject) => {
        const socket = connect(socketPath, () => resolve(socket));
        socket.on("error", reject);
      }),
  };
}
