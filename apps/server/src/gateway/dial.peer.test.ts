import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { dial } from "./dial.ts";

/** A listening port, and the pipe that dialled it with the socket at its other end. */
async function dialled() {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const duplex = dial({ host: "127.0.0.1", port: (server.address() as AddressInfo).port });
  onTestFinished(() => duplex.close());
  const received: number[] = [];
  const { promise: closed, resolve: close } = Promise.withResolvers<Error | undefined>();
  duplex.listen({ data: (chunk) => received.push(...chunk), close });
  const [peer] = (await once(server, "connection")) as [Socket];
  return { duplex, peer, received, closed };
}

describe("dial", () => {
  it("hands on every byte, of more than its buffer holds too, and says when the peer hangs up", async () => {
    const { peer, received, closed } = await dialled();
    const sent = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);
    peer.end(sent);
    expect(await closed).toBeUndefined();
    expect(received).toEqual([...sent]);
  });

  it("sends what is written, and hangs up", async () => {
    const { duplex, peer } = await dialled();
    void duplex.write(new Uint8Array([1, 2, 3]));
    expect((await once(peer, "data"))[0]).toEqual(Buffer.from([1, 2, 3]));
    duplex.close();
    await once(peer, "close");
  });

  it("says why there is nobody", async () => {
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    dial({ host: "127.0.0.1", port: 1 }).listen({ data: () => undefined, close: resolve });
    expect(await promise).toMatchObject({ code: "ECONNREFUSED" });
  });
});
