import { TestClock } from "@terrarium/clock";
import {
  ControlReader,
  dummyByte,
  encodeCodec,
  encodeDeviceMessage,
  encodeDeviceName,
  encodeVideo,
  type MediaPacket,
  type ServerOptions,
  type VideoPacket,
  type VideoSession,
} from "@terrarium/scrcpy";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { FakeLink, FakeStream } from "../testing/fake-link.ts";
import { settled } from "../testing/settled.ts";
import { openScrcpy } from "./open-scrcpy.ts";
import type { ScrcpySession } from "./scrcpy-session.ts";

const session: VideoSession = { type: "session", width: 720, height: 1280, clientResized: false };
const opening = [encodeDeviceName("Pixel"), encodeCodec("h264"), encodeVideo(session)];
const config: VideoPacket = { type: "config", data: new Uint8Array([0, 0, 0, 1, 0x67]) };
const frame: VideoPacket = { type: "frame", keyFrame: true, ptsUs: 5n, data: new Uint8Array([0, 0, 0, 1, 0x65]) };

function create() {
  const clock = new TestClock(0);
  const link = new FakeLink();
  const stop = new AbortController();
  const [video, control] = [new FakeStream(), new FakeStream()];
  const open = (options?: Partial<ServerOptions>) =>
    openScrcpy(link, { clock, log: pino({ level: "silent" }), signal: stop.signal, scid: 0xabc, options });
  /** A session of a device that answers at once. */
  const opened = async (): Promise<ScrcpySession> => {
    link.streams.push(video, control);
    video.push(dummyByte, ...opening);
    return await open();
  };
  /** The control messages that reached the device. */
  const controls = () => {
    const reader = new ControlReader();
    return control.written.flatMap((bytes) => [...reader.push(bytes)]);
  };
  return { clock, link, stop, video, control, open, opened, controls };
}

describe("openScrcpy", () => {
  it("starts the server and connects video, then control", async () => {
    const { link, opened, clock } = create();
    const scrcpy = await opened();
    expect(link.commands).toEqual([
      "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 4.1 " +
        "scid=00000abc log_level=info audio=false tunnel_forward=true max_fps=60",
    ]);
    expect(link.asked).toEqual(["scrcpy_00000abc", "scrcpy_00000abc"]);
    expect(scrcpy.size).toEqual({ width: 720, height: 1280 });
    expect(clock.sleeping).toBe(0);
  });

  it("connects video alone for a display that is only shown, and says nothing to it", async () => {
    const { link, video, open } = create();
    link.streams.push(video);
    video.push(dummyByte, ...opening);
    const scrcpy = await open({ control: false });
    scrcpy.sendControl({ type: "resetVideo" });
    expect([link.asked, video.written]).toEqual([["scrcpy_00000abc"], []]);
  });

  it("tries again each 100 ms until the server listens, and when what took the connection was not the server", async () => {
    const { clock, link, video, control, open } = create();
    const connecting = open();
    await clock.advance(200);
    expect(link.asked.length).toBe(3);
    const nobody = new FakeStream();
    nobody.close();
    link.streams.push(nobody);
    await clock.advance(100);
    expect(link.asked.length).toBe(4);
    link.streams.push(video, control);
    video.push(dummyByte, ...opening);
    await clock.advance(100);
    expect((await connecting).size).toEqual({ width: 720, height: 1280 });
  });

  it("gives up after ten seconds and leaves nothing behind", async () => {
    const { clock, link, open } = create();
    const failed = open().catch(String);
    await clock.advance(10_000);
    expect(await failed).toMatch(/did not start in 10000 ms/);
    expect(link.killed).toBe(true);
    expect(clock.sleeping).toBe(0);
  });

  it("gives up on a server that takes connections and says nothing", async () => {
    const { clock, link, video, control, open } = create();
    link.streams.push(video, control);
    video.push(dummyByte);
    const failed = open().catch(String);
    await clock.advance(10_000);
    expect(await failed).toMatch(/did not start in 10000 ms/);
    expect([video.isClosed, control.isClosed, link.killed]).toEqual([true, true, true]);
  });

  it("says so when the server ended, as it does when its jar is missing", async () => {
    const { link, open, clock } = create();
    const failed = open().catch(String);
    await settled();
    link.exit(1);
    expect(await failed).toMatch(/ended with code 1/);
    expect(clock.sleeping).toBe(0);
  });

  it("ends with the signal's reason", async () => {
    const { stop, link, open } = create();
    const failed = open().catch(String);
    await settled();
    stop.abort(new Error("not any more"));
    expect(await failed).toMatch(/not any more/);
    expect(link.killed).toBe(true);
  });

  for (const [what, bytes] of [
    ["speaks otherwise", new Uint8Array([9])],
    ["encodes otherwise", Buffer.concat([dummyByte, encodeDeviceName("x"), encodeCodec("h265")])],
    ["gives no video", Buffer.concat([dummyByte, encodeDeviceName("x"), encodeCodec("disabled")])],
  ] as const)
    it(`refuses a device that ${what}`, async () => {
      const { link, video, control, open } = create();
      link.streams.push(video, control);
      video.push(bytes);
      await expect(open()).rejects.toMatchObject({ name: "ScrcpyError" });
      expect([video.isClosed, control.isClosed, link.killed]).toEqual([true, true, true]);
    });
});

