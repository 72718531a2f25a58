import { randomBytes, randomUUID } from "node:crypto";
import { connect } from "node:net";
import { connectAdb, nodeSocketDuplex } from "@terrarium/adb";

const MB = 1024 * 1024;

interface Adb {
  host: string;
  port: number;
}

/** Does something over a new adb link to a device. */
export async function onLink<T>(
  { host, port }: Adb,
  act: (link: Awaited<ReturnType<typeof connectAdb>>) => Promise<T>,
): Promise<T> {
  const socket = connect(port, host);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const link = await connectAdb(nodeSocketDuplex(socket));
  try {
    return await act(link);
  } finally {
    link.close();
  }
}

/** Pushes files of at most 1 MB, of bytes that are nowhere else. */
export async function fill(adb: Adb, megabytes: number): Promise<void> {
  await onLink(adb, async (link) => {
    for (let left = megabytes * MB; left > 0; left -= MB) {
      const source = [randomBytes(Math.min(left, MB))];
      await link.push({ path: `/sdcard/Download/${randomUUID()}`, mtime: 1_700_000_000, source });
    }
  });
}
