import { closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DirectoryBusyError } from "./errors.ts";
import { run } from "./processes.ts";

/**
 * Makes this process the one server of a directory until it releases it or dies.
 *
 * The lock is the kernel's (flock) on an open file: it ends with the last process that holds the file open, however that
 * process ended, so there is no stale lock to judge and no number of a dead process to mistake for another's, and it holds
 * between containers that share the directory. Node cannot ask for it, but a lock belongs to the open file, not to who asked:
 * `flock` (util-linux) takes it on our descriptor, and leaves. The file's text only names the owner to a person.
 * @throws DirectoryBusyError when another process, or another part of this one, holds it.
 */
export async function lockDirectory(directory: string): Promise<{ release(): void }> {
  // A bare descriptor: a FileHandle would be closed by the garbage collector. Node opens it close-on-exec, so no child holds it.
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
