import type { ByteStream } from "./byte-stream.ts";

/** Carries bytes both ways between two streams, no faster than each is read, until one of them has ended. Never rejects. */
export async function joinStreams(one: ByteStream, other: ByteStream): Promise<void> {
  await Promise.all([carry(one, other), carry(other, one)]);
}

async function carry(from: ByteStream, to: ByteStream): Promise<void> {
  try {
    for await (const bytes of from) await to.write(bytes);
    await to.end();
  } catch {
    to.close();
  }
}
