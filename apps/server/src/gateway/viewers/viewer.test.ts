import { describe, expect, it } from "vitest";
import { create, DEVICE, DISPLAY_RESTS, frame } from "../testing/held-viewer-server.ts";
import { settled } from "../testing/settled.ts";

describe("a viewer's token", () => {
  it("opens the connection, once", async () => {
    const { add, arrive } = create();
    add();
    const socket = await arrive("owner");
    expect(socket.sent).toEqual([{ connection: "ok" }]);
    socket.say({ type: "token", token: "owner" });
    await settled();
    expect(socket.sent.length).toBe(1);
    expect(socket.closed).toBeUndefined();
  });

  const refusals: [string, string, number, string][] = [
    ["is none", "nonsense", 4242, "wrong token"],
    ["is empty", "", 4242, "wrong token"],
    ["is for another device", "other", 4242, "wrong token"],
    ["has expired", "old", 4243, "token expired"],
    ["is for a device that is over", "late", 4244, "device ended"],
  ];
  for (const [what, token, code, reason] of refusals)
    it(`is refused when it ${what}`, async () => {
      const { add, arrive, peers, server } = create();
      add();
      const socket = await arrive(token);
      expect(socket.closed).toEqual({ code, reason });
      expect(socket.sent).toEqual([]);
      expect(peers.length).toBe(0);
      expect(server.stats().viewers).toBe(0);
    });

  it("is waited for for ten seconds", async () => {
    const { clock, add, arrive } = create();
    add();
    const socket = await arrive();
    await clock.advance(9_999);
    expect(socket.closed).toBeUndefined();
    await clock.advance(1);
    expect(socket.closed).toEqual({ code: 4242, reason: "no token in time" });
    expect(clock.sleeping).toBe(DISPLAY_RESTS);
  });

  it("is waited for while the player says little else", async () => {
    const { add, arrive } = create();
    add();
    const socket = await arrive();
    for (let count = 0; count < 20; count++) socket.say({ type: "offer", sdp: "early" });
    await settled();
    expect(socket.closed).toBeUndefined();
    socket.say({ type: "offer", sdp: "early" });
    await settled();
    expect(socket.closed).toEqual({ code: 1008, reason: "bad message" });
  });

  it("that cannot be read is the server's trouble: the player tries again", async () => {
    const { add, arrive } = create({ authorize: () => Promise.reject(new Error("no database")) });
    add();
    expect((await arrive("owner")).closed).toEqual({ code: 1013, reason: "server trouble" });
  });

  it("comes before all else", async () => {
    const { add, arrive, peers, display } = create();
    add();
    const socket = await arrive();
    socket.say({ type: "offer", sdp: "early" });
    socket.say({ type: "MOUSE_PRESS", x: 1, y: 1 });
    socket.say({ type: "token", token: "owner" });
    await settled();
    expect(peers[0]?.offers).toEqual([]);
    expect(display.sent("touch")).toEqual([]);
  });

  it("of somebody who is no longer welcome is cut off at once", async () => {
    const { add, watch, server } = create();
    add();
    const guest = await watch("guest");
    const owner = await watch("owner");
    server.cutOff(({ user }) => user === "u2");
    await settled();
    expect(guest.socket.closed).toEqual({ code: 4243, reason: "token expired" });
    expect(guest.peer.closed).toBe(true);
    expect(owner.socket.closed).toBeUndefined();
  });
});

