import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AdbError } from "../errors.ts";
import { command, DELAYED_ACK, WINDOW_BYTES } from "../packet/constants.ts";
import { encodePacket } from "../packet/packet.ts";
import { ScriptedPeer } from "../testing/scripted-peer.ts";
import { AdbConnection, type ConnectionOptions } from "./adb-connection.ts";
import type { AdbStream } from "./adb-stream.ts";

const bytes = (length: number, value = 1) => new Uint8Array(length).fill(value);

function create(options: Partial<ConnectionOptions> = {}) {
  const peer = new ScriptedPeer();
  const reports: unknown[] = [];
  const report = (error: unknown) => void reports.push(error);
  const connection = new AdbConnection(peer, { role: "device", banner: "device::", report, ...options });
  return { peer, connection, reports };
}

/** A device that a host is connected to. */
async function createConnected(options: Partial<ConnectionOptions> = {}, maxPayloadBytes?: number) {
  const created = create(options);
  created.peer.connect(maxPayloadBytes);
  await created.connection.connected;
  await created.peer.sent();
  return created;
}

/** A connected device and a stream the host opened: ours is 1, the host's 7. */
async function createWithStream(maxPayloadBytes?: number) {
  let stream: AdbStream | undefined;
  const created = await createConnected({ onOpen: () => (opened) => void (stream = opened) }, maxPayloadBytes);
  created.peer.say("OPEN", 7, 0, "service\0");
  expect(await created.peer.sent()).toEqual(["OKAY 1 7"]);
  return { ...created, stream: stream! };
}

const whyGone = (connection: AdbConnection) => (connection.gone.reason as AdbError | undefined)?.code;

describe("AdbConnection", () => {
  it("lets the host speak first", async () => {
    const { peer, connection } = create({ role: "host", banner: "host::" });
    expect(await peer.sent()).toEqual(["CNXN 16777217 1048576 6"]);
    peer.say("CNXN", 0x01000001, 262_144, "device::x");
    expect(await connection.connected).toBe("device::x");
    expect(connection.maxPayloadBytes).toBe(262_144);
  });

  it("answers as the device", async () => {
    const { peer } = create();
    expect(await peer.sent()).toEqual([]);
    peer.connect();
    expect(await peer.sent()).toEqual(["CNXN 16777217 1048576 8"]);
  });

  it("closes on what no peer says", async () => {
    const sentences: ((peer: ScriptedPeer) => void)[] = [
      (peer) => peer.say("OPEN", 1, 0, "shell:\0"),
      (peer) => peer.say("CNXN", 0x01000001, 4095, "host::"),
      (peer) => peer.say("CNXN", 0x01000001, 4096, bytes(4097)),
      (peer) => peer.sayBytes(bytes(24)),
      (peer) => peer.say("AUTH", 3, 0, "key"),
      (peer) => (peer.connect(), peer.connect()),
      (peer) => (peer.connect(4096), peer.say("OPEN", 1, 0, bytes(4097))),
      (peer) => (peer.connect(), peer.say("OPEN", 0, 0, "shell:\0")),
    ];
    for (const say of sentences) {
      const { peer, connection } = create();
      say(peer);
      await peer.sent();
      expect([whyGone(connection), peer.isClosed]).toEqual(["PROTOCOL", true]);
      peer.connect();
      // Nothing is said after the end.
      expect(await peer.sent()).toEqual([]);
    }
  });

  it("rejects everything that waits when the peer hangs up", async () => {
    const { peer, connection, stream } = await createWithStream();
    const waiting = [stream.read(), stream.write(bytes(10)), connection.open("other")];
    peer.hangUp();
    for (const wait of waiting) await expect(wait).rejects.toMatchObject({ code: "CLOSED" });
    await expect(stream.read()).rejects.toMatchObject({ code: "CLOSED" });
    await expect(connection.open("more")).rejects.toMatchObject({ code: "CLOSED" });
    await stream.closed;
  });

  it("never throws out of its events, whatever comes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 80 })), fc.boolean(), async (chunks, connects) => {
        const { peer, connection } = create();
        if (connects) peer.connect();
        for (const chunk of chunks) peer.sayBytes(chunk);
        await peer.sent();
        expect(!connection.gone.aborted || whyGone(connection) === "PROTOCOL").toBe(true);
      }),
    );
  });

  it("keeps its streams in order under any packets with small ids", async () => {
    const id = fc.integer({ min: 0, max: 3 });
    const packet = fc.record({
      command: fc.constantFrom(command.OPEN, command.OKAY, command.WRTE, command.CLSE),
      arg0: id,
      arg1: id,
      payload: fc.uint8Array({ maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(packet, { maxLength: 40 }), fc.boolean(), async (packets, hasWindows) => {
        const echo = async (stream: AdbStream) => {
          for await (const part of stream) await stream.write(part);
        };
        const features = hasWindows ? DELAYED_ACK : "cmd";
        const { peer, connection, reports } = create({
          banner: `device::features=${DELAYED_ACK}`,
          onOpen: () => echo,
          maxStreams: 4,
        });
        peer.connect(4096, features);
        for (const one of packets) peer.sayBytes(encodePacket(one));
        await peer.sent();
        expect(!connection.gone.aborted || whyGone(connection) === "PROTOCOL").toBe(true);
        expect(reports).toEqual([]);
      }),
    );
  });
});

