import { describe, expect, it } from "vitest";
import { anonymousLimits } from "../platform/http/anonymous-connections.ts";
import { fakeShell } from "./testing/fake-shell.ts";
import { FakeDisplay } from "./testing/fake-display.ts";
import { FakeFiles } from "./testing/fake-files.ts";
import { FakeByteSocket } from "./testing/fake-viewer.ts";
import { create, DEVICE } from "./testing/held-viewer-server.ts";
import { settled } from "./testing/settled.ts";
import type { ToolLink } from "./tools/tool.ts";
import type { Grant } from "./viewers/visitor.ts";

describe("a device", () => {
  it("that comes soon is waited for", async () => {
    const { clock, add, arrive } = create();
    const socket = await arrive("owner");
    await clock.advance(14_999);
    expect([socket.sent, socket.closed]).toEqual([[{ connection: "ok" }], undefined]);
    add();
    await settled();
    expect(socket.sent).toEqual([{ connection: "ok" }]);
    // The heartbeat alone.
    expect(clock.sleeping).toBe(1);
  });

  it("that nobody waits for is not wanted until somebody does", async () => {
    const { arrive, server } = create();
    let isWanted = false;
    const { signal } = new AbortController();
    const wanted = server.wanted(DEVICE, signal).then(() => (isWanted = true));
    await settled();
    expect(isWanted).toBe(false);
    await arrive("owner");
    await wanted;
    await server.wanted(DEVICE, signal);
    await expect(server.wanted("another", AbortSignal.abort(new Error("left")))).rejects.toThrow("left");
  });

  it("is wanted when its display broke while somebody watched", async () => {
    const { add, watch, server } = create();
    add();
    server.removeDevice(DEVICE, "lost");
    await expect(server.wanted(DEVICE, AbortSignal.abort(new Error("nobody")))).rejects.toThrow("nobody");
    add();
    await watch();
    server.removeDevice(DEVICE, "lost");
    await server.wanted(DEVICE, AbortSignal.abort(new Error("nobody")));
  });

  it("that is waited for by many has sixteen connect meanwhile", async () => {
    const { add, arrive, peers } = create();
    for (let count = 0; count < 16; count++) await arrive("owner");
    const late = await arrive("owner");
    expect([late.sent, peers.length]).toEqual([[], 16]);
    add();
    await settled();
    expect([late.sent, peers.length]).toEqual([[{ connection: "ok" }], 17]);
  });

  it("that does not come is asked for again by the player", async () => {
    const { clock, arrive } = create();
    const socket = await arrive("owner");
    await clock.advance(15_000);
    expect(socket.closed).toEqual({ code: 1013, reason: "display not ready" });
    expect(clock.sleeping).toBe(0);
  });

  it("that ends says so to those who watch, those who wait and those who come late", async () => {
    const { add, arrive, watch, server, display } = create();
    const farewell = { code: 4244, reason: "device ended" };
    add();
    const { socket, peer } = await watch();
    server.removeDevice(DEVICE, "ended");
    await settled();
    expect(socket.closed).toEqual(farewell);
    expect(peer.closed).toBe(true);
    expect((await arrive("owner")).closed).toEqual(farewell);
    expect(display.gone.aborted).toBe(false);
    add();
    const waiting = await arrive("owner");
    expect(waiting.closed).toBeUndefined();
  });

  it("that was started again after its end is waited for when its display breaks", async () => {
    const { add, arrive, server } = create();
    add();
    server.removeDevice(DEVICE, "ended");
    add();
    server.removeDevice(DEVICE, "lost");
    const socket = await arrive("owner");
    expect(socket.closed).toBeUndefined();
  });

  it("whose display was over before it was added lets nobody in", async () => {
    const { add, display, server } = create();
    display.end(new Error("gone"));
    add();
    expect(server.stats().devices).toEqual({});
  });

  it("that ends while somebody waits for it says so", async () => {
    const { arrive, server } = create();
    const socket = await arrive("owner");
    server.removeDevice(DEVICE, "ended");
    await settled();
    expect(socket.closed).toEqual({ code: 4244, reason: "device ended" });
  });

  it("whose display breaks has its viewers come back", async () => {
    const { clock, add, watch, display, server } = create();
    add();
    const { socket, peer } = await watch();
    display.end(new Error("the device closed the display"));
    await clock.advance(999);
    expect(socket.closed).toBeUndefined();
    await clock.advance(1);
    expect(socket.closed).toEqual({ code: 1012, reason: "display lost" });
    expect(peer.closed).toBe(true);
    expect(server.stats().devices).toEqual({});
  });

  it("whose display breaks because the device is over says that it is over", async () => {
    const { clock, add, watch, display, server } = create();
    add();
    const { socket } = await watch();
    display.end(new Error("the device closed the display"));
    server.removeDevice(DEVICE, "lost");
    await clock.advance(500);
    server.removeDevice(DEVICE, "ended");
    await settled();
    expect(socket.closed).toEqual({ code: 4244, reason: "device ended" });
    expect(clock.sleeping).toBe(0);
  });

  it("whose display is opened again at once has its viewers come back at once", async () => {
    const { add, watch, server } = create();
    add();
    const { socket } = await watch();
    server.removeDevice(DEVICE, "lost");
    add();
    await settled();
    expect(socket.closed).toEqual({ code: 1012, reason: "display lost" });
    expect(server.stats().devices[DEVICE]?.viewers).toBe(0);
  });

  it("takes in 16 by links, who take nobody's place", async () => {
    const { add, arrive } = create();
    add();
    for (let count = 0; count < 16; count++) expect((await arrive("linked")).closed).toBeUndefined();
    expect((await arrive("shown")).closed).toEqual({ code: 1013, reason: "too many viewers" });
    for (let count = 0; count < 32; count++) expect((await arrive("owner")).closed).toBeUndefined();
  });

  it("takes in 32 viewers", async () => {
    const { add, arrive } = create();
    add();
    for (let count = 0; count < 32; count++) expect((await arrive("owner")).closed).toBeUndefined();
    expect((await arrive("owner")).closed).toEqual({ code: 1013, reason: "too many viewers" });
  });

  it("takes in six of each guest, so that there is always room for its owner", async () => {
    const { add, arrive } = create();
    add();
    for (let count = 0; count < 6; count++) expect((await arrive("guest")).closed).toBeUndefined();
    expect((await arrive("guest")).closed).toEqual({ code: 1013, reason: "too many viewers" });
    for (const token of ["watcher", "owner"]) expect((await arrive(token)).closed).toBeUndefined();
  });

  it("that was added twice is the later one", async () => {
    const { add, watch, server } = create();
    add();
    const { socket } = await watch();
    const second = new FakeDisplay();
    const open = async () => new FakeDisplay();
    const access = { source: second, shell: fakeShell().run, openMiniature: open, openShowcase: open };
    server.addDevice(DEVICE, access);
    await settled();
    expect(socket.closed).toEqual({ code: 1012, reason: "display lost" });
    const { event } = await watch();
    event({ type: "ROTATE" });
    expect(second.sent("rotate").length).toBe(1);
  });
});