describe("ScrcpySession", () => {
  it("hands packets on and knows what a new viewer must", async () => {
    const { video, opened } = create();
    const scrcpy = await opened();
    const seen: VideoPacket[] = [];
    const forget = scrcpy.watch((packet) => seen.push(packet));
    const turned: VideoPacket = { ...session, width: 1280, height: 720 };
    video.push(encodeVideo(config), encodeVideo(frame), encodeVideo(turned));
    await settled();
    expect(seen).toEqual([session, config, frame, turned]);
    expect(scrcpy.config).toEqual(config.data);
    expect(scrcpy.size).toEqual({ width: 1280, height: 720 });
    forget();
    video.push(encodeVideo(frame));
    await settled();
    expect(seen.length).toBe(4);
  });

  const floods: [string, (video: FakeStream, control: FakeStream) => void, number][] = [
    [
      "pictures of nothing",
      (video) => video.push(Buffer.concat(Array.from({ length: 5000 }, () => encodeVideo(frame)))),
      1023,
    ],
    [
      "large pictures",
      (video) => {
        const large = encodeVideo({ ...frame, data: new Uint8Array(1024 * 1024) });
        for (let count = 0; count < 20; count++) video.push(large);
      },
      8,
    ],
    [
      "clipboards",
      (_video, control) => {
        const copied = encodeDeviceMessage({ type: "clipboard", text: "x".repeat(200_000) });
        for (let count = 0; count < 200; count++) control.push(copied);
      },
      41,
    ],
  ];
  for (const [what, flood, most] of floods)
    it(`reads no more ${what} a second than a device has reason to send`, async () => {
      const { clock, video, control, opened } = create();
      const scrcpy = await opened();
      let taken = 0;
      scrcpy.watch((packet) => (taken += packet.type === "frame" ? 1 : 0));
      scrcpy.watchClipboard(() => taken++);
      flood(video, control);
      for (let turn = 0; turn < 200; turn++) await settled();
      expect(taken >= most - 2 && taken <= most, `${taken}`).toBeTruthy();
      await clock.advance(1_000);
      expect(taken).toBeGreaterThan(most);
      expect(scrcpy.gone.aborted).toBe(false);
      await scrcpy.close();
      expect(clock.sleeping).toBe(0);
    });

  it("holds the first picture for whoever watches first", async () => {
    const { link, video, control, open } = create();
    link.streams.push(video, control);
    video.push(Buffer.concat([dummyByte, ...opening, encodeVideo(config), encodeVideo(frame)]));
    const scrcpy = await open();
    const seen: VideoPacket[] = [];
    scrcpy.watch((packet) => seen.push(packet));
    expect(seen).toEqual([session, config, frame]);
    scrcpy.watch((packet) => seen.push(packet));
    expect(seen.length).toBe(3);
  });

  it("sends control messages in order", async () => {
    const { opened, controls } = create();
    const scrcpy = await opened();
    scrcpy.sendControl({ type: "rotate" });
    scrcpy.sendControl({ type: "resetVideo" });
    await settled();
    expect(controls()).toEqual([{ type: "rotate" }, { type: "resetVideo" }]);
  });

  it("hears what is copied on the device", async () => {
    const { control, opened } = create();
    const scrcpy = await opened();
    const copied: string[] = [];
    scrcpy.watchClipboard((text) => copied.push(text));
    control.push(encodeDeviceMessage({ type: "clipboard", text: "hé" }));
    await settled();
    expect(copied).toEqual(["hé"]);
  });

  it("leaves out moves for a device that reads slowly, and ends with one that does not read", async () => {
    const { control, opened, controls } = create();
    const scrcpy = await opened();
    const resume = control.stall();
    const position = { x: 1, y: 1, width: 720, height: 1280 };
    const touch = { type: "touch", pointerId: 0n, position, pressure: 1, actionButton: 0, buttons: 0 } as const;
    for (let count = 0; count < 100; count++) scrcpy.sendControl({ ...touch, action: "move" });
    scrcpy.sendControl({ ...touch, action: "up" });
    expect(controls().length).toBe(1);
    resume();
    await settled();
    // What waited went in one write: 32 moves, and the end of the touch, which is never left out.
    expect(control.written.length).toBe(2);
    expect([controls().length, controls().at(-1)]).toEqual([34, { ...touch, action: "up" }]);
    expect(scrcpy.gone.aborted).toBe(false);
    control.stall();
    // Many who press at once are no reason to end: what they begin is left out, what ends is not.
    for (let count = 0; count < 2000; count++) scrcpy.sendControl({ ...touch, action: "down" });
    expect(scrcpy.gone.aborted).toBe(false);
    for (let count = 0; count < 2000; count++) scrcpy.sendControl({ ...touch, action: "up" });
    expect(String(scrcpy.gone.reason)).toMatch(/does not read/);
  });

  const ends: [string, (parts: ReturnType<typeof create>) => void, RegExp][] = [
    ["the device closes the video", ({ video }) => video.close(), /closed the display/],
    ["the device closes the control socket", ({ control }) => control.close(), /closed the display/],
    ["the server ends", ({ link }) => link.exit(0), /ended with code 0/],
    ["the video is none", ({ video }) => video.push(new Uint8Array(12).fill(0x20)), /a packet of/],
    [
      "the device sends a clipboard of 4 GiB",
      ({ control }) => control.push(new Uint8Array([0, 255, 255, 255, 255])),
      /262144 is the most/,
    ],
  ];
  for (const [what, end, reason] of ends)
    it(`is over when ${what}, and closes all`, async () => {
      const parts = create();
      const scrcpy = await parts.opened();
      end(parts);
      await settled();
      expect(String(scrcpy.gone.reason)).toMatch(reason);
      expect([parts.video.isClosed, parts.control.isClosed, parts.link.killed]).toEqual([true, true, true]);
    });

  it("closes once and says nothing after", async () => {
    const { link, control, opened } = create();
    const scrcpy = await opened();
    await Promise.all([scrcpy.close(), scrcpy.close()]);
    scrcpy.sendControl({ type: "rotate" });
    expect([link.killed, control.written.length]).toEqual([true, 0]);
  });
});

