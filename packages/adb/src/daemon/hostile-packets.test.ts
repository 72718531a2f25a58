import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectAdb } from "../client/connect-adb.ts";
import { command, HEADER_BYTES, MAX_PAYLOAD_BYTES, VERSION } from "../packet/constants.ts";
import { encodePacket, type Packet } from "../packet/packet.ts";
import { encodeShellFrame, shellId } from "../shell/shell-frame.ts";
import { syncId } from "../sync/constants.ts";
import { encodeBlock, encodeFrame } from "../sync/sync-frame.ts";
import { MemoryDuplex } from "../testing/memory-duplex.ts";
import { ScriptedPeer } from "../testing/scripted-peer.ts";
import { ToyDevice } from "../testing/toy-device.ts";
import { serveAdb } from "./serve-adb.ts";

const text = (value: string) => new TextEncoder().encode(value);
const packet = (name: keyof typeof command, arg0: number, arg1: number, payload: Uint8Array | string = ""): Packet => ({
  command: command[name],
  arg0,
  arg1,
  payload: typeof payload === "string" ? text(payload) : payload,
});
const connect = packet("CNXN", VERSION, MAX_PAYLOAD_BYTES, "host::features=shell_v2");

/** A device with one host that sends packets as it likes. */
function createDevice() {
  const device = new ToyDevice();
  const reports: unknown[] = [];
  const serve = (duplex: MemoryDuplex | ScriptedPeer) =>
    serveAdb(duplex, {
      banner: device.banner,
      services: device,
      reverses: device.reverses,
      report: (error) => reports.push(error),
    });
  const hostile = new ScriptedPeer();
  const daemon = serve(hostile);
  return {
    daemon,
    hostile,
    reports,
    /** What another host gets to hear. */
    async echo() {
      const [host, peer] = MemoryDuplex.pair();
      serve(peer);
      const link = await connectAdb(host);
      const { stdout } = await link.shell("echo alive");
      link.close();
      return stdout;
    },
  };
}

let unhandled: unknown[] = [];
const onUnhandled = (error: unknown) => void unhandled.push(error);
beforeEach(() => {
  unhandled = [];
  process.on("unhandledRejection", onUnhandled);
});
afterEach(() => void process.off("unhandledRejection", onUnhandled));

/** Node tells of unhandled rejections after all microtasks. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** How a host may have left its stream 7, which is stream 1 here. */
const states: Record<string, Packet[]> = {
  "before it connected": [],
  "once connected": [connect],
  ...Object.fromEntries(
    ["sync:", "shell,v2,raw:cat", "shell:cat", "exec:flood 1000000", "localabstract:echo", "localabstract:sulk"].map(
      (service) => [`with ${service} open`, [connect, packet("OPEN", 7, 0, `${service}\0`)]],
    ),
  ),
  "with a file half sent": [
    connect,
    packet("OPEN", 7, 0, "sync:\0"),
    packet("WRTE", 7, 1, encodeBlock(syncId.SEND, text("/f,33188"))),
  ],
  "after it closed": [connect, packet("OPEN", 7, 0, "sync:\0"), packet("CLSE", 7, 1)],
};

const bytesOf = (...packets: Packet[]) => packets.map((one) => encodePacket(one));
const repeated = (count: number, one: Packet) => Array.from({ length: count }, () => encodePacket(one));

const services = [
  "sync:",
  "shell,v2,raw:cat",
  "shell,v2,pty:size",
  "shell,v2,raw:hang",
  "shell,v2,raw:connect tcp:1 hello",
  "shell:echo",
  "exec:flood 300000",
  "localabstract:echo",
  "tcp:7",
  "root:",
  "reboot:",
  "reverse:forward:tcp:1;tcp:2",
  "reverse:list-forward",
];

/** One field of a packet's header set to something else. */
function spoiled(one: Packet, offset: number, value: number): Uint8Array[] {
  const bytes = encodePacket(one, true);
  new DataView(bytes.buffer).setUint32(offset, value, true);
  return [bytes];
}