describe("viewers without a token", () => {
  it("make room for others of their network, and are gone for good", async () => {
    const { add, arrive, server } = create();
    add();
    const other = await arrive(undefined, "203.0.113.8");
    const first = await arrive();
    for (let count = 1; count < anonymousLimits.maxPerNetwork; count++) await arrive();
    expect([first.terminated, server.stats().viewers]).toEqual([false, anonymousLimits.maxPerNetwork + 1]);
    const late = await arrive("owner");
    expect([first.terminated, other.terminated, late.sent]).toEqual([true, false, [{ connection: "ok" }]]);
    expect(server.stats().viewers).toBe(anonymousLimits.maxPerNetwork + 1);
  });

  it("do not count once they have one, even if their device is still to come, or once they have left", async () => {
    const { arrive } = create();
    const waiting = await arrive("owner");
    for (let count = 0; count < anonymousLimits.maxPerNetwork; count++) (await arrive()).leave();
    for (let count = 0; count < anonymousLimits.maxPerNetwork; count++) await arrive();
    expect(waiting.terminated).toBe(false);
  });
});

describe("a viewer who is sent away", () => {
  it("has two seconds to close its end", async () => {
    const { clock, add, arrive, server } = create();
    add();
    const socket = await arrive();
    socket.deaf = true;
    await clock.advance(10_000);
    expect(socket.closed?.code).toBe(4242);
    await clock.advance(1_999);
    expect(socket.terminated).toBe(false);
    await clock.advance(1);
    expect([socket.terminated, server.stats().viewers]).toEqual([true, 0]);
  });
});

