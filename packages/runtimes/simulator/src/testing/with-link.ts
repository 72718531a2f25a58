import { connect } from "node:net";
import { type AdbLink, connectAdb, nodeSocketDuplex } from "@terrarium/adb";
import type { AdbAddress } from "@terrarium/runtime";

/** Acts on a machine over an adb link, which is closed afterwards. */
export async function withLink<T>({ host, port }: AdbAddress, act: (link: AdbLink) => Promise<T>): Promise<T> {
  const socket = connect(port, host);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const link = await connectAdb(nodeSocketDuplex(socket));
  try {
    return await act(link);
  } finally {
    link.close();
  }
}

/** What a command prints. */
export const shell = (adb: AdbAddress, command: string): Promise<string> =>
  withLink(adb, async (link) => (await link.shell(command)).stdout);

export const push = (adb: AdbAddress, path: string, bytes: Uint8Array): Promise<void> =>
  withLink(adb, (link) => link.push({ path, source: [bytes], mtime: 1_700_000_000 }));
