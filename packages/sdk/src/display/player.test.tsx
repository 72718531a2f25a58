import { TestClock } from "@terrarium/clock";
import type { IceServer } from "@terrarium/contract";
import { afterEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { stillOf } from "./last-frame.ts";
import { type Detour, type Player, playerFrom } from "./player.ts";
import { readoutOf, sampleOf } from "./stream-stats.ts";
import { aKeyFrame } from "./testing/key-frame.ts";
import { startLoopbackDevice } from "./testing/loopback-device.ts";
import { opusPackets, soundMessage } from "./testing/opus-packets.ts";

// The test clock settles promises by Node's own means, which a browser spells differently.
const later = setTimeout;
vi.stubGlobal("setImmediate", (run: () => void) => later(run));

const openPlayer = playerFrom(() => import("@genymotion/device-web-player"));

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0).toReversed()) stop();
});

/** Until the end of the test, as in a browser that has it not. */
function without(name: string): void {
  const real: unknown = Reflect.get(globalThis, name);
  vi.stubGlobal(name, undefined);
  stops.push(() => vi.stubGlobal(name, real));
}

interface Options {
  token?: string;
  isBlocked?: boolean;
  detour?: Detour;
  turn?: IceServer[];
  still?: ArrayBuffer;
}

async function connect({ token = "good", isBlocked = false, detour, turn, still }: Options = {}) {
  const device = startLoopbackDevice({ isBlocked, still });
  const clock = new TestClock(0);
  const detours: string[] = [];
  const mount = document.body.appendChild(document.createElement("div"));
  mount.style.cssText = "width:180px;height:320px";
  const messages: [string, unknown][] = [];
  const stills: [number, number][] = [];
  const player: Player = await openPlayer({
    mount,
    webrtcUrl: "wss://device.test",
    token,
    turn,
    onMessage: (type, message) => messages.push([type, message]),
    onStill: (frame) => {
      stills.push([frame.displayWidth, frame.displayHeight]);
      frame.close();
    },
    detour,
    onDetour: (why) => detours.push(why),
    clock,
  });
  stops.push(
    () => mount.remove(),
    () => device.stop(),
    () => player.close(),
  );
  const picture = () => vi.waitFor(() => expect(player.video.videoWidth).toBe(180), { timeout: 8_000 });
  return { device, mount, messages, player, picture, clock, detours, stills };
}