describe("the viewers of one network", () => {
  it("may together send twice what one may", async () => {
    const { clock, add, arrive } = create();
    add();
    const sockets = [await arrive("owner"), await arrive("owner"), await arrive("owner")];
    const other = await arrive("owner", "203.0.113.8");
    const talk = () => {
      for (const socket of sockets)
        for (let count = 0; count < 2_000; count++) socket.say({ type: "MOUSE_MOVE", x: 1, y: 1 });
    };
    await clock.advance(1_000);
    talk();
    await clock.advance(1_000);
    talk();
    await settled();
    expect(sockets.map(({ closed }) => closed)).toEqual([undefined, undefined, undefined]);
    for (const socket of [other, ...sockets]) socket.say({ type: "MOUSE_MOVE", x: 1, y: 1 });
    await settled();
    expect(other.closed).toBeUndefined();
    for (const { closed } of sockets) expect(closed).toEqual({ code: 1008, reason: "bad message" });
  });
});

describe("a socket that closes at any step", () => {
  const hellos = {
    player: { type: "token", token: "owner" },
    miniature: { type: "token", token: "owner" },
    adb: { token: "owner" },
    upload: { type: "token", token: "owner" },
    tools: { token: "owner", tool: "files" },
  };
  /** What has come of it when it closes. */
  const steps = ["nothing", "its token", "its grant", "its device"] as const;
  const kinds = Object.keys(hellos) as (keyof typeof hellos)[];
  it.each(kinds.flatMap((kind) => steps.map((step) => [kind, step] as const)))("%s, after %s", async (kind, step) => {
    const authorized = Promise.withResolvers<Grant>();
    const { add, server, clock, pipes, peers, miniatures, display } = create({ authorize: () => authorized.promise });
    if (step === "its device") add(new FakeFiles(), {} as ToolLink);
    const socket = new FakeByteSocket();
    if (kind === "player" || kind === "miniature") server.acceptSocket(DEVICE, socket, "203.0.113.7", kind);
    else server.acceptBytes(DEVICE, socket, "203.0.113.7", kind);
    if (step !== "nothing") socket.say(hellos[kind]);
    const grant: Grant = { instanceUuid: DEVICE, user: "u1", role: "owner", credential: "c1" };
    if (step === "its grant" || step === "its device") authorized.resolve(grant);
    await settled();
    expect(server.stats().viewers).toBe(1);
    socket.leave();
    authorized.resolve(grant);
    await settled();
    // A device that comes then finds nobody who waits for it.
    if (step !== "its device") add();
    // Miniatures and replays last a while.
    for (let beat = 0; beat < 4; beat++) await clock.advance(15_000);
    expect(server.stats()).toMatchObject({ viewers: 0, devices: { [DEVICE]: { viewers: 0 } } });
    expect(server.grants()).toEqual([]);
    expect(clock.sleeping).toBe(0);
    expect(pipes.every(({ isClosed }) => isClosed)).toBe(true);
    expect(peers.every(({ closed }) => closed)).toBe(true);
    expect(miniatures.every(({ gone }) => gone.aborted)).toBe(true);
    expect(display.sent("touch")).toEqual([]);
  });
});

describe("a viewer server that stops", () => {
  it("sends everybody away and frees all", async () => {
    const { add, arrive, watch, server, clock } = create();
    add();
    const { socket, peer } = await watch();
    const early = await arrive();
    await server.stop();
    for (const { closed } of [socket, early]) expect(closed).toEqual({ code: 4244, reason: "server stopping" });
    expect(peer.closed).toBe(true);
    expect(server.stats()).toEqual({ devices: {}, viewers: 0, sent: 0, skipped: 0, replayBytes: 0 });
    expect(clock.sleeping).toBe(0);
  });
});
