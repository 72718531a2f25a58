import type { Clock } from "@terrarium/clock";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { chmod, open } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import type { Qmp } from "./qmp.ts";

/** Relative to the folder of the machine. */
const SOCKET = "memory.sock";
const POLL_MS = 20;
const UNLIMITED = 2 ** 40;

/** The words by which QEMU goes on from the memory in its descriptor 3. */
export const FROM_MEMORY = ["-incoming", "fd:3"];

/**
 * Writes the memory of a machine, and the state of its devices, to a file, as for a migration: QEMU sends it to a socket. The machine must stand
 * still, and does until `cont`.
 * @throws Error with QEMU's words; the signal's reason
 */
export async function writeMemory(
  qmp: Qmp,
  folder: string,
  file: string,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  const handle = await open(folder);
  const server = createServer();
  try {
    // A path by the descriptor of its folder is never too long.
    const path = `/proc/self/fd/${handle.fd}/${SOCKET}`;
    server.listen(path);
    await once(server, "listening", { signal });
    // QEMU may be nobody. Who else is on this host cannot pass the folder of all machines.
    await chmod(path, 0o666);
    await chmod(folder, 0o711);
    await qmp.ask("migrate-set-parameters", { "max-bandwidth": UNLIMITED }, signal);
    const connected = once(server, "connection", { signal });
    connected.catch(() => undefined);
    await qmp.ask("migrate", { uri: `unix:${SOCKET}` }, signal);
    const [socket] = (await connected) as [Socket];
    await pipeline(socket, createWriteStream(file, { mode: 0o600 }), { signal });
    for (;;) {
      const { status, "error-desc": why } = (await qmp.ask("query-migrate", {}, signal)) as {
        status?: string;
        "error-desc"?: string;
      };
      if (status === "completed") return;
      if (status === "failed" || status === "cancelled")
        throw new Error(why ?? `its memory was not written: ${status}`);
      await clock.sleep(POLL_MS, signal);
    }
  } finally {
    server.close();
    await handle.close();
  }
}

/** Resolves when a machine that was started with `FROM_MEMORY` goes on. @throws Error if it ends; the signal's reason */
export async function untilResumed(qmp: Qmp, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    const { status } = (await qmp.ask("query-status", {}, signal)) as { status: string };
    if (status === "running") return;
    if (status !== "inmigrate") await qmp.ask("cont", {}, signal);
    await clock.sleep(POLL_MS, signal);
  }
}
