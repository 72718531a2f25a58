import { type ChildProcess, fork } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { collectGarbage } from "../testing/collect-garbage.ts";
import type { FakeDisplay } from "./testing/fake-display.ts";
import { DEVICE, startTestViewerServer, TOKEN, type TestViewerServer } from "./testing/test-viewer-server.ts";
import type { TestPlayer } from "./testing/test-player.ts";
import type { PeerEvents } from "./viewers/viewer-peer.ts";
import { WebRtcPeer } from "./viewers/web-rtc-peer.ts";

const startCode = Buffer.from([0, 0, 0, 1]);
const sps = Buffer.from([0x67, 0x42, 0xe0, 0x1f, 1, 2, 3]);
const pps = Buffer.from([0x68, 0xce, 6, 7]);
const config = Buffer.concat([startCode, sps, startCode, pps]);

describe("a viewer over WebRTC", () => {
  let test: TestViewerServer;
  beforeEach(async () => {
    test = await startTestViewerServer();
    beLikeADevice(test.display);
  });
  afterEach(() => test.stop());

  it("gets each access unit as it came, its time in 90 kHz", async () => {
    const player = await watching(test);
    const key = slice(0x65, 40_000);
    const next = slice(0x41, 700);
    test.display.frame(true, 1_000_000n, annexB(key));
    test.display.frame(false, 1_033_333n, annexB(next));
    await player.until(() => player.pictures.length === 2);
    expect(player.pictures[0]?.units).toEqual([sps, pps, key]);
    expect(player.pictures[1]?.units).toEqual([next]);
    const [first, second] = player.pictures.map(({ rtpTime }) => rtpTime);
    expect(((second ?? 0) - (first ?? 0)) >>> 0).toBe(2999);
  });

  it("asks for a key frame when it comes and when the browser lost one", async () => {
    const player = await watching(test);
    expect(test.display.sent("resetVideo").length).toBe(1);
    player.loseKeyFrame();
    await player.until(() => player.pictures.length === 1);
    expect(test.display.sent("resetVideo").length).toBe(2);
  });

  it("reaches the device with its events", async () => {
    const player = await watching(test);
    const released = new Promise<void>((resolve) =>
      test.display.onControl((message) => {
        if (message.type === "touch" && message.action === "up") resolve();
      }),
    );
    player.event({ type: "MOUSE_PRESS", x: 360, y: 640 });
    player.event({ type: "MOUSE_RELEASE", x: 361, y: 9999 });
    await released;
    expect(test.display.sent("touch").map(({ action, position }) => ({ action, ...position }))).toEqual([
      { action: "down", x: 360, y: 640, width: 720, height: 1280 },
      { action: "up", x: 361, y: 1279, width: 720, height: 1280 },
    ]);
  });

  it("is told what the device can do and how it is", async () => {
    const player = await watching(test);
    await player.until(() => player.messages.some(({ type }) => type === "battery"));
    expect(player.messages.map(({ type, connection }) => type ?? connection)).toEqual([
      "ok",
      "USERS",
      "CAPABILITIES",
      "battery",
      "settings",
    ]);
    expect(player.messages[3]?.message).toBe("state mode discharging 86");
  });

  it("offers again on the same connection and goes on watching", async () => {
    const player = await watching(test);
    player.offerAgain();
    await player.until(() => player.answers === 2);
    test.display.frame(true, 5n, annexB(slice(0x65, 100)));
    await player.until(() => player.pictures.length === 1);
    expect(player.eventsOpen).toBe(true);
  });

  it("does not wait for one that has stopped reading", async () => {
    const stalled = await stalledPlayer(test.url);
    try {
      const player = await watching(test);
      for (let index = 0; index < 60; index++) {
        test.display.frame(index % 10 === 0, BigInt(index), annexB(slice(0x41, 50_000)));
        await player.until(() => player.pictures.length === index + 1);
      }
      expect(player.pictures.length).toBe(60);
      expect(test.server.stats().devices[DEVICE]?.viewers).toBe(2);
    } finally {
      stalled.kill("SIGKILL");
    }
  });

  it("hears that the device ended", async () => {
    const player = await watching(test);
    test.server.removeDevice(DEVICE, "ended");
    expect(await player.closed()).toEqual({ code: 4244, reason: "device ended" });
    expect(test.server.stats().devices).toEqual({});
  });
});

