import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
/** Room for the databases of two workers with plenty to spare; containers often give /dev/shm 64 MB. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** Every place where a test server's data may be. */
export const TEST_DATA_ROOTS = [MEMORY, tmpdir()];

/**
 * Where a test server's data goes: memory when there is enough. Cloning a database creates some 300 files: 10 ms in memory or on most
 * disks, but over 200 ms on ext4 without a journal, which searches for an inode that was not deleted lately.
 */
export async function testDataRoot(): Promise<string> {
  const found = await statfs(MEMORY).catch(() => undefined);
  return found && found.bavail * found.bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
}