describe("the sound of a scrcpy session", () => {
  const packet: MediaPacket = {
    type: "frame",
    keyFrame: true,
    ptsUs: 20_000n,
    data: new Uint8Array([0xf8, 0xff, 0xfe]),
  };
  const sounding = encodeCodec("opus");

  async function openWithSound() {
    const test = create();
    const audio = new FakeStream();
    test.link.streams.push(test.video, audio, test.control);
    test.video.push(dummyByte, ...opening);
    const scrcpy = await test.open({ audio: true });
    const heard: object[] = [];
    scrcpy.watchSound((sound) => heard.push(sound));
    return { ...test, audio, scrcpy, heard };
  }
  const sees = async (video: FakeStream, scrcpy: ScrcpySession): Promise<boolean> => {
    let seen = false;
    scrcpy.watch(() => (seen = true));
    seen = false;
    video.push(encodeVideo(frame));
    await settled();
    return seen && !scrcpy.gone.aborted;
  };

  it("has a socket between the picture's and the one for control", async () => {
    const { link, audio, control, scrcpy, heard, clock, video } = await openWithSound();
    expect(link.commands[0]).not.toContain("audio=false");
    expect(link.asked).toHaveLength(3);
    scrcpy.sendControl({ type: "resetVideo" });
    await settled();
    expect([audio.written, control.written.length]).toEqual([[], 1]);
    audio.push(sounding, encodeVideo({ type: "config", data: new Uint8Array(19) }), encodeVideo(packet));
    expect(await scrcpy.hasSound).toBe(true);
    await settled();
    expect(heard).toEqual([packet]);
    expect([await sees(video, scrcpy), clock.sleeping]).toEqual([true, 0]);
    await scrcpy.close();
    expect(audio.isClosed).toBe(true);
  });

  const none: [string, (audio: FakeStream) => void][] = [
    ["says that it has none", (audio) => audio.push(encodeCodec("disabled"))],
    ["cannot encode it", (audio) => audio.push(encodeCodec("misconfigured"))],
    ["encodes it in another way", (audio) => audio.push(encodeCodec("aac"), encodeVideo(packet))],
    ["sends nonsense", (audio) => audio.push(new Uint8Array([1, 2, 3, 4]), encodeVideo(packet))],
    ["closes its socket", (audio) => audio.close()],
  ];
  for (const [what, does] of none)
    it(`is absent if the device ${what}, and the picture goes on`, async () => {
      const { audio, scrcpy, video, heard } = await openWithSound();
      does(audio);
      expect(await scrcpy.hasSound).toBe(false);
      expect([await sees(video, scrcpy), heard]).toEqual([true, []]);
    });

  it("is absent if the device has not said in two seconds, and heard if it comes later", async () => {
    const { clock, audio, scrcpy, heard } = await openWithSound();
    await clock.advance(2_000);
    expect(await scrcpy.hasSound).toBe(false);
    audio.push(sounding, encodeVideo(packet));
    await settled();
    expect(heard).toEqual([packet]);
  });

  it("is read on after a fault, so that it stalls nothing", async () => {
    const { audio, scrcpy } = await openWithSound();
    audio.push(sounding, new Uint8Array([0x80]));
    await settled();
    audio.push(encodeVideo(packet), encodeVideo(packet));
    await settled();
    expect(audio.unread).toBe(0);
    expect(scrcpy.gone.aborted).toBe(false);
  });

  it("that is more than any device sends waits, and the picture does not", async () => {
    const { audio, clock, scrcpy, video, heard } = await openWithSound();
    audio.push(sounding);
    for (let count = 0; count < 1_000; count++) audio.push(encodeVideo(packet));
    await settled();
    expect(heard.length).toBeLessThan(300);
    expect(await sees(video, scrcpy)).toBe(true);
    await clock.advance(5_000);
    expect(heard).toHaveLength(1_000);
  });

  it("drops a packet that does not fit into one of the network's", async () => {
    const { audio, heard } = await openWithSound();
    const large: MediaPacket = { ...packet, data: new Uint8Array(1_276) };
    audio.push(sounding, encodeVideo(large), encodeVideo(packet));
    await settled();
    expect(heard).toEqual([packet]);
  });
});
