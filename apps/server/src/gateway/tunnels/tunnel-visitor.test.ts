import { WINDOW_BYTES } from "@terrarium/adb-tunnel";
import { describe, expect, it } from "vitest";
import type { FakeByteSocket } from "../testing/fake-viewer.ts";
import { create, DEVICE } from "../testing/held-viewer-server.ts";
import { settled } from "../testing/settled.ts";

/** A device, and one who has come for its adb. */
async function aTunnel(hello: object | string = "owner", token?: string) {
  const test = create();
  test.add();
  const socket = await test.come("adb", hello, token);
  const [pipe] = test.pipes;
  if (!pipe) throw new Error("nothing was dialled");
  return { ...test, socket, pipe };
}

/** The last text that was sent. */
const said = (socket: FakeByteSocket) => socket.sent.at(-1) as { resume: string; received: number };
const resumable = { token: "owner", resume: "new" };

describe("a token", () => {
  it.each<[string, object | string]>([
    ["as it is", "owner"],
    ["in an object", { token: "owner" }],
    ["as players say it", { type: "token", token: "owner" }],
  ])("is taken %s, and after it only bytes are said", async (_, hello) => {
    const { socket, pipe } = await aTunnel(hello);
    socket.bring("CNXN");
    pipe.say("CNXN too");
    expect([pipe.written, socket.received, socket.sent]).toEqual(["CNXN", "CNXN too", []]);
  });

  it("is taken from the request", async () => {
    const { come, add, pipes } = create();
    add();
    const socket = await come("adb", undefined, "owner");
    socket.bring("CNXN");
    expect(pipes[0]?.written).toBe("CNXN");
    expect((await come("adb", undefined, "bad")).closed?.code).toBe(4242);
  });

  it("is answered where that is waited for", async () => {
    expect((await aTunnel({ token: "owner", adbTunnelVersion: 1 })).socket.sent).toEqual([{ connection: "SUCCESS" }]);
  });

  it.each([
    ["bad", 4242],
    ["old", 4243],
    ["late", 4244],
    ["other", 4242],
    // adb opens everything on a device.
    ["guest", 1008],
    ["watcher", 1008],
    ["linked", 1008],
  ])("%s opens nothing", async (token, code) => {
    const { add, come, pipes } = create();
    add();
    expect((await come("adb", token)).closed?.code).toBe(code);
    expect(pipes).toEqual([]);
  });

  it("is waited for, ten seconds", async () => {
    const { add, come, clock } = create();
    add();
    const socket = await come("adb");
    await clock.advance(10_000);
    expect(socket.closed?.reason).toBe("no token in time");
  });

  it("leaves what follows it unread until it is known", async () => {
    const { come, add, pipes } = create();
    const socket = await come("adb", "owner");
    expect(socket.isPaused).toBe(true);
    add();
    await settled();
    expect([socket.isPaused, pipes.length]).toEqual([false, 1]);
  });
});

describe("a tunnel", () => {
  it("pauses whoever is faster than the other", async () => {
    const { socket, pipe } = await aTunnel();
    pipe.takes = false;
    socket.bring("much");
    expect(socket.isPaused).toBe(true);
    pipe.drain();
    expect(socket.isPaused).toBe(false);
    socket.unread = 256 * 1024;
    pipe.say("more");
    expect(pipe.isPaused).toBe(true);
    socket.drain();
    expect(pipe.isPaused).toBe(false);
  });

  it("counts as use, and is counted", async () => {
    const { socket, pipe, used, server } = await aTunnel();
    expect(used).toEqual([]);
    socket.bring("12345");
    pipe.say("123");
    expect(used).toEqual([DEVICE]);
    expect(server.tunnelStats()).toEqual({ tunnels: 1, toDeviceBytes: 5, fromDeviceBytes: 3 });
    socket.leave();
    await settled();
    expect(server.tunnelStats().tunnels).toBe(0);
  });

  it("is one of sixteen at most", async () => {
    const { come, socket } = await aTunnel();
    for (let more = 0; more < 15; more++) expect((await come("adb", "owner")).closed).toBeUndefined();
    expect((await come("adb", "owner")).closed).toEqual({ code: 1013, reason: "too many connections of adb" });
    socket.leave();
    await settled();
    expect((await come("adb", "owner")).closed).toBeUndefined();
  });

  it("ends with its client, and with its device's adb", async () => {
    const first = await aTunnel();
    first.socket.leave();
    await settled();
    expect(first.pipe.isClosed).toBe(true);
    const second = await aTunnel();
    second.pipe.close();
    await settled();
    expect(second.socket.closed?.code).toBe(1000);
  });

  it("ends with the session, with the device and with the server, also if its client may come back", async () => {
    const ends: [(test: ReturnType<typeof create>["server"]) => unknown, number][] = [
      [(server) => server.cutOff(({ credential }) => credential === "c1"), 4243],
      [(server) => server.removeDevice(DEVICE, "ended"), 4244],
      [(server) => server.stop(), 4244],
    ];
    for (const [end, code] of ends) {
      const { server, socket, pipe } = await aTunnel();
      void end(server);
      await settled();
      expect([socket.closed?.code, pipe.isClosed]).toEqual([code, true]);
      const away = await aTunnel(resumable);
      away.socket.leave();
      await settled();
      expect(away.server.grants()).toHaveLength(1);
      expect(away.pipe.isClosed).toBe(false);
      void end(away.server);
      expect(away.pipe.isClosed).toBe(true);
      expect(away.server.grants()).toHaveLength(0);
    }
  });

  it("is told of when it is opened, not when its client comes back", async () => {
    const { socket, come, acts } = await aTunnel(resumable);
    const { resume } = said(socket);
    socket.leave();
    await settled();
    await come("adb", { token: "owner", resume: { id: resume, received: 0 } });
    expect(acts).toEqual([["u1", "203.0.113.7", { action: "instance.open_adb" }]]);
  });

  it("is told of again when its client comes back with something else", async () => {
    const test = create({
      authorize: async (credential) => ({ instanceUuid: DEVICE, user: "u1", role: "owner", credential }),
    });
    test.add();
    const socket = await test.come("adb", { token: "session", resume: "new" });
    const { resume } = said(socket);
    for (const token of ["session", "other"]) await test.come("adb", { token, resume, received: 0 });
    expect([test.acts.length, test.server.grants().at(-1)?.credential]).toEqual([2, "other"]);
  });

  it("does not end with the display", async () => {
    const { server, clock, socket, pipe } = await aTunnel();
    server.removeDevice(DEVICE, "lost");
    await clock.advance(2_000);
    socket.bring("goes on");
    expect([socket.closed, pipe.written]).toEqual([undefined, "goes on"]);
    server.removeDevice(DEVICE, "ended");
    await settled();
    expect(socket.closed?.code).toBe(4244);
  });

  it("sends away who says something else", async () => {
    const { socket, pipe } = await aTunnel();
    socket.say({ received: 7 });
    await settled();
    expect([socket.closed?.code, pipe.isClosed]).toEqual([1008, true]);
  });

  it("does the flow control of a daemon that leaves it to us", async () => {
    const { socket, pipe } = await aTunnel({ token: "owner", adbTunnelVersion: 2 });
    socket.bring("no adb at all, which is what it looks for");
    await settled();
    expect([socket.closed?.code, pipe.isClosed]).toEqual([1008, true]);
  });
});