describe("signalling", () => {
  it("answers each offer on the same connection, and hands candidates on", async () => {
    const { add, watch, peers } = create();
    add();
    const { socket, peer } = await watch();
    socket.say({ type: "offer", sdp: "again" });
    socket.say({ candidate: "candidate:1 1 udp 1 192.0.2.1 50000 typ host", sdpMid: "0" });
    peer.events.onCandidate("candidate:2", "1");
    expect(peer.offers).toEqual(["offer", "again"]);
    expect(peer.candidates.length).toBe(1);
    expect(peers.length).toBe(1);
    expect(socket.sent.filter(({ type, candidate }) => type === "answer" || candidate !== undefined)).toEqual([
      { type: "answer", sdp: "answer to offer" },
      { type: "answer", sdp: "answer to again" },
      { candidate: "candidate:2", sdpMid: "1" },
    ]);
  });

  it("survives garbage, and sends away who sends nothing else", async () => {
    const { add, watch } = create();
    add();
    const { socket } = await watch();
    for (const garbage of ["", "{", "null", undefined, { type: "offer", sdp: "bad" }, { candidate: "" }])
      socket.say(garbage);
    await settled();
    expect(socket.closed).toBeUndefined();
    for (let count = 0; count < 100; count++) socket.say("garbage");
    await settled();
    expect(socket.closed).toEqual({ code: 1008, reason: "bad message" });
  });

  it.each(["public", "private"] as const)(
    "sends to %s addresses, and to the one the viewer comes from",
    async (reach) => {
      const { add, arrive, peers } = create({ ice: { reach } });
      add();
      const socket = await arrive("owner", "192.168.1.7");
      const at = (address: string) => `candidate:1 1 udp 1 ${address} 50000 typ host`;
      const near = {
        type: "offer",
        sdp: ["v=0", ...["10.0.0.5", "127.0.0.1"].map((one) => `a=${at(one)}`), ""].join("\n"),
      };
      for (const address of ["203.0.113.7", "192.168.1.7", "10.0.0.5", "127.0.0.1"])
        socket.say({ candidate: at(address), sdpMid: "0" });
      socket.say(near);
      const farther = reach === "private" ? ["10.0.0.5"] : [];
      expect(peers[0]?.candidates).toEqual(["203.0.113.7", "192.168.1.7", ...farther].map(at));
      expect(peers[0]?.offers).toEqual([["v=0", ...farther.map((one) => `a=${at(one)}`), ""].join("\n")]);
    },
  );

  it("sends to no place that no browser is at, and looks no name up", async () => {
    const { add, watch } = create();
    add();
    const { socket, peer } = await watch();
    const metadata = "candidate:1 1 udp 1 169.254.169.254 8080 typ host";
    socket.say({ candidate: metadata, sdpMid: "0" });
    socket.say({ candidate: "candidate:2 1 udp 1 metadata.internal 8080 typ host", sdpMid: "0" });
    socket.say({ type: "offer", sdp: `v=0\r\na=${metadata}\r\na=mid:0\r\n` });
    expect([peer.candidates, peer.offers.at(-1)]).toEqual([[], "v=0\r\na=mid:0\r\n"]);
    expect(socket.closed).toBeUndefined();
  });

  const floods: [string, (index: number) => object][] = [
    ["offers", (index) => ({ type: "offer", sdp: `offer ${index}` })],
    ["candidates", (index) => ({ candidate: `candidate:${index} 1 udp 1 10.0.0.1 50000 typ host`, sdpMid: "0" })],
    ["commands", () => ({ type: "MOUSE_MOVE", x: 1, y: 1 })],
    ["tokens", () => ({ type: "token", token: "x" })],
  ];
  for (const [what, message] of floods)
    it(`sends away who floods it with ${what}, before that is work for the others`, async () => {
      const { add, watch } = create();
      add();
      const { socket, peer } = await watch();
      for (let index = 0; index < 5000; index++) socket.say(message(index));
      await settled();
      expect(socket.closed).toEqual({ code: 1008, reason: "bad message" });
      expect(peer.offers.length <= 20 && peer.candidates.length <= 64).toBeTruthy();
    });

  it("notices a viewer that is gone without a word", async () => {
    const { clock, add, watch, server } = create();
    add();
    const { socket, peer } = await watch();
    await clock.advance(15_000);
    socket.pong();
    await clock.advance(15_000);
    expect(server.stats().viewers).toBe(1);
    await clock.advance(15_000);
    expect(server.stats().viewers).toBe(0);
    expect(peer.closed).toBe(true);
    expect(socket.pings).toBe(2);
  });

  it("starts anew when the media connection breaks", async () => {
    const { add, watch } = create();
    add();
    const { socket, peer } = await watch();
    peer.events.onBroken();
    await settled();
    expect(socket.closed).toEqual({ code: 1012, reason: "media connection lost" });
  });

  it("hears who watches, each of them once", async () => {
    const { add, watch } = create();
    add();
    const { socket } = await watch();
    const here = () => socket.sent.filter(({ type }) => type === "USERS").at(-1)?.message;
    expect(here()).toEqual(["u1"]);
    const guest = await watch("guest");
    expect(here()).toEqual(["u1", "u2"]);
    await watch();
    expect(here()).toEqual(["u1", "u2"]);
    guest.socket.leave();
    await settled();
    expect(here()).toEqual(["u1"]);
  });

  it("frees all that a viewer held when it leaves", async () => {
    const { add, watch, server, display, clock } = create();
    add();
    const { socket, peer, event } = await watch();
    event({ type: "MOUSE_PRESS", x: 5, y: 6 });
    event({ type: "KEYBOARD_PRESS", keychar: "", keycode: 0x01000020 });
    socket.leave();
    await settled();
    expect(peer.closed).toBe(true);
    expect(display.sent("touch").map(({ action }) => action)).toEqual(["down", "up"]);
    expect(display.sent("key").map(({ action }) => action)).toEqual(["down", "up"]);
    expect(server.stats()).toEqual({
      devices: { [DEVICE]: { viewers: 0, units: 0 } },
      viewers: 0,
      sent: 0,
      skipped: 0,
      replayBytes: 0,
    });
    expect(clock.sleeping).toBe(DISPLAY_RESTS);
    expect(socket.closed).toBeUndefined();
  });
});

