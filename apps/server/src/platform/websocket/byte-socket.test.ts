import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { acceptByteSocket, type ByteSocket } from "./byte-socket.ts";

/** Both ends of a connection; the client is another implementation. */
async function connected() {
  const server = createServer();
  const accepted = new Promise<ByteSocket>((resolve) =>
    server.on("upgrade", (request, socket, head) => {
      const byteSocket = acceptByteSocket(request, socket, head);
      if (byteSocket) resolve(byteSocket);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  onTestFinished(() => {
    client.terminate();
    server.closeAllConnections();
    server.close();
  });
  const socket = await accepted;
  const heard: string[] = [];
  const closed = new Promise<void>((resolve) =>
    socket.listen({
      onText: (text) => heard.push(`text ${text}`),
      onPong: () => heard.push("pong"),
      onClose: resolve,
    }),
  );
  await once(client, "open");
  return { client, socket, heard, closed, port };
}

const listener = () => ({
  onBytes: vi.fn<(bytes: Uint8Array, isEnd: boolean) => void>(),
  onText: vi.fn(),
  onDrain: vi.fn(),
});

it("says and hears texts, bytes, pings and pongs", async () => {
  const { client, socket, heard } = await connected();
  client.send("hello");
  await expect.poll(() => heard).toEqual(["text hello"]);
  const said: string[] = [];
  client.on("message", (data, isBinary) => said.push(`${isBinary} ${(data as Buffer).toString()}`));
  const long = "x".repeat(70_000);
  socket.send("you");
  socket.sendBytes(Buffer.from("bytes"));
  socket.sendBytes(Buffer.from(long));
  await expect.poll(() => said).toEqual(["false you", "true bytes", `true ${long}`]);
  socket.ping();
  await expect.poll(() => heard).toContain("pong");
  client.ping("are you there?");
  const [pong] = (await once(client, "pong")) as [Buffer];
  expect(String(pong)).toBe("are you there?");
});

it("reads nothing while it is paused, and counts as alive", async () => {
  const { client, socket, heard } = await connected();
  const events = listener();
  socket.listenBytes(events);
  socket.pause();
  client.send(Buffer.alloc(40_000_000));
  client.send("end");
  socket.ping();
  await expect.poll(() => heard).toContain("pong");
  expect(client.bufferedAmount).toBeGreaterThan(20_000_000);
  expect(events.onBytes).not.toHaveBeenCalled();
  socket.resume();
  await expect.poll(() => events.onText.mock.calls).toEqual([["end"]]);
  const parts = events.onBytes.mock.calls;
  expect(parts.reduce((sum, [bytes]) => sum + bytes.length, 0)).toBe(40_000_000);
  expect(Math.max(...parts.map(([bytes]) => bytes.length))).toBeLessThan(1_000_000);
  expect(parts.map(([, isEnd]) => isEnd).indexOf(true)).toBe(parts.length - 1);
});

it("keeps what it had read when it is paused in the middle", async () => {
  const { client, socket } = await connected();
  const events = listener();
  events.onBytes.mockImplementationOnce(() => socket.pause());
  socket.listenBytes(events);
  for (const word of ["a", "b", "c"]) client.send(Buffer.from(word));
  await expect.poll(() => events.onBytes.mock.calls.length).toBe(1);
  socket.resume();
  await expect.poll(() => events.onBytes.mock.calls.map(([bytes]) => String(bytes))).toEqual(["a", "b", "c"]);
});

it("tells when all that was sent has been taken", async () => {
  const { client, socket } = await connected();
  const events = listener();
  socket.listenBytes(events);
  client.pause();
  for (let sent = 0; sent < 7; sent++) socket.sendBytes(Buffer.alloc(1_000_000));
  await expect.poll(() => socket.unread).toBeGreaterThan(0);
  client.resume();
  await expect.poll(() => events.onDrain.mock.calls.length).toBeGreaterThan(0);
  expect(socket.unread).toBe(0);
});

it("cuts off who never reads", async () => {
  const { client, socket, closed } = await connected();
  client.pause();
  for (let sent = 0; sent < 40; sent++) socket.sendBytes(Buffer.alloc(1_000_000));
  await closed;
  expect(socket.leftWith).toBeUndefined();
});

it("closes with a reason, also while it is paused", async () => {
  const { client, socket, closed } = await connected();
  socket.pause();
  socket.close(4244, "device ended");
  const [code, reason] = (await once(client, "close")) as [number, Buffer];
  expect([code, String(reason)]).toEqual([4244, "device ended"]);
  await closed;
  expect(socket.leftWith).toBeUndefined();
});

it("does not hold up others with thousands of tiny messages", async () => {
  const { client, socket } = await connected();
  const events = listener();
  socket.listenBytes(events);
  let inTurn = 0;
  let most = 0;
  events.onBytes.mockImplementation(() => {
    if (inTurn++ === 0)
      setImmediate(() => {
        most = Math.max(most, inTurn);
        inTurn = 0;
      });
  });
  const messages = Buffer.alloc(8_000 * 7, Buffer.from([0x82, 0x81, 0, 0, 0, 0, 1]));
  // @ts-expect-error the socket below it: they come at once
  (client._socket as ReturnType<typeof connect>).write(messages);
  client.send("end");
  await expect.poll(() => events.onText.mock.calls).toEqual([["end"]]);
  expect([events.onBytes.mock.calls.length, most]).toEqual([8_000, 256]);
});

it("knows how its client has left", async () => {
  const first = await connected();
  first.client.close(1000);
  await first.closed;
  expect(first.socket.leftWith).toBe(1000);
  const second = await connected();
  second.client.terminate();
  await second.closed;
  expect(second.socket.leftWith).toBeUndefined();
});

it("sends away who breaks the protocol", async () => {
  const { client, closed } = await connected();
  // @ts-expect-error the socket below it
  (client._socket as ReturnType<typeof connect>).write(Buffer.from([0x82, 0x00]));
  const [code] = (await once(client, "close")) as [number];
  expect(code).toBe(1002);
  await closed;
});

it.each([
  ["no key", ["Upgrade: websocket", "Sec-WebSocket-Version: 13"]],
  [
    "another version",
    ["Upgrade: websocket", "Sec-WebSocket-Version: 8", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
  ],
  ["another protocol", ["Upgrade: h2c", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]],
])("refuses an upgrade with %s", async (_, headers) => {
  const { port } = await connected();
  const socket = connect(port, "127.0.0.1");
  socket.write(["GET / HTTP/1.1", "Host: a", "Connection: Upgrade", ...headers].join("\r\n") + "\r\n\r\n");
  const [said] = (await once(socket, "data")) as [Buffer];
  expect(String(said)).toMatch(/^HTTP\/1\.1 400 /);
  socket.destroy();
});