describe("a stream", () => {
  it("is offered to the handler by its service's name", async () => {
    const services: string[] = [];
    const { peer } = await createConnected({ onOpen: (service) => void services.push(service) });
    peer.say("OPEN", 7, 0, "shell:ls\0");
    expect(await peer.sent()).toEqual(["CLSE 0 7"]);
    expect(services).toEqual(["shell:ls"]);
  });

  it("is refused when the handler throws, and closed when who took it does", async () => {
    const error = new Error("a defect");
    const { peer, reports } = await createConnected({
      onOpen: (service) => {
        if (service === "bad") throw error;
        return () => Promise.reject(error);
      },
    });
    peer.say("OPEN", 7, 0, "bad\0");
    expect(await peer.sent()).toEqual(["CLSE 0 7"]);
    peer.say("OPEN", 8, 0, "worse\0");
    expect(await peer.sent()).toEqual(["OKAY 1 8", "CLSE 1 8"]);
    expect(reports).toEqual([error, error]);
  });

  it("is refused beyond the limit, in both directions", async () => {
    const { peer, connection } = await createConnected({ onOpen: () => () => {}, maxStreams: 2 });
    for (const id of [7, 8, 9]) peer.say("OPEN", id, 0, "service\0");
    expect((await peer.sent()).sort()).toEqual(["CLSE 0 9", "OKAY 1 7", "OKAY 2 8"]);
    await expect(connection.open("service")).rejects.toMatchObject({ code: "TOO_MANY_STREAMS" });
    peer.say("CLSE", 7, 1);
    await peer.sent();
    peer.say("OPEN", 10, 0, "service\0");
    expect(await peer.sent()).toEqual(["OKAY 3 10"]);
  });

  it("counts opens that the handler has not decided", async () => {
    const { peer } = await createConnected({ onOpen: () => new Promise(() => {}), maxStreams: 2 });
    for (const id of [7, 8, 9]) peer.say("OPEN", id, 0, "service\0");
    expect(await peer.sent()).toEqual(["CLSE 0 9"]);
  });

  it("is opened here, or refused there", async () => {
    const { peer, connection } = await createConnected();
    const opening = connection.open("tcp:1");
    expect(await peer.sent()).toEqual(["OPEN 1 0 6"]);
    peer.say("OKAY", 7, 1);
    expect((await opening).remoteId).toBe(7);
    const refused = connection.open("tcp:2");
    await peer.sent();
    peer.say("CLSE", 0, 2);
    await expect(refused).rejects.toMatchObject({ code: "REFUSED" });
    expect(await peer.sent()).toEqual([]);
  });

  it("is closed there when the peer's answer comes after the open was given up", async () => {
    const { peer, connection } = await createConnected();
    const abort = new AbortController();
    const opening = connection.open("tcp:1", abort.signal);
    await peer.sent();
    abort.abort(new Error("too slow"));
    await expect(opening).rejects.toThrow(/too slow/);
    peer.say("OKAY", 7, 1);
    expect(await peer.sent()).toEqual(["CLSE 1 7"]);
  });

  it("writes one packet at a time, cut to what was agreed", async () => {
    const { peer, stream } = await createWithStream(4096);
    const written = stream.write(bytes(10_000));
    expect(await peer.sent()).toEqual(["WRTE 1 7 4096"]);
    expect(await peer.sent()).toEqual([]);
    peer.say("OKAY", 7, 1);
    expect(await peer.sent()).toEqual(["WRTE 1 7 4096"]);
    peer.say("OKAY", 7, 1);
    expect(await peer.sent()).toEqual(["WRTE 1 7 1808"]);
    peer.say("OKAY", 7, 1);
    await written;
  });

  it("keeps the order of writes, and ends after them", async () => {
    const { peer, stream } = await createWithStream();
    void stream.write(bytes(1));
    void stream.write(bytes(2));
    void stream.end();
    expect(await peer.sent()).toEqual(["WRTE 1 7 1"]);
    peer.say("OKAY", 7, 1);
    expect(await peer.sent()).toEqual(["WRTE 1 7 2"]);
    peer.say("OKAY", 7, 1);
    expect(await peer.sent()).toEqual(["CLSE 1 7"]);
    await expect(stream.write(bytes(1))).rejects.toMatchObject({ code: "STREAM_CLOSED" });
  });

  it("says OKAY only when the reader takes the bytes", async () => {
    const { peer, stream } = await createWithStream();
    peer.say("WRTE", 7, 1, bytes(5));
    expect(await peer.sent()).toEqual([]);
    expect(await stream.read()).toEqual(bytes(5));
    expect(await peer.sent()).toEqual(["OKAY 1 7"]);
    const reading = stream.read();
    peer.say("WRTE", 7, 1, bytes(6));
    expect(await reading).toEqual(bytes(6));
    expect(await peer.sent()).toEqual(["OKAY 1 7"]);
  });

  it("holds a little of a peer that does not wait, as adbd at a service's end, and gives it after CLSE", async () => {
    const { peer, stream } = await createWithStream();
    for (const value of [1, 2]) peer.say("WRTE", 7, 1, bytes(3, value));
    peer.say("CLSE", 7, 1);
    expect(await peer.sent()).toEqual(["CLSE 1 7"]);
    expect([await stream.read(), await stream.read(), await stream.read()]).toEqual([
      bytes(3, 1),
      bytes(3, 2),
      undefined,
    ]);
  });

  for (const [what, count, length] of [
    ["many packets", 9, 1],
    ["much", 3, 4096],
  ] as const)
    it(`ends the connection of a peer that writes ${what} without waiting`, async () => {
      const { peer, connection } = await createWithStream(4096);
      for (let each = 1; each < count; each++) peer.say("WRTE", 7, 1, bytes(length));
      expect(connection.gone.aborted).toBe(false);
      peer.say("WRTE", 7, 1, bytes(length));
      expect(whyGone(connection)).toBe("PROTOCOL");
    });

  it("answers CLSE once and bears doubles", async () => {
    const { peer, connection, stream } = await createWithStream();
    peer.say("CLSE", 7, 1);
    peer.say("CLSE", 7, 1);
    peer.say("CLSE", 0, 1);
    peer.say("WRTE", 7, 1, bytes(3));
    expect(await peer.sent()).toEqual(["CLSE 1 7"]);
    await stream.closed;
    expect(connection.gone.aborted).toBe(false);
  });

  it("takes no packet that is another stream's", async () => {
    const { peer, stream } = await createWithStream();
    void stream.write(bytes(9_000_000));
    await peer.sent();
    peer.say("OKAY", 8, 1);
    peer.say("WRTE", 8, 1, bytes(3));
    peer.say("CLSE", 8, 1);
    expect(await peer.sent()).toEqual([]);
    peer.say("WRTE", 7, 1, bytes(2));
    expect(await stream.read()).toEqual(bytes(2));
  });

  it("rejects what waits when it is closed with an error", async () => {
    const { stream } = await createWithStream();
    const [reading, writing] = [stream.read(), stream.write(bytes(1))];
    const error = new Error("enough");
    stream.close(error);
    await expect(reading).rejects.toBe(error);
    await expect(writing).rejects.toBe(error);
  });

  it("ends what waits when it is closed without one", async () => {
    const { stream } = await createWithStream();
    const [reading, writing] = [stream.read(), stream.write(bytes(1))];
    stream.close();
    expect(await reading).toBeUndefined();
    await expect(writing).rejects.toMatchObject({ code: "STREAM_CLOSED" });
  });

  it("refuses a second read at the same time", async () => {
    const { stream } = await createWithStream();
    void stream.read();
    await expect(stream.read()).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("a stream with delayed_ack", () => {
  const banner = `device::features=${DELAYED_ACK}`;

  /** As `createWithStream`, with a host that takes `window` bytes. */
  async function createWithWindow(window: number, maxPayloadBytes = 4096) {
    let stream: AdbStream | undefined;
    const created = create({ banner, onOpen: () => (opened) => void (stream = opened) });
    created.peer.connect(maxPayloadBytes, DELAYED_ACK);
    await created.peer.sent();
    created.peer.say("OPEN", 7, window, "service\0");
    expect(await created.peer.sent()).toEqual([`OKAY 1 7 for ${WINDOW_BYTES}`]);
    return { ...created, stream: stream! };
  }

  it("has it only where both sides do", async () => {
    for (const [ours, theirs] of [
      [banner, "cmd"],
      ["device::", DELAYED_ACK],
    ] as const) {
      const { peer } = create({ banner: ours, onOpen: () => () => {} });
      peer.connect(4096, theirs);
      await peer.sent();
      peer.say("OPEN", 7, 0, "service\0");
      expect(await peer.sent()).toEqual(["OKAY 1 7"]);
    }
  });

  it("writes as much as the peer takes, and on when that has taken enough", async () => {
    const { peer, stream } = await createWithWindow(5000);
    const written = stream.write(bytes(10_000));
    expect(await peer.sent()).toEqual(["WRTE 1 7 4096", "WRTE 1 7 4096"]);
    peer.acknowledge(7, 1, 3192);
    expect(await peer.sent()).toEqual([]);
    peer.acknowledge(7, 1, 1);
    expect(await peer.sent()).toEqual(["WRTE 1 7 1808"]);
    await written;
  });

  it("waits while the connection is full, until it is over", async () => {
    const { peer, stream, connection } = await createWithWindow(1_000_000);
    peer.isFull = true;
    const written = stream.write(bytes(9000));
    expect(await peer.sent()).toEqual(["WRTE 1 7 4096"]);
    peer.makeRoom();
    expect(await peer.sent()).toEqual(["WRTE 1 7 4096", "WRTE 1 7 808"]);
    await written;
    peer.isFull = true;
    const waiting = stream.write(bytes(9000));
    await peer.sent();
    connection.close();
    await expect(waiting).rejects.toMatchObject({ code: "CLOSED" });
  });

  it("says OKAY for a quarter of what it takes, once the reader has taken that", async () => {
    const { peer, stream } = await createWithWindow(5000, 1024 * 1024);
    const quarter = WINDOW_BYTES / 4;
    peer.say("WRTE", 7, 1, bytes(quarter - 1));
    peer.say("WRTE", 7, 1, bytes(5));
    await stream.read();
    expect(await peer.sent()).toEqual([]);
    await stream.read();
    expect(await peer.sent()).toEqual([`OKAY 1 7 for ${quarter + 4}`]);
    const reading = stream.read();
    peer.say("WRTE", 7, 1, bytes(quarter));
    await reading;
    expect(await peer.sent()).toEqual([`OKAY 1 7 for ${quarter}`]);
  });

  it("is opened here with what we take, and the peer says what it takes", async () => {
    const { peer, connection } = create({ role: "host", banner });
    await peer.sent();
    peer.connect(4096, DELAYED_ACK);
    const opening = connection.open("tcp:1");
    expect(await peer.sent()).toEqual([`OPEN 1 ${WINDOW_BYTES} 6`]);
    peer.acknowledge(7, 1, 2);
    const stream = await opening;
    void stream.write(bytes(3));
    void stream.write(bytes(4));
    expect(await peer.sent()).toEqual(["WRTE 1 7 3"]);
  });

  it("is refused to a peer that takes nothing", async () => {
    const { peer } = await createWithWindow(1);
    peer.say("OPEN", 8, 0, "service\0");
    expect(await peer.sent()).toEqual(["CLSE 0 8"]);
  });

  for (const [what, count, length] of [
    ["many packets", WINDOW_BYTES / 32, 1],
    ["much", WINDOW_BYTES / 4096, 4096],
  ] as const)
    it(`ends the connection of a peer that writes ${what} beyond what we take`, async () => {
      const { peer, connection } = await createWithWindow(1);
      for (let each = 0; each < count; each++) peer.say("WRTE", 7, 1, bytes(length));
      expect(connection.gone.aborted).toBe(false);
      peer.say("WRTE", 7, 1, bytes(length));
      expect(whyGone(connection)).toBe("PROTOCOL");
    });

  it("ends the connection of a peer whose OKAY says no number", async () => {
    for (const length of [0, 8]) {
      const { peer, connection } = await createWithWindow(1);
      peer.say("OKAY", 7, 1, bytes(length));
      expect(whyGone(connection)).toBe("PROTOCOL");
    }
  });
});

describe("a peer that does not read", () => {
  it("gets nothing more until there is room", async () => {
    const { peer, connection } = await createConnected();
    peer.isFull = true;
    for (const id of [7, 8, 9]) peer.say("OPEN", id, 0, "service\0");
    expect(await peer.sent()).toEqual(["CLSE 0 7"]);
    peer.makeRoom();
    expect(await peer.sent()).toEqual(["CLSE 0 8", "CLSE 0 9"]);
    expect(connection.gone.aborted).toBe(false);
  });

  it("cannot make answers pile up without end", async () => {
    const { peer, connection } = await createConnected({ maxStreams: 1 });
    peer.isFull = true;
    for (let id = 1; id <= 1200 && !connection.gone.aborted; id++) {
      peer.say("OKAY", id, 99);
    }
    expect(whyGone(connection)).toBe("PROTOCOL");
    expect(peer.isClosed).toBe(true);
  });
});