describe("the picture", () => {
  it("goes to all viewers; one that takes nothing changes nothing for the others", async () => {
    const { add, watch, display, server } = create();
    add();
    const slow = await watch();
    const quick = await watch();
    slow.peer.takes = false;
    for (let index = 0; index < 5; index++) display.frame(index === 0, BigInt(index), frame);
    expect(quick.peer.units.length).toBe(5);
    slow.peer.takes = true;
    display.frame(false, 5n, frame);
    display.frame(true, 6n, frame);
    expect(slow.peer.units.map(({ ptsUs }) => ptsUs)).toEqual([6n]);
    expect(server.stats()).toEqual({
      devices: { [DEVICE]: { viewers: 2, units: 7 } },
      viewers: 2,
      sent: 8,
      skipped: 6,
      replayBytes: 7 * (frame.length + 256),
    });
  });

  it("has its key frame made while it connects, gets it at once then, and needs no other", async () => {
    const { clock, add, arrive, peers, display } = create();
    add();
    const socket = await arrive("owner");
    expect(display.sent("resetVideo")).toEqual([]);
    socket.say({ type: "offer", sdp: "offer" });
    expect(display.sent("resetVideo").length).toBe(1);
    display.frame(true, 0n, frame);
    await clock.advance(500);
    peers[0]!.connect();
    expect(peers[0]!.units.map(({ ptsUs }) => ptsUs)).toEqual([0n]);
    socket.say({ type: "offer", sdp: "with a camera" });
    expect(display.sent("resetVideo").length).toBe(1);
  });

  it("is there at once with a device that comes while the browser connects, which then hears what was said meanwhile", async () => {
    const { add, arrive, peers, display, server } = create();
    const socket = await arrive("owner");
    socket.say({ type: "offer", sdp: "offer" });
    expect(socket.sent.map(({ connection, sdp }) => connection ?? sdp)).toEqual(["ok", "answer to offer"]);
    const peer = peers[0]!;
    peer.connect();
    for (let count = 0; count < 20; count++)
      peer.events.onEvent(JSON.stringify({ type: "KEYBOARD_PRESS", keychar: "x", keycode: 120 }));
    expect(display.controls).toEqual([]);
    add();
    await settled();
    expect(display.sent("resetVideo").length).toBe(1);
    // That its channel is open is one of sixteen.
    expect(display.sent("text").length).toBe(15);
    expect(socket.sent.some(({ type }) => type === "CAPABILITIES")).toBe(true);
    display.frame(true, 0n, frame);
    expect([peer.units.length, peers.length]).toEqual([1, 1]);
    socket.leave();
    await settled();
    expect([peer.closed, server.stats().viewers]).toEqual([true, 0]);
  });

  it("comes over the socket to a page that asks for that before there is a device, and to nobody who has left meanwhile", async () => {
    const { add, arrive, peers, display } = create();
    const [socket, gone] = [await arrive("owner"), await arrive("owner")];
    socket.say({ type: "VIDEO" });
    gone.leave();
    await settled();
    expect(peers.map(({ closed }) => closed)).toEqual([false, true]);
    add();
    await settled();
    display.frame(true, 0n, frame);
    expect([socket.pictures.length, peers[0]!.closed]).toEqual([1, true]);
  });

  it("is seen over the socket while the browser connects, once", async () => {
    const { add, arrive, peers, display } = create();
    add();
    const socket = await arrive("owner");
    socket.say({ type: "VIDEO", still: true });
    socket.say({ type: "offer", sdp: "offer" });
    display.frame(false, 0n, frame);
    expect(socket.pictures).toEqual([]);
    for (const pts of [1n, 2n]) display.frame(true, pts, frame);
    expect(socket.pictures.map((message) => Buffer.from(message).subarray(16))).toEqual([frame]);
    socket.say({ type: "VIDEO", still: true });
    expect(socket.pictures.length).toBe(1);
    peers[0]!.connect();
    expect(peers[0]!.units.map(({ ptsUs }) => ptsUs)).toEqual([2n]);
  });

  it("is seen over the socket at once if there is one, and not once the browser has connected", async () => {
    const { add, arrive, watch, display } = create();
    add();
    display.frame(true, 0n, frame);
    const early = await arrive("owner");
    early.say({ type: "VIDEO", still: true });
    expect(early.pictures.length).toBe(1);
    const { socket } = await watch();
    socket.say({ type: "VIDEO", still: true });
    display.frame(true, 1n, frame);
    expect(socket.pictures).toEqual([]);
  });

  it("is the key frame that the display was opened with, if nothing has changed since", async () => {
    const { add, watch, display } = create();
    add();
    display.frame(true, 0n, frame);
    const { peer } = await watch();
    expect([peer.units.length, display.sent("resetVideo").length]).toEqual([1, 0]);
  });

  it("asks for another key frame as it connects if the first was not to be had", async () => {
    const { clock, add, arrive, peers, display } = create();
    add();
    const socket = await arrive("owner");
    socket.say({ type: "offer", sdp: "offer" });
    await clock.advance(1_000);
    peers[0]!.connect();
    expect(display.sent("resetVideo").length).toBe(2);
  });

  it("begins anew for a viewer whose network was full, even if nothing moves", async () => {
    const { clock, add, watch, display } = create();
    add();
    const { peer } = await watch();
    display.frame(true, 0n, frame);
    expect(display.sent("resetVideo").length).toBe(1);
    peer.events.onNetworkFull();
    display.frame(false, 1n, frame);
    expect(peer.units.length).toBe(1);
    await clock.advance(1_000);
    expect(display.sent("resetVideo").length).toBe(2);
    display.frame(true, 2n, frame);
    expect(peer.units.length).toBe(2);
  });

  it("has fewer bits when the networks of all who watch are full, over WebRTC and over the socket", async () => {
    const { clock, add, watch, display } = create();
    const limits: unknown[] = [];
    Object.assign(display, { limitBitRate: (limit: unknown) => limits.push(limit) });
    add();
    const { peer } = await watch();
    const other = await watch("colleague");
    peer.events.onNetworkFull();
    expect(limits).toEqual([]);
    other.socket.say({ type: "VIDEO" });
    display.frame(true, 0n, frame);
    await clock.advance(1_000);
    display.frame(false, 1n, frame);
    other.socket.say({ type: "VIDEO", seen: 0 });
    expect(limits).toEqual([4_000_000]);
  });

  it("is not made heavier by one viewer that always asks for key frames", async () => {
    const { clock, add, watch, display } = create();
    add();
    const { peer } = await watch();
    for (let ms = 0; ms < 1_000; ms += 50) {
      display.frame(true, BigInt(ms), frame);
      peer.events.onKeyFrameRequest();
      await clock.advance(50);
    }
    expect(display.sent("resetVideo").length).toBe(3);
  });
});