describe("the player", { timeout: 15_000 }, () => {
  it("brings the picture, statistics and nothing that covers it", async () => {
    const { player, picture, mount } = await connect();
    await picture();
    const report = await player.stats();
    expect(report && sampleOf(report)?.frames).toBeGreaterThan(0);
    expect(mount.querySelectorAll("ul, button, img")).toHaveLength(0);
  });

  it("asks how the device looks while WebRTC connects", async () => {
    const still = new Uint8Array([1, ...Array(15).fill(0), ...aKeyFrame("red")]).buffer;
    const { stills } = await connect({ isBlocked: true, still });
    await vi.waitFor(() => expect(stills).toEqual([[32, 48]]));
  });

  it("waits for the picture where that cannot be decoded", async () => {
    const { picture, stills } = await connect({ still: new Uint8Array(20).buffer });
    await picture();
    expect(stills).toEqual([]);
  });

  it("asks the relays that it is told of, and no others", async () => {
    const Real = RTCPeerConnection;
    const asked: unknown[] = [];
    class Noted extends Real {
      constructor(configuration?: RTCConfiguration) {
        super();
        if (configuration?.iceServers) asked.push(configuration.iceServers);
      }
    }
    vi.stubGlobal("RTCPeerConnection", Noted);
    stops.push(() => vi.stubGlobal("RTCPeerConnection", Real));
    const turn = [{ urls: ["turn:127.0.0.1:9"], username: "1:robin", credential: "c" }];
    const { picture } = await connect({ turn });
    await picture();
    expect(asked).toEqual([turn]);
  });

  it("sends touches and messages to the device", async () => {
    const { player, picture, device, mount } = await connect();
    await picture();
    const at = { clientX: 90, clientY: 100, button: 0, bubbles: true, cancelable: true };
    await vi.waitFor(() => {
      mount.querySelector("video")?.dispatchEvent(new MouseEvent("mousedown", at));
      player.send({ type: "ROTATE" });
      expect(device.heard).toContainEqual({ type: "ROTATE" });
    });
    expect(device.heard).toContainEqual(expect.objectContaining({ type: "MOUSE_PRESS" }));
  });

  it("sends copy and paste to the device", async () => {
    const { player, picture, device } = await connect();
    await picture();
    const root = player.video.closest<HTMLElement>("[tabindex]") ?? player.video;
    const press = (keyCode: number) =>
      player.video.dispatchEvent(
        new KeyboardEvent("keydown", { keyCode, ctrlKey: true, bubbles: true, cancelable: true }),
      );
    root.focus();
    await vi.waitFor(() => {
      expect([press(67), press(86), press(88)]).toEqual([false, false, false]);
      expect(device.heard).toEqual(
        expect.arrayContaining(
          [0x010000cf, 0x010000e2, 0x010000d0].map((keycode) => ({ type: "KEYBOARD_PRESS", keychar: "", keycode })),
        ),
      );
    });
  });

  it("says once that it shows the others at the device", async () => {
    const { picture, device } = await connect();
    await picture();
    const users = { type: "USERS", code: "SUCCESS", message: ["a"] };
    for (let count = 0; count < 2; count++) device.sockets[0]?.say(users);
    expect(device.signalled).toEqual([{ type: "ROOM", what: "join" }]);
  });

  it("hands on what the device reports", async () => {
    const { picture, device, messages } = await connect();
    await picture();
    device.sockets[0]?.say({ type: "battery", code: "SUCCESS", message: "state mode charging 73" });
    device.sockets[0]?.say({ type: "battery", code: "FAIL", message: "state mode charging 1" });
    device.sockets[0]?.say({ type: "CAPABILITIES", message: { battery: true, camera: false } });
    expect(messages).toEqual([
      ["battery", "state mode charging 73"],
      ["CAPABILITIES", { battery: true, camera: false }],
    ]);
  });

  it.each([
    [1006, "lost"],
    [1000, "lost"],
    [4244, "lost"],
    [4243, "token"],
  ])("is over when the socket closes with %i: %s", async (code, loss) => {
    const { picture, device, player } = await connect();
    await picture();
    device.sockets[0]?.close(code);
    expect(await player.over).toBe(loss);
  });

  it("opens no other socket by itself", async () => {
    const { picture, device, player } = await connect();
    await picture();
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    stops.push(() => vi.useRealTimers());
    device.sockets[0]?.close(1006);
    await player.over;
    // The player tries again after three seconds.
    await vi.advanceTimersByTimeAsync(4_000);
    expect(device.sockets).toHaveLength(1);
  });

  it("survives statistics that come after it was closed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const { promise: late, resolve } = Promise.withResolvers<RTCStatsReport>();
    const asked = vi.spyOn(RTCPeerConnection.prototype, "getStats").mockReturnValue(late);
    stops.push(
      () => vi.useRealTimers(),
      () => asked.mockRestore(),
    );
    const { picture, player } = await connect();
    await picture();
    // The player asks three seconds after the picture.
    await vi.advanceTimersByTimeAsync(4_000);
    expect(asked).toHaveBeenCalledOnce();
    player.close();
    const told = new Promise((done) => globalThis.addEventListener("rtt", done, { once: true }));
    resolve(new Map([["pair", { type: "candidate-pair", state: "succeeded" }]]));
    await told;
  });

  it("says that its token is wrong", async () => {
    const { player } = await connect({ token: "bad" });
    expect(await player.over).toBe("token");
  });
});

