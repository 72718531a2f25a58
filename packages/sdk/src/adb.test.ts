import { AdbCommand, AdbPacket } from "@yume-chan/adb";
import { expect, it, onTestFinished, vi } from "vitest";
import { openAdb } from "./adb.ts";
import { createClient } from "./index.ts";

const client = createClient({ fetch: async () => Response.json({ adb_url: "ws://here", access_token: "token" }) });

/** A tunnel that opens at once; `answer` hears the device's first packet. */
function fakeTunnel(answer: (socket: FakeSocket) => void) {
  const sockets: FakeSocket[] = [];
  vi.stubGlobal(
    "WebSocket",
    class extends FakeSocket {
      constructor() {
        super(answer);
        sockets.push(this);
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  return sockets;
}

class FakeSocket extends EventTarget {
  isClosed = false;
  readonly sent: unknown[] = [];
  readonly #answer: (socket: FakeSocket) => void;
  constructor(answer: (socket: FakeSocket) => void) {
    super();
    this.#answer = answer;
    queueMicrotask(() => this.dispatchEvent(new Event("open")));
  }
  send(data: unknown) {
    if (this.sent.push(data) === 2) this.#answer(this);
  }
  close(code = 1000, reason = "") {
    this.isClosed = true;
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason }));
  }
}

it("closes the tunnel to a device that asks for a key where there is none", async () => {
  const asks = AdbPacket.serialize({
    command: AdbCommand.Auth,
    arg0: 1,
    arg1: 0,
    checksum: 0,
    magic: AdbCommand.Auth ^ 0xffffffff,
    payload: new Uint8Array(20),
  });
  const sockets = fakeTunnel((socket) =>
    socket.dispatchEvent(new MessageEvent("message", { data: asks.slice().buffer })),
  );
  await expect(openAdb(client, "one")).rejects.toThrow("give a credentialStore");
  expect(sockets.map(({ isClosed, sent }) => [isClosed, sent[0]])).toEqual([[true, "token"]]);
});

it("ends with the signal's reason while the device does not answer", async () => {
  const enough = new AbortController();
  const sockets = fakeTunnel(() => enough.abort(new Error("enough")));
  await expect(openAdb(client, "one", { signal: enough.signal })).rejects.toThrow("enough");
  expect(sockets[0]?.isClosed).toBe(true);
});

it("says why the tunnel has closed", async () => {
  fakeTunnel((socket) => socket.close(4004, "the device has ended"));
  await expect(openAdb(client, "one")).rejects.toThrow("the device has ended (4004)");
});