describe("several viewers on one UDP port", () => {
  let test: TestViewerServer;
  let udpPort: number;
  beforeEach(async () => {
    udpPort = await freeUdpPort();
    test = await startTestViewerServer({ ice: { bindAddress: "127.0.0.1", udpPort } });
    beLikeADevice(test.display);
  });
  afterEach(() => test.stop());

  it("all see the picture", async () => {
    const players = [await watching(test), await watching(test), await watching(test)];
    const key = slice(0x65, 5_000);
    test.display.frame(true, 1n, annexB(key));
    for (const player of players)
      await player.until(() => player.pictures.some(({ units }) => units[2]?.equals(key) === true));
    expect(test.server.stats().devices[DEVICE]?.viewers).toBe(3);
  });

  it("go on watching while somebody sends junk to it", async () => {
    const player = await watching(test);
    const socket = createSocket("udp4");
    try {
      for (let index = 0; index < 30; index++) {
        for (const junk of hostilePackets) socket.send(junk, udpPort, "127.0.0.1");
        test.display.frame(index === 0, BigInt(index), annexB(slice(0x41, 5_000)));
        await player.until(() => player.pictures.length === index + 1);
      }
      expect(player.pictures.length).toBe(30);
    } finally {
      socket.close();
    }
  });
});

it.each([
  ["left", (player: TestPlayer) => player.close()],
  ["was sent away", (_: TestPlayer, { server }: TestViewerServer) => server.cutOff(() => true)],
])("leaves nothing in memory of a viewer that %s", async (_, end) => {
  const peers: WeakRef<WebRtcPeer>[] = [];
  const createPeer = (events: PeerEvents) => {
    const peer = new WebRtcPeer(events, { bindAddress: "127.0.0.1", reach: "loopback" });
    peers.push(new WeakRef(peer));
    return peer;
  };
  const test = await startTestViewerServer({ createPeer });
  try {
    beLikeADevice(test.display);
    const player = await watching(test);
    end(player, test);
    const isLeft = () => {
      collectGarbage();
      return peers.map((peer) => peer.deref() !== undefined);
    };
    await expect.poll(isLeft, { timeout: 30_000 }).toEqual([false]);
  } finally {
    await test.stop();
  }
});

/** What a stranger could send to the media port: RTP, RTCP, a DTLS greeting, STUN of nobody, and nothing that is anything. */
const hostilePackets = [
  Buffer.concat([Buffer.from([0x80, 102]), Buffer.alloc(200, 7)]),
  Buffer.concat([Buffer.from([0x81, 206, 0, 2]), Buffer.alloc(8, 1)]),
  Buffer.concat([Buffer.from([22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, 1]), Buffer.alloc(99)]),
  Buffer.concat([Buffer.from([0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42]), Buffer.alloc(12, 3)]),
  Buffer.alloc(1_400, 0xff),
  Buffer.alloc(0),
];

/** A player that has seen the picture and was then stopped in the middle of all it does, its sockets open. */
async function stalledPlayer(url: string): Promise<ChildProcess> {
  const program = new URL("./testing/player-process.ts", import.meta.url);
  const child = fork(program, [url, TOKEN], { execArgv: [] });
  await once(child, "message");
  child.kill("SIGSTOP");
  return child;
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(resolve));
  return port;
}

/** A player that has shown a first picture and whose events are open, so that it gets all that is shown from now on. */
async function watching(test: TestViewerServer): Promise<TestPlayer> {
  const player = test.player();
  await player.until(() => player.eventsOpen && player.pictures.length > 0);
  player.pictures.length = 0;
  return player;
}

/** Answers each request for a key frame with one. */
function beLikeADevice(display: FakeDisplay): void {
  display.config = config;
  display.onControl((message) => {
    if (message.type === "resetVideo") display.frame(true, 0n, annexB(slice(0x65, 100)));
  });
}

/** A coded slice of this type and length, of bytes in which no start code can be. */
function slice(type: number, length: number): Buffer {
  const unit = Buffer.alloc(length, 0xab);
  for (let index = 1; index < length; index++) unit[index] = (index % 250) + 4;
  unit[0] = type;
  return unit;
}

function annexB(unit: Buffer): Buffer {
  return Buffer.concat([startCode, unit]);
}
