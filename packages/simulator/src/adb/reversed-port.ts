import { joinStreams, type ReverseTable, type SocketHandler } from "@terrarium/adb";

/** What accepts connections to a port of the device: whoever listens there through `adb reverse`; undefined if nobody does. */
export async function reversedPort(
  reverses: ReverseTable,
  port: number,
  signal: AbortSignal,
): Promise<SocketHandler | undefined> {
  const host = await reverses.connect(`tcp:${port}`, signal);
  return host && ((stream) => joinStreams(stream, host));
}