describe("where WebRTC does not connect", { timeout: 15_000 }, () => {
  it("shows the picture that comes over the socket after four seconds, with its figures and screenshots", async () => {
    const { player, picture, clock, detours, device } = await connect({ isBlocked: true });
    await vi.waitFor(() => expect(clock.sleeping).toBe(1));
    await clock.advance(3_999);
    expect(detours).toEqual([]);
    await clock.advance(1);
    expect(detours).toEqual(["blocked"]);
    await picture();
    const before = sampleOf((await player.stats())!)!;
    await vi.waitFor(async () => {
      const now = sampleOf((await player.stats())!)!;
      expect(readoutOf(before, now)).toMatchObject({ path: "direct" });
      expect(now.roundTripMs).toBeGreaterThanOrEqual(0);
      expect(now.frames).toBeGreaterThan(before.frames + 5);
      expect(now.bytes).toBeGreaterThan(before.bytes);
    });
    expect(device.seen.slice(0, 3)).toEqual([0, 1, 2]);
    const shot = await createImageBitmap(stillOf(player.video, { width: 180, height: 320 }));
    expect([shot.width, shot.height]).toEqual([180, 320]);
    const context = new OffscreenCanvas(180, 320).getContext("2d")!;
    context.drawImage(shot, 0, 0);
    const [red = 0, green = 0, blue = 0] = context.getImageData(10, 10, 1, 1).data;
    expect(green > 100 && green > red + 40 && green > blue).toBe(true);
  });

  it("sends touches, keys and messages over the socket, and hears the device", async () => {
    const { player, picture, device, mount, messages, detours } = await connect({ detour: "asked" });
    await picture();
    expect(detours).toEqual(["asked"]);
    expect(device.peers).toHaveLength(0);
    const at = { clientX: 90, clientY: 100, button: 0, bubbles: true, cancelable: true };
    mount.querySelector("video")?.dispatchEvent(new MouseEvent("mousedown", at));
    const touch = new Touch({ identifier: 1, target: player.video, clientX: 9, clientY: 9 });
    const touches = { touches: [touch], targetTouches: [touch], changedTouches: [touch] };
    player.video.dispatchEvent(new TouchEvent("touchstart", { ...touches, bubbles: true, cancelable: true }));
    player.send({ type: "ROTATE" });
    expect(device.heard.map((message) => (message as { type: string }).type)).toEqual([
      "MOUSE_PRESS",
      "MULTI_TOUCH",
      "ROTATE",
    ]);
    device.sockets[0]?.say({ type: "battery", code: "SUCCESS", message: "state mode charging 73" });
    expect(messages).toEqual([["battery", "state mode charging 73"]]);
  });

  it("is lost once nothing is answered for some seconds, though the socket stays open", async () => {
    const { player, picture, device } = await connect({ detour: "asked" });
    await picture();
    const askEachSecond = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) await player.stats();
    };
    const heard = vi.fn<(loss: string) => void>();
    void player.over.then(heard);
    await askEachSecond(20);
    expect(heard).not.toHaveBeenCalled();
    vi.spyOn(device.sockets[0]!, "say").mockReturnValue(undefined);
    await askEachSecond(10);
    expect(heard).toHaveBeenCalledWith("lost");
  });

  it.each(["nothing", "MediaStreamTrackGenerator"])(
    "follows a device that turns, and outlives a fault, without %s",
    async (name) => {
      if (name !== "nothing") without(name);
      const { player, picture, device } = await connect({ detour: "asked" });
      await picture();
      device.painting.paint(320, 180);
      await vi.waitFor(() => expect([player.video.videoWidth, player.video.videoHeight]).toEqual([320, 180]));
      const broken = new Uint8Array(400).fill(0xa5);
      broken.set([0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0x65]);
      device.sockets[0]?.onmessage?.({ data: broken.buffer });
      const frames = async () => sampleOf((await player.stats())!)!.frames;
      const before = await frames();
      await vi.waitFor(async () => expect(await frames()).toBeGreaterThan(before + 10));
    },
  );

  it("takes the socket at once where the browser has no WebRTC", async () => {
    without("RTCPeerConnection");
    const none = await connect();
    await none.picture();
    expect(none.detours).toEqual(["absent"]);
    expect(none.clock.sleeping).toBe(0);
  });

  it("says so where nothing can be decoded, and stays with WebRTC", async () => {
    without("VideoDecoder");
    const { clock, detours, player } = await connect({ isBlocked: true });
    await vi.waitFor(() => expect(clock.sleeping).toBe(1));
    await clock.advance(4_000);
    expect(detours).toEqual(["undecodable"]);
    expect(player.video.srcObject).toBeNull();
  });

  it("stays with WebRTC once that has connected", async () => {
    const { picture, clock, detours, device } = await connect();
    await picture();
    await vi.waitFor(() => expect(device.peers[0]?.connectionState).toBe("connected"));
    await clock.advance(60_000);
    expect(detours).toEqual([]);
  });

  it("leaves nothing behind when it is closed", async () => {
    const { player, clock, detours } = await connect({ isBlocked: true });
    await vi.waitFor(() => expect(clock.sleeping).toBe(1));
    player.close();
    await clock.advance(4_000);
    expect(detours).toEqual([]);
    expect(clock.sleeping).toBe(0);
  });
});

