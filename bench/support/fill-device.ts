import { randomBytes, randomUUID } from "node:crypto";
import type { AdbAddress } from "@terrarium/runtime";
import { withLink } from "../../packages/runtimes/simulator/src/testing/with-link.ts";

const MB = 1024 * 1024;

/** Pushes files of at most 1 MB, of bytes that are nowhere else. */
export async function fill(adb: AdbAddress, megabytes: number): Promise<void> {
  await withLink(adb, async (link) => {
    for (let left = megabytes * MB; left > 0; left -= MB) {
      const source = [randomBytes(Math.min(left, MB))];
      await link.push({ path: `/sdcard/Download/${randomUUID()}`, mtime: 1_700_000_000, source });
    }
  });
}
