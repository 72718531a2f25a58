import { TestClock } from "@terrarium/clock";
import { socketPath } from "@terrarium/contract";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { AnonymousConnections } from "./http/anonymous-connections.ts";
import { clientAddresses } from "./http/client-address.ts";
import { ConnectionLimits } from "./http/connection-limits.ts";
import { createSocketServer } from "./socket-server.ts";

/** A socket server that admits clients with the token `good`: three of one network, of whom two may be without it. */
async function create() {
  const clock = new TestClock();
  const http = createServer();
  const io = createSocketServer(http, {
    clientAddress: clientAddresses(["127.0.0.1"]),
    limits: new ConnectionLimits(clock, { maxPerMinute: 100, maxOpen: 3 }),
    anonymous: new AnonymousConnections({ max: 100, maxPerNetwork: 2 }),
    clock,
  });
  io.use((socket, next) => next(socket.handshake.query.token === "good" ? undefined : new Error("NOT_AUTHENTICATED")));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => io.close());
  const { port } = http.address() as AddressInfo;
  const path = (transport: string, token: string) =>
    `//127.0.0.1:${port}${socketPath}/?EIO=4&transport=${transport}&token=${token}`;
  return {
    clock,
    io,
    port,
    poll: (more = "") => fetch(`http:${path("polling", "")}${more}`),
    /** A WebSocket that has connected or was closed. With a token it has also asked for the namespace, and been answered. */
    async connect(token = "", address = "203.0.113.7") {
      const socket = new WebSocket(`ws:${path("websocket", token)}`, { headers: { "x-forwarded-for": address } });
      onTestFinished(() => socket.terminate());
      const closed = once(socket, "close").then(([code]) => code as number);
      await Promise.race([once(socket, "message"), closed]);
      if (token !== "") {
        socket.send("40");
        await once(socket, "message");
      }
      return { socket, closed, isOpen: () => socket.readyState === WebSocket.OPEN };
    },
  };
}

describe("a socket whose client does not authenticate", () => {
  it.each(["", "bad"])("is cut off after ten seconds with the token %j", async (token) => {
    const { clock, connect } = await create();
    const { closed, isOpen } = await connect(token);
    const other = await connect("good");
    await clock.advance(9_999);
    expect(isOpen()).toBe(true);
    await clock.advance(1);
    // Without a close frame, which it might not answer.
    expect(await closed).toBe(1006);
    expect(other.isOpen()).toBe(true);
    expect(clock.sleeping).toBe(0);
  });

  it("is cut off after ten seconds when it polls", async () => {
    const { clock, poll } = await create();
    const { sid } = JSON.parse((await (await poll()).text()).slice(1)) as { sid: string };
    await clock.advance(10_000);
    expect((await poll(`&sid=${sid}`)).status).toBe(400);
  });

  it("is pushed out by others of its network", async () => {
    const { connect } = await create();
    const other = await connect("", "203.0.113.8");
    const first = await connect();
    const second = await connect();
    await connect("good");
    expect(await first.closed).toBe(1006);
    expect([second.isOpen(), other.isOpen()]).toEqual([true, true]);
  });

  it("does not stay when it leaves after it has authenticated", async () => {
    const { connect } = await create();
    const { socket, closed } = await connect("good");
    socket.send("41");
    expect(await closed).toBeGreaterThan(0);
  });
});

it("refuses a network that has too many sockets", async () => {
  const { connect } = await create();
  const all = [await connect("good"), await connect("good"), await connect("good")];
  expect(await (await connect()).closed).toBe(1006);
  expect(all.map(({ isOpen }) => isOpen())).toEqual([true, true, true]);
  expect((await connect("good", "203.0.113.8")).isOpen()).toBe(true);
  all[0]?.socket.close();
  await all[0]?.closed;
  expect((await connect("good")).isOpen()).toBe(true);
});

describe("a client that means harm", () => {
  it("cannot make answers to its pings pile up", async () => {
    const { connect } = await create();
    const { socket, closed } = await connect("good");
    const most = 1_000;
    let answers = 0;
    const answered = new Promise((resolve) => socket.on("pong", () => ++answers === most && resolve("answered")));
    for (let ping = 0; ping < most; ping++) socket.ping("x".repeat(125));
    expect(await Promise.race([closed, answered])).toBe(1006);
  });

  it("is cut off when it does not read, and nobody else", async () => {
    const { io, connect } = await create();
    const [one, other] = [await connect("good"), await connect("good")];
    one.socket.pause();
    // The system holds a few megabytes for it first.
    for (let message = 0; message < 40; message++) {
      const read = once(other.socket, "message");
      io.emit("instances", "x".repeat(1_000_000));
      await read;
    }
    expect([io.engine.clientsCount, other.isOpen()]).toEqual([1, true]);
  });

  it("cannot hold a connection with a body that it does not send", async () => {
    const { clock, port } = await create();
    const socket = new Socket().connect(port, "127.0.0.1");
    const closed = once(socket, "close");
    const head = [`POST ${socketPath}/?EIO=4&transport=polling HTTP/1.1`, "Host: localhost", "Content-Length: 9"];
    socket.write(`${head.join("\r\n")}\r\n\r\nx`);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1.1 400 /);
    expect(clock.sleeping).toBe(1);
    await clock.advance(31_000);
    await closed;
  });
});
