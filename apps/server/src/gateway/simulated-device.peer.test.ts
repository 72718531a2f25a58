import { systemClock } from "@terrarium/clock";
import { aMachineSpec, MemoryLayers } from "@terrarium/runtime/testing";
import { simulatorRuntime, type SimulatorRuntime } from "@terrarium/runtime-simulator";
import pino from "pino";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Cleanup } from "../platform/clean-up.ts";
import { createDisplayHost } from "./display-host.ts";
import { DEVICE, TOKEN } from "./testing/test-viewer-server.ts";
import { TestPlayer } from "./testing/test-player.ts";
import { cleanUpWebRtc } from "./viewers/web-rtc-peer.ts";

const SPS = 7;
const PPS = 8;
const IDR = 5;

describe("a simulated device, over adb and WebRTC", () => {
  const cleanup = new Cleanup();
  let runtime: SimulatorRuntime;
  let player: TestPlayer;
  let url: string;

  beforeAll(async () => {
    cleanup.add(cleanUpWebRtc);
    const dataDir = await mkdtemp(join(tmpdir(), "gateway-"));
    cleanup.add(() => rm(dataDir, { recursive: true, force: true }));
    runtime = simulatorRuntime({ dataDir, clock: systemClock, log: () => undefined, layers: new MemoryLayers() });
    cleanup.add(() => runtime.shutdown());
    const { signal } = new AbortController();
    const machine = await runtime.start(aMachineSpec({ id: DEVICE }), signal);

    const displays = createDisplayHost({
      clock: systemClock,
      log: pino({ level: "silent" }),
      authorize: async (token) =>
        token === TOKEN ? { instanceUuid: DEVICE, user: "u1", role: "owner", credential: "c1" } : "wrong",
      ice: { bindAddress: "127.0.0.1" },
      onUse: () => undefined,
    });
    cleanup.add(() => displays.stop());
    const link = await displays.connect(DEVICE, machine, signal);
    cleanup.add(() => link.close());
    await link.booted(signal);
    const display = await link.openDisplay(signal);
    cleanup.add(() => display.close());

    const server = createServer();
    displays.serve(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanup.add(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.address() as AddressInfo;
    url = `ws://127.0.0.1:${port}/cloud/instances/${DEVICE}`;
    player = new TestPlayer(`${url}/player`, TOKEN);
    cleanup.add(() => player.close());
  });
  afterAll(() => cleanup.run());

  it("shows its screen, beginning with a picture that needs no other", async () => {
    await player.until(() => player.pictures.length > 0);
    expect(unitTypes(0)).toEqual([SPS, PPS, IDR]);
  });

  it("takes touches, and shows what came of them", async () => {
    await player.until(() => player.eventsOpen);
    const before = player.pictures.length;
    // The first icon of the dock.
    player.event({ type: "MOUSE_PRESS", x: 46, y: 519 });
    player.event({ type: "MOUSE_RELEASE", x: 46, y: 519 });
    await player.until(() => player.pictures.length > before);
    expect(player.pictures.length).toBeGreaterThan(before);
    // A tap clicks: opus in packets of 20 ms, which are 960 of RTP's ticks apart.
    const silence = "f8fffe";
    await player.until(() => player.sounds.at(-1)?.data.toString("hex") === silence);
    const [first, ...next] = player.sounds;
    expect(next.map(({ time }) => (time - (first?.time ?? 0)) >>> 0)).toEqual(next.map((_, at) => (at + 1) * 960));
    expect(next.length).toBeGreaterThan(1);
  });

  it("has the battery that a viewer gives it", async () => {
    await player.until(() => player.messages.some(({ type }) => type === "battery"));
    player.event({ channel: "battery", messages: ["set state level 42", "set state status charging"] });
    await player.until(() => player.messages.some(({ message }) => message === "state mode charging 42"));
    expect(player.messages.at(-1)?.type).toBe("battery");
  });

  it("turns, and begins anew with the other size", async () => {
    const sps = player.pictures[0]?.units[0];
    player.event({ type: "ROTATE" });
    const isTurned = (index: number) =>
      unitTypes(index)[0] === SPS && sps?.equals(player.pictures[index]?.units[0] ?? sps) === false;
    await player.until(() => player.pictures.some((_, index) => isTurned(index)));
    expect(sps).toBeDefined();
  });

  it("has a miniature, whole pictures of it in small, that changes with it", async () => {
    const socket = new WebSocket(`${url}/miniature`);
    cleanup.add(() => socket.close());
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "token", token: TOKEN }));
    const next = async () => {
      socket.send("next");
      const [picture] = (await once(socket, "message")) as [Buffer];
      return picture;
    };
    const first = await next();
    expect(unitTypesOf(first)).toEqual([SPS, PPS, IDR]);
    player.event({ type: "ROTATE" });
    expect((await next()).equals(first)).toBe(false);
  });

  it("has its viewers ask again when it is gone", async () => {
    const closed = player.closed();
    await runtime.stop(DEVICE);
    expect((await closed).code).toBe(1012);
  });

  /** The types of the units in an Annex B access unit. */
  const unitTypesOf = (bytes: Buffer): number[] => {
    const types: number[] = [];
    for (let at = bytes.indexOf("000001", 0, "hex"); at >= 0; at = bytes.indexOf("000001", at + 3, "hex"))
      types.push((bytes[at + 3] ?? 0) & 0x1f);
    return types;
  };
  const unitTypes = (index: number): number[] =>
    (player.pictures[index]?.units ?? []).map((unit) => (unit[0] ?? 0) & 0x1f);
});
