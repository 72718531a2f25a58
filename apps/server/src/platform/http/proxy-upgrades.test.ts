import { TestClock } from "@terrarium/clock";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../log.ts";
import { AnonymousConnections } from "./anonymous-connections.ts";
import { clientAddresses } from "./client-address.ts";
import { ConnectionLimits } from "./connection-limits.ts";
import { proxyUpgrades } from "./proxy-upgrades.ts";

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A proxy in front of a server that answers upgrades, or leaves them without an answer. */
async function create({ answers = true } = {}) {
  const onward: IncomingMessage[] = [];
  const behind = createServer();
  behind.on("upgrade", (request, socket) => {
    onward.push(request);
    if (answers) socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
    // Closes when the other end does.
    socket.on("end", () => socket.end()).resume();
  });
  const behindPort = await listening(behind);
  const front = createServer();
  const proxy = proxyUpgrades(front, {
    path: /^\/things\/(\w+)$/,
    find: async () => `127.0.0.1:${behindPort}`,
    clientAddress: clientAddresses(["127.0.0.1"]),
    limits: new ConnectionLimits(new TestClock(), { maxPerMinute: 100, maxOpen: 3 }),
    unanswered: new AnonymousConnections({ max: 100, maxPerNetwork: 2 }),
    log: createLog("silent", "test"),
  });
  onTestFinished(() => proxy.stop());
  const port = await listening(front);
  return {
    onward,
    /** A client with this address. */
    upgrade(address: string, headers = ""): Socket {
      const socket = connect(port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.write(
        `GET /things/one HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: ${address}\r\n${headers}\r\n`,
      );
      return socket;
    },
  };
}

/** The status of the response. */
async function statusOf(socket: Socket): Promise<string> {
  const [head] = (await once(socket, "data")) as [Buffer];
  return head.toString().slice(9, 12);
}

describe("a proxied upgrade", () => {
  it("says whose it is, whatever the client says", async () => {
    const { onward, upgrade } = await create();
    expect(await statusOf(upgrade("203.0.113.7", "X-Client-Address: 10.0.0.1\r\n"))).toBe("101");
    expect(onward[0]?.headers["x-client-address"]).toBe("203.0.113.7");
  });

  it("is refused to a network that has too many", async () => {
    const { upgrade } = await create();
    const first = upgrade("203.0.113.7");
    expect(await statusOf(first)).toBe("101");
    for (let count = 1; count < 3; count++) expect(await statusOf(upgrade("203.0.113.7"))).toBe("101");
    expect(await statusOf(upgrade("203.0.113.7"))).toBe("429");
    expect(await statusOf(upgrade("203.0.113.8"))).toBe("101");
    first.destroy();
    // Until the proxy has seen it.
    while ((await statusOf(upgrade("203.0.113.7"))) === "429");
  });

  it("that is not answered is closed when its network has too many of them", async () => {
    const { upgrade } = await create({ answers: false });
    const first = upgrade("203.0.113.7");
    const other = upgrade("203.0.113.8");
    const closed = once(first, "close");
    for (let count = 0; count < 2; count++) upgrade("203.0.113.7");
    await closed;
    expect(other.readyState).toBe("open");
  });
});