describe("the picture on the socket", () => {
  /** A viewer whose WebRTC never connected, and that has asked for the picture on its socket. */
  async function watchOnSocket(viewer: ReturnType<typeof create>, token = "owner") {
    const socket = await viewer.arrive(token);
    const peer = viewer.peers.at(-1)!;
    socket.say({ type: "VIDEO" });
    await settled();
    const numbers = () => socket.pictures.map((message) => Buffer.from(message).readUInt32BE(4));
    return { socket, peer, numbers };
  }

  it("begins with a key frame, which is asked for, and ends WebRTC; state and news come as ever", async () => {
    const viewer = create();
    viewer.add();
    const { socket, peer, numbers } = await watchOnSocket(viewer);
    expect(peer.closed).toBe(true);
    expect(viewer.display.sent("resetVideo").length).toBe(1);
    expect(socket.sent.map(({ type }) => type)).toEqual(expect.arrayContaining(["USERS", "CAPABILITIES"]));
    viewer.display.frame(false, 1n, frame);
    expect(numbers()).toEqual([]);
    viewer.display.frame(true, 2n, frame);
    viewer.display.frame(false, 3n, frame);
    expect(numbers()).toEqual([0, 1]);
    expect(Buffer.from(socket.pictures[0]!).subarray(16)).toEqual(frame);
    expect(viewer.server.stats()).toMatchObject({ sent: 2, skipped: 1 });
  });

  it("begins anew for a page that asks again", async () => {
    const viewer = create();
    viewer.add();
    const { socket, numbers } = await watchOnSocket(viewer);
    viewer.display.frame(true, 0n, frame);
    socket.say({ type: "VIDEO" });
    viewer.display.frame(false, 1n, frame);
    await viewer.clock.advance(500);
    expect(viewer.display.sent("resetVideo").length).toBe(2);
    viewer.display.frame(true, 2n, frame);
    expect(numbers()).toEqual([0, 1]);
  });

  it("stops for one who does not keep up and changes nothing for the others; then it gets a key frame, even at rest", async () => {
    const viewer = create();
    viewer.add();
    const quick = await viewer.watch();
    const slow = await watchOnSocket(viewer);
    viewer.display.frame(true, 0n, frame);
    await viewer.clock.advance(1_000);
    for (let index = 1; index <= 100; index++) viewer.display.frame(false, BigInt(index), frame);
    expect([quick.peer.units.length, slow.numbers()]).toEqual([101, [0]]);
    viewer.display.controls.length = 0;
    slow.socket.say({ type: "VIDEO", seen: 0 });
    expect(viewer.display.sent("resetVideo").length).toBe(1);
    viewer.display.frame(true, 101n, frame);
    expect(slow.numbers()).toEqual([0, 1]);
  });

  it("gets its key frame even if one was asked for just before", async () => {
    const viewer = create();
    viewer.add();
    const { socket, numbers } = await watchOnSocket(viewer);
    viewer.display.frame(true, 0n, frame);
    await viewer.clock.advance(900);
    socket.say({ type: "VIDEO" });
    await viewer.clock.advance(100);
    viewer.display.frame(true, 1n, frame);
    viewer.display.controls.length = 0;
    socket.say({ type: "VIDEO", seen: 0 });
    expect(viewer.display.sent("resetVideo")).toEqual([]);
    await viewer.clock.advance(400);
    expect(viewer.display.sent("resetVideo").length).toBe(1);
    viewer.display.frame(true, 2n, frame);
    expect(numbers()).toEqual([0, 1]);
  });

  it("takes input as ever, but not from who may only look, and ends with the grant", async () => {
    const viewer = create();
    viewer.add();
    const owner = await watchOnSocket(viewer);
    const watcher = await watchOnSocket(viewer, "watcher");
    const guest = await watchOnSocket(viewer, "guest");
    const presses = () => viewer.display.sent("touch").map(({ action }) => action);
    owner.socket.say({ type: "MOUSE_PRESS", x: 1, y: 1 });
    watcher.socket.say({ type: "MOUSE_PRESS", x: 1, y: 1 });
    expect(presses()).toEqual(["down"]);
    guest.socket.say({ type: "MOUSE_PRESS", x: 1, y: 1 });
    viewer.server.setControl(({ user }) => user === "u2", false);
    guest.socket.say({ type: "MOUSE_PRESS", x: 1, y: 1 });
    expect(presses()).toEqual(["down", "down", "up"]);
    viewer.server.cutOff(({ user }) => user === "u2");
    await settled();
    viewer.display.frame(true, 0n, frame);
    expect(guest.socket.closed).toEqual({ code: 4243, reason: "token expired" });
    expect([guest.numbers(), watcher.numbers()]).toEqual([[], [0]]);
  });

  it("comes to nobody without a token, and to nobody who has not asked", async () => {
    const viewer = create();
    viewer.add();
    const stranger = await viewer.arrive();
    stranger.say({ type: "VIDEO" });
    const { socket } = await viewer.watch();
    socket.say({ type: "VIDEO", seen: 0 });
    viewer.display.frame(true, 0n, frame);
    expect([stranger.pictures, socket.pictures]).toEqual([[], []]);
  });

  it("tells its page how long messages take, with the page's own time", async () => {
    const viewer = create();
    viewer.add();
    const { socket } = await watchOnSocket(viewer);
    socket.say({ type: "VIDEO", at: 12.5 });
    expect(socket.sent.at(-1)).toEqual({ type: "VIDEO", at: 12.5 });
  });
});

