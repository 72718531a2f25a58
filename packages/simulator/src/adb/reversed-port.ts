import type { ByteStream, ReverseTable, SocketHandler } from "@terrarium/adb";

/** What accepts connections to a port of the device: whoever listens there through `adb reverse`; undefined if nobody does. */
export async function reversedPort(
  reverses: ReverseTable,
  port: number,
  signal: AbortSignal,
): Promise<SocketHandler | undefined> {
  const host = await reverses.connect(`tcp:${port}`, signal);
  return (
    host &&
    (async (stream) => {
      await Promise.all([carry(stream, host), carry(host, stream)]);
    })
  );
}

async function carry(from: ByteStream, to: ByteStream): Promise<void> {
  try {
    for await (const bytes of from) await to.write(bytes);
    await to.end();
  } catch {
    to.close();
  }
}