describe("a client that can resume", () => {
  it("is told what it has missed, and says what was", async () => {
    const { come, socket, pipe } = await aTunnel(resumable);
    const { resume } = said(socket);
    socket.bring("abc");
    pipe.say("defghi");
    socket.leave();
    await settled();
    pipe.say("jkl");
    const again = await come("adb", { token: "owner", resume, received: 4 });
    expect(again.sent).toEqual([{ connection: "SUCCESS", resume, received: 3 }]);
    expect(again.received).toBe("hijkl");
    again.bring("m");
    expect(pipe.written).toBe("abcm");
  });

  it("takes its tunnel from a socket that looks alive", async () => {
    const { come, socket, pipe } = await aTunnel(resumable);
    const again = await come("adb", { token: "owner", resume: said(socket).resume, received: 0 });
    expect(socket.closed?.code).toBe(4411);
    pipe.say("here");
    expect([socket.received, again.received, pipe.isClosed]).toEqual(["", "here", false]);
  });

  it("has a minute, in which a device talks on for one window", async () => {
    const { clock, socket, pipe, come } = await aTunnel(resumable);
    const { resume } = said(socket);
    socket.leave();
    await settled();
    pipe.say(new Uint8Array(WINDOW_BYTES - 1));
    expect(pipe.isPaused).toBe(false);
    pipe.say("!");
    expect(pipe.isPaused).toBe(true);
    await clock.advance(59_999);
    expect(pipe.isClosed).toBe(false);
    await clock.advance(1);
    expect(pipe.isClosed).toBe(true);
    expect((await come("adb", { token: "owner", resume, received: 0 })).closed?.code).toBe(4410);
  });

  it("keeps its tunnel as long as it is there again", async () => {
    const { clock, socket, pipe, come } = await aTunnel(resumable);
    socket.leave();
    await settled();
    const again = await come("adb", { token: "owner", resume: said(socket).resume, received: 0 });
    for (let beat = 0; beat < 10; beat++) {
      again.pong();
      await clock.advance(15_000);
    }
    expect([again.closed, pipe.isClosed]).toEqual([undefined, false]);
  });

  it("confirms, and is confirmed", async () => {
    const { socket, pipe } = await aTunnel(resumable);
    socket.bring("x".repeat(300_000));
    expect(said(socket)).toEqual({ received: 300_000 });
    pipe.say(new Uint8Array(WINDOW_BYTES));
    expect(pipe.isPaused).toBe(true);
    socket.say({ received: 10 });
    expect(pipe.isPaused).toBe(false);
    socket.say({ received: WINDOW_BYTES + 1 });
    await settled();
    expect(socket.closed?.code).toBe(1008);
  });

  it("is not paused, but sent away when it sends more than it may", async () => {
    const { socket, pipe } = await aTunnel(resumable);
    pipe.takes = false;
    for (let window = 0; window < 2; window++) socket.bring("x".repeat(WINDOW_BYTES));
    expect([socket.isPaused, socket.closed]).toEqual([false, undefined]);
    socket.bring("!");
    await settled();
    expect(socket.closed?.code).toBe(1008);
  });

  it("leaves nothing behind when it says that it leaves", async () => {
    const { socket, pipe } = await aTunnel(resumable);
    socket.leftWith = 1000;
    socket.leave();
    await settled();
    expect(pipe.isClosed).toBe(true);
  });

  it("is that person", async () => {
    const { socket, come } = await aTunnel(resumable);
    const { resume } = said(socket);
    for (const hello of [
      { token: "guest", resume, received: 0 },
      { token: "colleague", resume, received: 0 },
      { token: "owner", resume: "another", received: 0 },
      { token: "owner", resume, received: 1 },
    ])
      expect([1008, 4410]).toContain((await come("adb", hello)).closed?.code);
  });
});
