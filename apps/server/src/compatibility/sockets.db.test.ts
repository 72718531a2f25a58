import { socketPath } from "@terrarium/contract";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { moveInstance } from "../features/instances/move-instance.ts";
import { createTestApp } from "../testing/app.ts";

/** Of Engine.IO: 3 is spoken by gmsaas before 1.8, with python-socketio 4; 4 by those since, with 5. */
type Protocol = 3 | 4;
type Wire = Pick<Connection, "sid" | "send" | "next">;

/** What is between the packets of one answer to a poll; in version 3, each begins with its length. */
const SEPARATOR = "\x1e";

/** A client that polls: each request brings the packets since the last. */
class Connection {
  readonly #url: string;
  readonly #protocol: Protocol;
  #packets: string[] = [];
  sid = "";

  constructor(url: string, protocol: Protocol) {
    this.#url = url;
    this.#protocol = protocol;
  }

  /** The first packet, which opens the connection. */
  async open() {
    const handshake = JSON.parse((await this.next()).slice(1)) as {
      sid: string;
      upgrades: string[];
      pingInterval: number;
    };
    this.sid = handshake.sid;
    return handshake;
  }

  async next(): Promise<string> {
    while (this.#packets.length === 0) {
      const answer = await fetch(this.address("http", "polling"));
      if (!answer.ok || answer.headers.get("content-type") !== "text/plain; charset=UTF-8")
        throw new Error("no packets");
      this.#packets = this.#packetsOf(await answer.text());
    }
    return this.#packets.shift() ?? "";
  }

  async send(packet: string): Promise<void> {
    const body = this.#protocol === 3 ? `${packet.length}:${packet}` : packet;
    const headers = { "content-type": "text/plain; charset=UTF-8" };
    const answer = await fetch(this.address("http", "polling"), { method: "POST", headers, body });
    if ((await answer.text()) !== "ok") throw new Error(`${packet} was not taken`);
  }

  /** Goes on over a WebSocket. */
  async upgrade(): Promise<Wire> {
    const socket = new WebSocket(this.address("ws", "websocket"));
    onTestFinished(() => socket.terminate());
    const waiting: ((packet: string) => void)[] = [];
    const packets = this.#packets;
    socket.on("message", (data: Buffer) => (waiting.shift() ?? ((packet) => packets.push(packet)))(data.toString()));
    const wire = {
      sid: this.sid,
      send: async (packet: string) => socket.send(packet),
      next: async () => packets.shift() ?? (await new Promise<string>((resolve) => waiting.push(resolve))),
    };
    await new Promise((resolve) => socket.on("open", resolve));
    socket.send("2probe");
    const probed = await new Promise<string>((resolve) => waiting.unshift(resolve));
    if (probed !== "3probe") throw new Error(`${probed} is no answer to a probe`);
    socket.send("5");
    return wire;
  }

  address = (scheme: "http" | "ws", transport: string): string =>
    `${scheme}://${this.#url}&EIO=${this.#protocol}&transport=${transport}${this.sid && `&sid=${this.sid}`}`;

  #packetsOf(text: string): string[] {
    if (this.#protocol === 4) return text.split(SEPARATOR);
    const packets = [];
    for (let rest = text; rest !== "";) {
      const [length = ""] = rest.split(":", 1);
      const from = length.length + 1;
      packets.push(rest.slice(from, from + Number(length)));
      rest = rest.slice(from + Number(length));
    }
    return packets;
  }
}

const credentials = ["?api_token=", "?token=Bearer%20"] as const;
const ways = ([3, 4] as const).flatMap((protocol) =>
  (["polling", "websocket"] as const).flatMap((transport) =>
    credentials.map((query) => [protocol, transport, query] as const),
  ),
);

describe("a command line that waits for a device", () => {
  it.each(ways)("hears its states over Engine.IO %i, %s, with %s", async (protocol, transport, query) => {
    const test = await createTestApp({ listen: true });
    const robin = await test.as();
    const { token } = query.startsWith("?api")
      ? (await robin.post("/v1/api-tokens", { description: "ci" })).json<{ token: string }>()
      : robin;
    const polling = new Connection(`127.0.0.1:${test.port}${socketPath}/${query}${token}`, protocol);
    const { upgrades, pingInterval } = await polling.open();
    expect([upgrades, pingInterval > 0]).toEqual([["websocket"], true]);
    const wire = transport === "websocket" ? await polling.upgrade() : polling;
    // Version 3 is in without asking.
    if (protocol === 4) await wire.send("40");
    expect(await wire.next()).toMatch(protocol === 3 ? /^40$/ : /^40\{"sid":"[\w-]+"/);
    await wire.send('42["subscribe",{"tags":["instances"]}]');
    const { uuid } = (await robin.start()).json<{ uuid: string }>();
    await moveInstance(test.db, { uuid, event: "powered", now: new Date(test.clock.now()) });
    for (const state of ["CREATING", "STARTING"]) {
      const packet = await wire.next();
      expect(packet).toMatch(/^42\["instances",\{"data":/);
      expect((JSON.parse(packet.slice(2)) as object[])[1]).toMatchObject({ data: { uuid, state } });
    }
  });

  it.each([3, 4] as const)("is refused over Engine.IO %i with a wrong token", async (protocol) => {
    const test = await createTestApp({ listen: true });
    const polling = new Connection(`127.0.0.1:${test.port}${socketPath}/?api_token=x`, protocol);
    await polling.open();
    if (protocol === 4) await polling.send("40");
    // An error of the namespace: in version 3 a word, since then an object.
    const said = await polling.next();
    expect(said).toBe(protocol === 3 ? '44"NOT_AUTHENTICATED"' : '44{"message":"NOT_AUTHENTICATED"}');
  });
});