describe("what viewers ask", () => {
  it("reaches the device", async () => {
    const { add, watch, display, shell } = create();
    add();
    const { event } = await watch();
    display.controls.length = 0;
    event({ type: "ROTATE" });
    event({ channel: "framework", messages: ["set_device_clipboard aMOp"] });
    event({ type: "KEYBOARD_PRESS", keychar: "x", keycode: 120 });
    event({ channel: "battery", messages: ["set state level 42", "set state status charging"] });
    await settled();
    expect(display.controls).toEqual([
      { type: "rotate" },
      { type: "setClipboard", sequence: 0n, paste: false, text: "hé" },
      { type: "text", text: "x" },
    ]);
    expect(shell.commands).toEqual(["", "set level 42", "set status 2", ""]);
  });

  it("comes over the socket too", async () => {
    const { add, watch, display } = create();
    add();
    const { socket } = await watch();
    socket.say({ type: "ROTATE" });
    expect(display.sent("rotate").length).toBe(1);
  });

  it("is dropped when it is nonsense", async () => {
    const { add, watch, display } = create();
    add();
    const { peer } = await watch();
    display.controls.length = 0;
    for (const text of ["", "{}", `{"type":"MOUSE_PRESS","x":1e9,"y":1}`, `{"type":"REBOOT"}`, "x".repeat(1_000_000)])
      peer.events.onEvent(text);
    expect(display.controls).toEqual([]);
  });

  it("ends for one who asks more than any player", async () => {
    const { add, watch } = create();
    add();
    const { socket, peer } = await watch();
    for (let count = 0; count < 100; count++) peer.events.onEvent("x".repeat(200_000));
    await settled();
    expect(socket.closed).toEqual({ code: 1008, reason: "bad message" });
  });

  it("ends for one whose channel has something else", async () => {
    const { add, watch } = create();
    add();
    const { socket, peer } = await watch();
    for (let count = 0; count < 101; count++) peer.events.onEvent(undefined);
    await settled();
    expect(socket.closed?.code).toBe(1008);
  });

  it("is dropped from one who may only look", async () => {
    const { add, watch, display } = create();
    add();
    const { event, socket } = await watch("watcher");
    display.controls.length = 0;
    event({ type: "MOUSE_PRESS", x: 1, y: 1 });
    socket.say({ type: "ROTATE" });
    expect(display.controls).toEqual([]);
  });

  it("is touches and keys alone from one who came by a link, and nothing from one who may only look", async () => {
    const { add, watch, display, used } = create();
    add();
    const [touching, looking] = [await watch("linked"), await watch("shown")];
    expect(used).toEqual([]);
    display.controls.length = 0;
    for (const { event, socket } of [looking, touching]) {
      event({ type: "ROTATE" });
      event({ channel: "framework", messages: ["set_device_clipboard aMOp"] });
      socket.say({ type: "ROTATE" });
    }
    looking.event({ type: "MOUSE_PRESS", x: 1, y: 1 });
    expect(display.controls).toEqual([]);
    touching.event({ type: "MOUSE_PRESS", x: 1, y: 1 });
    expect(display.sent("touch").map(({ action }) => action)).toEqual(["down"]);
  });

  it("tells one who came by a link nothing of the others and of what is copied, nor them of that one", async () => {
    const { add, watch, display } = create();
    add();
    const [owner, linked] = [await watch(), await watch("linked")];
    linked.socket.say({ type: "ROOM", what: "join" });
    linked.socket.say({ type: "ROOM", what: "hand", up: true });
    display.copy("hé");
    await settled();
    expect(linked.socket.sent.flatMap(({ message }) => message ?? [])).toEqual([]);
    expect(JSON.stringify(linked.socket.sent)).not.toMatch(/u1|l1|clipboard/);
    expect(JSON.stringify(owner.socket.sent)).not.toContain("l1");
  });

  it("follows who may touch now, and lets go of what was held", async () => {
    const { add, watch, display, server } = create();
    add();
    const { event } = await watch("guest");
    event({ type: "MOUSE_PRESS", x: 1, y: 1 });
    event({ type: "KEYBOARD_PRESS", keychar: "", keycode: 16777219 });
    display.controls.length = 0;
    server.setControl(({ user }) => user === "u2", false);
    expect(display.sent("touch").map(({ action }) => action)).toEqual(["up"]);
    expect(display.sent("key").map(({ action }) => action)).toEqual(["up"]);
    expect(server.grants()).toMatchObject([{ user: "u2", viewOnly: true }]);
    display.controls.length = 0;
    event({ type: "MOUSE_PRESS", x: 2, y: 2 });
    expect(display.controls).toEqual([]);
    server.setControl(({ user }) => user === "u2", true);
    event({ type: "MOUSE_PRESS", x: 3, y: 3 });
    expect(display.sent("touch").map(({ action }) => action)).toEqual(["down"]);
  });

  it("is answered, so that no widget waits", async () => {
    const { add, watch } = create();
    add();
    const { socket, event } = await watch();
    socket.sent.length = 0;
    event({ channel: "fingerprint", messages: ["notify all"] });
    event({ channel: "settings", messages: ["disableif wifi"] });
    expect(socket.sent.map(({ message }) => message)).toEqual([
      "current_status idle",
      "auto_recognize false",
      "if wifi:on mobile:on",
    ]);
  });

  it("is seen by all: the battery, and what is copied on the device", async () => {
    const { add, watch, display } = create();
    add();
    const [one, two] = [await watch(), await watch("guest")];
    one.event({ channel: "battery", messages: ["set state level 7"] });
    display.copy("hé");
    await settled();
    for (const { socket } of [one, two]) {
      const messages = new Set(socket.sent.map(({ message }) => message));
      expect(messages.has("state mode discharging 7")).toBeTruthy();
      expect(messages.has("clipboard from_android aMOp")).toBeTruthy();
    }
  });

  it("counts as use of the device, reported at most once a second", async () => {
    const { clock, add, watch, used } = create();
    add();
    const { event } = await watch();
    for (let index = 0; index < 10; index++) event({ type: "ROTATE" });
    expect(used).toEqual([DEVICE]);
    await clock.advance(1_000);
    event({ type: "ROTATE" });
    expect(used).toEqual([DEVICE, DEVICE]);
  });
});

