import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
/** More than the databases of two workers need. In containers /dev/shm is often only 64 MB. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** All places where a test server's data may be. */
export const TEST_DATA_ROOTS = [MEMORY, tmpdir()];

/**
 * Where to put a test server's data: in memory if there is enough. Cloning a database creates some 300 files, which takes 10 ms in
 * memory and on most disks, but over 200 ms on ext4 without a journal, which avoids recently deleted inodes.
 */
export async function testDataRoot(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => undefined);
  return found && found.bavail * found.bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
}
