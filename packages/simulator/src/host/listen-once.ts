import { mkdirSync, rmdirSync, rmSync } from "node:fs";
import { connect, type Server } from "node:net";
import type { Clock } from "@terrarium/clock";

const TAKEOVER_TRIES = 50;
const TAKEOVER_WAIT_MS = 100;

/** Another host answers on the socket. */
export class HostRunsAlready extends Error {
  override readonly name = "HostRunsAlready";
}

/**
 * Listens on a Unix socket that only one process may have. A file that nobody answers on was left by a process that was
 * killed: it is removed and taken over, by one at a time.
 */
export async function listenOnce(server: Server, path: string, clock: Clock): Promise<void> {
  if (await listen(server, path)) return;
  if (await answers(path)) throw new HostRunsAlready(`another host answers on ${path}`);
  const guard = `${path}.take`;
  for (let tries = 0; !makeGuard(guard); tries++) {
    // Its holder must have been killed: the work takes a millisecond.
    if (tries >= TAKEOVER_TRIES) break;
    await clock.sleep(TAKEOVER_WAIT_MS);
  }
  try {
    if (await answers(path)) throw new HostRunsAlready(`another host answers on ${path}`);
    rmSync(path, { force: true });
    if (!(await listen(server, path))) throw new HostRunsAlready(`another host listens on ${path}`);
  } finally {
    rmdirSync(guard);
  }
}

function makeGuard(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

/** False when the path is taken. */
function listen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => (error.code === "EADDRINUSE" ? resolve(false) : reject(error));
    server.once("error", failed);
    server.listen(path, () => {
      server.off("error", failed);
      resolve(true);
    });
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
