import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DirectoryBusyError } from "./errors.ts";
import { run } from "./processes.ts";

/**
 * Locks a directory for this process until it releases the lock or dies.
 *
 * It is a kernel lock (flock) on an open file, released when the last process that has the file open ends, in whatever way. So a lock
 * is never stale, no reused process id can be mistaken for the owner, and it works between containers that share the directory. Node
 * has no flock, but the lock belongs to the open file description: the `flock` command (util-linux) takes it on a descriptor that it
 * inherits from us, and exits. The file's text only tells people who the owner is.
 * @throws DirectoryBusyError when another process, or another part of this one, holds the lock.
 */
export async function lockDirectory(directory: string): Promise<{ release(): void }> {
  // A plain descriptor, as a FileHandle may be closed by the garbage collector. Node opens it close-on-exec, so no child inherits it.
  const fd = openSync(join(directory, "owner.lock"), constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const { code, output } = await run("flock", ["-x", "-n", "3"], { fd });
    if (code === 1) throw new DirectoryBusyError(directory, readOwner(fd));
    if (code !== 0) throw new Error(`Cannot lock ${directory}: ${output.trim()}`);
    ftruncateSync(fd);
    writeSync(fd, `${process.pid}\n`, 0);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  let held = true;
  return {
    release: () => {
      if (held) closeSync(fd);
      held = false;
    },
  };
}

function readOwner(fd: number): number | undefined {
  const text = Buffer.alloc(16);
  const size = readSync(fd, text, 0, text.length, 0);
  return Number.parseInt(text.toString("latin1", 0, size), 10) || undefined;
}