describe("a device's sound", () => {
  const sound = new Uint8Array([0xf8, 0xff, 0xfe]);

  it("goes to each viewer that sees the picture", async () => {
    const { add, watch, display } = create();
    add();
    const { peer } = await watch();
    display.sound(1n, sound);
    expect(peer.sounds).toEqual([]);
    display.frame(true, 1n, frame);
    display.sound(20_000n, sound);
    expect(peer.sounds).toEqual([{ ptsUs: 20_000n, data: sound }]);
  });

  it("goes over the socket if its page asks for it there, and not to who is frozen", async () => {
    const { add, watch, display, clock } = create();
    add();
    const { socket } = await watch();
    const other = await watch();
    socket.say({ type: "VIDEO" });
    socket.say({ type: "SOUND", on: true });
    display.frame(true, 1n, frame);
    display.sound(20_000n, sound);
    const kinds = () => socket.pictures.map(([kind]) => kind);
    expect(kinds()).toEqual([1, 2]);
    // It has not seen its picture for a second: the next one finds it behind.
    await clock.advance(1_000);
    display.frame(false, 2n, frame);
    display.sound(40_000n, sound);
    expect(kinds()).toEqual([1, 2]);
    expect(other.peer.sounds).toHaveLength(2);
    socket.say({ type: "VIDEO", seen: 0 });
    display.frame(true, 3n, frame);
    display.sound(60_000n, sound);
    expect(kinds()).toEqual([1, 2, 1, 2]);
  });

  it("is not for who has left, nor for who has shown no token", async () => {
    const { add, watch, arrive, display } = create();
    add();
    const stranger = await arrive();
    stranger.say({ type: "SOUND", on: true });
    const { socket, peer } = await watch();
    display.frame(true, 1n, frame);
    socket.leave();
    await settled();
    display.sound(20_000n, sound);
    expect([peer.sounds, stranger.pictures]).toEqual([[], []]);
  });

  it.each([true, false])("is said to be there: %s", async (has) => {
    const { add, watch, display } = create();
    display.hasSound = Promise.resolve(has);
    add();
    const { socket } = await watch();
    await settled();
    const said = socket.sent.find(({ type }) => type === "CAPABILITIES")?.message;
    expect(said).toMatchObject({ sound: has });
  });
});
