import { command, encodePacket, PacketReader } from "@terrarium/adb";
import { describe, expect, it } from "vitest";
import { DaemonFlow } from "./daemon-flow.ts";

type Name = keyof typeof command;
const packet = (name: Name, arg0: number, arg1: number, payload = "") =>
  encodePacket({ command: command[name], arg0, arg1, payload: Buffer.from(payload) });

/** Packets as words: `WRTE 1 2 text`. */
function words(packets: Uint8Array[]): string[] {
  const reader = new PacketReader();
  const names = new Map(Object.entries(command).map(([name, value]) => [value as number, name]));
  return packets.flatMap((bytes) =>
    [...reader.push(bytes)].map(({ command: code, arg0, arg1, payload }) =>
      [names.get(code), arg0, arg1, Buffer.from(payload).toString()].join(" ").trim(),
    ),
  );
}

function create() {
  const flow = new DaemonFlow();
  const take = (doesClientRead = true) => {
    const { toClient, toDevice } = flow.take(doesClientRead);
    return { toClient: words(toClient), toDevice: words(toDevice) };
  };
  const client = (...packets: Uint8Array[]) => packets.forEach((bytes) => flow.fromClient(bytes));
  const device = (...packets: Uint8Array[]) => packets.forEach((bytes) => flow.fromDevice(bytes));
  /** The stream 1 of the client, which is 2 at the device. */
  const open = () => {
    client(packet("OPEN", 1, 0, "shell:"));
    device(packet("OKAY", 2, 1));
    take();
  };
  return { flow, take, client, device, open };
}

describe("what the daemon writes", () => {
  it("waits for the device, packet by packet, and its close after it", () => {
    const { take, client, device, open } = create();
    open();
    client(packet("WRTE", 1, 2, "a"), packet("WRTE", 1, 2, "b"), packet("CLSE", 1, 2));
    expect(take().toDevice).toEqual(["WRTE 1 2 a"]);
    device(packet("OKAY", 2, 1));
    expect(take()).toEqual({ toClient: ["OKAY 2 1"], toDevice: ["WRTE 1 2 b", "CLSE 1 2"] });
  });

  it("waits for a stream to be open", () => {
    const { take, client, device } = create();
    client(packet("OPEN", 1, 0, "sync:"), packet("WRTE", 1, 2, "a"));
    expect(take().toDevice).toEqual(["OPEN 1 0 sync:"]);
    device(packet("OKAY", 2, 1));
    expect(take().toDevice).toEqual(["WRTE 1 2 a"]);
  });

  it("holds up no other stream", () => {
    const { take, client, device, open } = create();
    open();
    client(packet("OPEN", 3, 0, "shell:"));
    device(packet("OKAY", 4, 3));
    client(packet("WRTE", 1, 2, "a"), packet("WRTE", 1, 2, "b"), packet("WRTE", 3, 4, "c"));
    expect(take().toDevice).toEqual(["OPEN 3 0 shell:", "WRTE 1 2 a", "WRTE 3 4 c"]);
  });

  it("is forgotten when the device closes", () => {
    const { flow, take, client, device, open } = create();
    open();
    client(...Array.from({ length: 600 }, () => packet("WRTE", 1, 2, "x".repeat(4000))));
    expect(flow.isFull).toBe(true);
    device(packet("CLSE", 2, 1));
    expect(flow.isFull).toBe(false);
    expect(take().toDevice).toEqual([`WRTE 1 2 ${"x".repeat(4000)}`]);
  });
});

it("has the client wait that writes nothing without end to a device that takes nothing", () => {
  const { flow, client, open } = create();
  open();
  for (let count = 0; count < 10_000 && !flow.isFull; count++) client(packet("WRTE", 1, 2));
  expect(flow.isFull).toBe(true);
});

describe("what the device writes", () => {
  it("is acknowledged, once the client reads", () => {
    const { take, client, device, open } = create();
    open();
    device(packet("WRTE", 2, 1, "out"));
    expect(take(false)).toEqual({ toClient: ["WRTE 2 1 out"], toDevice: [] });
    expect(take()).toEqual({ toClient: [], toDevice: ["OKAY 1 2"] });
    // The daemon's own is one too many.
    client(packet("OKAY", 1, 2));
    expect(take().toDevice).toEqual([]);
  });

  it("to a stream that it has opened goes on when the client has accepted that", () => {
    const { take, client, device } = create();
    device(packet("OPEN", 7, 0, "tcp:9999"));
    client(packet("OKAY", 5, 7), packet("WRTE", 5, 7, "a"), packet("WRTE", 5, 7, "b"));
    expect(take()).toEqual({ toClient: ["OPEN 7 0 tcp:9999"], toDevice: ["OKAY 5 7", "WRTE 5 7 a"] });
  });
});

it("agrees on no feature that would count bytes instead of packets", () => {
  const { take, client, device } = create();
  client(packet("CNXN", 1, 4096, "host::features=cmd,delayed_ack,shell_v2"));
  device(packet("CNXN", 1, 4096, "device::features=delayed_ack,cmd"));
  expect(take()).toEqual({
    toClient: ["CNXN 1 4096 device::features=cmd"],
    toDevice: ["CNXN 1 4096 host::features=cmd,shell_v2"],
  });
});

it("throws on more streams than anybody needs", () => {
  const { client, device } = create();
  const open = (at: number) => packet("OPEN", at + 1, 0, "shell:");
  client(...Array.from({ length: 4096 }, (_, at) => open(at)));
  expect(() => client(open(4096))).toThrow("too many streams");
  device(...Array.from({ length: 4096 }, (_, at) => open(at)));
  expect(() => device(open(4096))).toThrow("too many streams");
});

it("throws on what is no adb", () => {
  expect(() => create().flow.fromClient(Buffer.from("GET / HTTP/1.1\r\nHost: example.org"))).toThrow(/magic/);
});