describe("the sound of a device", { timeout: 15_000 }, () => {
  const capabilities = { type: "CAPABILITIES", message: { sound: true } };

  it("is off until it is turned on, which the service is told", async () => {
    const { player, picture, device } = await connect();
    await picture();
    await userEvent.keyboard("{Shift}");
    expect(player.video.muted).toBe(true);
    device.sockets[0]?.say({ type: "USERS", code: "SUCCESS", message: [] });
    expect(device.asked).toEqual([false]);
    player.setSound(true);
    expect([player.video.muted, player.video.paused, device.asked]).toEqual([false, false, [false, true]]);
    player.setSound(false);
    expect([player.video.muted, device.asked]).toEqual([true, [false, true, false]]);
  });

  it("waits for somebody to touch the page, or the browser would stop the picture", async () => {
    const { player, picture } = await connect();
    await picture();
    const real = Object.getOwnPropertyDescriptor(Navigator.prototype, "userActivation")!;
    Object.defineProperty(Navigator.prototype, "userActivation", { ...real, get: () => ({ hasBeenActive: false }) });
    stops.push(() => Object.defineProperty(Navigator.prototype, "userActivation", real));
    player.setSound(true);
    expect(player.video.muted).toBe(true);
    globalThis.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
    expect(player.video.muted).toBe(false);
  });

  it("comes over the socket where the picture does", async () => {
    const decoded = vi.spyOn(AudioDecoder.prototype, "decode");
    stops.push(() => decoded.mockRestore());
    const { player, picture, device, messages } = await connect({ detour: "asked" });
    await picture();
    await userEvent.keyboard("{Shift}");
    device.sockets[0]?.say({ type: "USERS", code: "SUCCESS", message: [] });
    device.sockets[0]?.say(capabilities);
    expect(messages.at(-1)).toEqual(["CAPABILITIES", { sound: true }]);
    const packets = await opusPackets(5);
    const send = () => {
      for (const [number, packet] of packets.entries())
        device.sockets[0]?.onmessage?.({ data: soundMessage(number, packet) });
    };
    send();
    expect(decoded).not.toHaveBeenCalled();
    player.setSound(true);
    expect([player.video.muted, device.asked]).toEqual([true, [false, 4, true]]);
    send();
    expect(decoded).toHaveBeenCalledTimes(packets.length);
    const before = sampleOf((await player.stats())!)!.frames;
    await vi.waitFor(async () => expect(sampleOf((await player.stats())!)!.frames).toBeGreaterThan(before));
  });

  it("is said not to be there if it comes over the socket and this browser cannot decode it", async () => {
    without("AudioDecoder");
    const { player, picture, device, messages } = await connect({ detour: "asked" });
    await picture();
    device.sockets[0]?.say(capabilities);
    expect(messages.at(-1)).toEqual(["CAPABILITIES", { sound: false }]);
    // As it was before the picture took this way.
    device.sockets[0]?.say({ type: "USERS", code: "SUCCESS", message: [] });
    player.setSound(true);
    expect(device.asked).toEqual([false, false]);
  });
});