const faults: Record<string, Uint8Array[]> = {
  "connects again": bytesOf(connect),
  "connects with a payload limit of 0": bytesOf(packet("CNXN", VERSION, 0)),
  "answers a token that nobody sent": bytesOf(packet("AUTH", 2, 0, new Uint8Array(256))),
  "asks for TLS": bytesOf(packet("STLS", VERSION, 0)),
  "opens as stream 0": bytesOf(packet("OPEN", 0, 0, "sync:\0")),
  "opens the same id twice": bytesOf(packet("OPEN", 7, 0, "sync:\0"), packet("OPEN", 7, 0, "shell:cat\0")),
  "opens a service without a name": bytesOf(packet("OPEN", 8, 0)),
  "acknowledges what nobody wrote": repeated(10, packet("OKAY", 7, 1)),
  "acknowledges a stream that never was": bytesOf(packet("OKAY", 99, 99), packet("OKAY", 0, 0)),
  "writes ten times without waiting for OKAY": repeated(10, packet("WRTE", 7, 1, new Uint8Array(100))),
  "writes nothing, a thousand times": repeated(1000, packet("WRTE", 7, 1)),
  "writes to a stream that never was": bytesOf(packet("WRTE", 7, 99, "x"), packet("WRTE", 99, 1, "x")),
  "closes twice": bytesOf(packet("CLSE", 7, 1), packet("CLSE", 7, 1), packet("CLSE", 0, 1)),
  "closes a stream that never was": bytesOf(packet("CLSE", 99, 99), packet("CLSE", 0, 0)),
  "writes after it closed": bytesOf(packet("CLSE", 7, 1), packet("WRTE", 7, 1, "x")),
  "sends a wrong checksum": spoiled(packet("WRTE", 7, 1, "x"), 16, 0xdeadbeef),
  "sends a wrong magic": spoiled(packet("WRTE", 7, 1, "x"), 20, 0),
  "announces a payload of 4 GB": spoiled(packet("WRTE", 7, 1), 12, 0xffffffff),
  "stops in the middle of a header": [encodePacket(connect).subarray(0, HEADER_BYTES - 1)],
};

describe("a host that breaks the rules harms no other", () => {
  for (const [state, before] of Object.entries(states))
    it.each(Object.entries(faults))(`${state}: it %s`, async (_name, fault) => {
      const { hostile, reports, echo } = createDevice();
      for (const one of before) {
        hostile.sayBytes(encodePacket(one));
        await hostile.sent();
      }
      for (const bytes of fault) hostile.sayBytes(bytes);
      await hostile.sent();
      hostile.hangUp();
      await settled();
      expect(await echo()).toBe("alive\n");
      expect([reports, unhandled]).toEqual([[], []]);
    });

  it("whatever it sends, in any order", async () => {
    const id = fc.integer({ min: 0, max: 3 });
    const payload = fc.oneof(
      fc.constantFrom(...services).map(text),
      fc.constantFrom(
        encodeBlock(syncId.SEND, text("/f,33188")),
        encodeBlock(syncId.SEND, text("/readonly/f,33188")),
        encodeBlock(syncId.DATA, text("data")),
        encodeFrame(syncId.DONE, 1),
        encodeBlock(syncId.RECV, text("/f")),
        encodeBlock(syncId.LIS2, text("/")),
        encodeFrame(syncId.QUIT),
        encodeShellFrame({ id: shellId.stdin, data: text("input") }),
        encodeShellFrame({ id: shellId.windowSize, data: text("1x1,1x1") }),
        encodeShellFrame({ id: shellId.closeStdin, data: text("") }),
      ),
      fc.uint8Array({ maxLength: 40 }),
    );
    const name = fc.constantFrom<keyof typeof command>("OPEN", "OPEN", "OKAY", "OKAY", "WRTE", "WRTE", "CLSE");
    const said = fc.tuple(name, id, id, payload);
    await fc.assert(
      fc.asyncProperty(fc.array(said, { maxLength: 60 }), fc.boolean(), async (packets, waits) => {
        const { hostile, reports, echo } = createDevice();
        hostile.connect();
        for (const [command, arg0, arg1, bytes] of packets) {
          hostile.say(command, arg0, arg1, bytes);
          if (waits) await hostile.sent();
        }
        hostile.hangUp();
        await settled();
        expect(await echo()).toBe("alive\n");
        expect([reports, unhandled]).toEqual([[], []]);
      }),
    );
  });

  it("loses its connection, and only that, when it does not wait for OKAY", async () => {
    const { daemon, hostile, echo } = createDevice();
    hostile.connect();
    hostile.say("OPEN", 7, 0, "localabstract:sulk\0");
    await hostile.sent();
    for (let each = 0; each < 10; each++) hostile.say("WRTE", 7, 1, new Uint8Array(100));
    expect([daemon.gone.aborted, hostile.isClosed]).toEqual([true, true]);
    expect(await echo()).toBe("alive\n");
  });
});
