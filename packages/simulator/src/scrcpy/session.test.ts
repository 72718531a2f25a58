import { TestClock } from "@terrarium/clock";
import type { VideoConfig, VideoEvent, VideoFrame } from "@terrarium/scrcpy";
import { encodeControl, GENERIC_FINGER_POINTER_ID } from "@terrarium/scrcpy";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { H264Encoder } from "@terrarium/video";
import { colourAt, type DecodedPicture, H264Decoder } from "@terrarium/video/testing";
import { plainColours } from "../testing/plain-screen.ts";
import { openSession, type ScrcpySession } from "../testing/scrcpy-session.ts";
import { testDevice, type TestDevice } from "../testing/test-device.ts";

let clock: TestClock;
let test: TestDevice;
let decoder: H264Decoder;
beforeEach(async () => {
  clock = new TestClock();
  test = await testDevice({ clock });
  decoder = new H264Decoder();
});
afterEach(() => {
  decoder.close();
  test.stop();
  if (test.faults.length > 0) throw new AggregateError(test.faults, "the device's side threw");
});

/** Reads up to the next picture, and what came before it. */
async function nextPicture(
  session: ScrcpySession,
): Promise<{ before: VideoEvent[]; frame: VideoFrame; picture: DecodedPicture }> {
  const before: VideoEvent[] = [];
  for (;;) {
    const event = await session.next();
    if (!event) throw new Error("the video ended");
    if (event.type === "config") decoder.config(event.data);
    if (event.type === "frame") return { before, frame: event, picture: decoder.decode(event.data) };
    before.push(event);
  }
}

const near = (actual: readonly number[], wanted: readonly number[]) =>
  actual.every((value, at) => Math.abs(value - wanted[at]!) <= 6);
const tap = (session: ScrcpySession, x: number, y: number, width = 360, height = 640) =>
  session.send({
    type: "touch",
    action: "down",
    pointerId: GENERIC_FINGER_POINTER_ID,
    position: { x, y, width, height },
    pressure: 1,
    actionButton: 0,
    buttons: 0,
  });

describe("a scrcpy session", () => {
  it("begins with name, codec, size, headers and a key frame that decodes to what is painted", async () => {
    const session = await openSession(test.adb);
    const { before, frame, picture } = await nextPicture(session);
    expect(before.map(({ type }) => type)).toEqual(["device", "codec", "session", "config"]);
    expect(before[0]).toMatchObject({ name: "Custom Phone" });
    expect(before[2]).toMatchObject({ width: 360, height: 640 });
    const config = (before[3] as VideoConfig).data;
    expect([config[4]! & 0x1f, config[5]]).toEqual([7, 66]);
    expect(frame.keyFrame).toBe(true);
    expect([picture.width, picture.height]).toEqual([360, 640]);
    expect(near(colourAt(picture, 180, 320), plainColours[0])).toBe(true);
  });

  it("tells the size before the first picture is painted", async () => {
    const session = await openSession(test.adb);
    for (let event = await session.next(); event?.type !== "session"; event = await session.next());
    expect(test.screen.pixels).toHaveLength(0);
    await nextPicture(session);
    expect(test.screen.pixels).toHaveLength(360 * 640 * 4);
  });

  it("shows a touch at once when the last frame is old, and later touches at the next beat", async () => {
    const session = await openSession(test.adb, { maxFps: 20 });
    await nextPicture(session);
    await clock.advance(40);
    await clock.advance(400);
    await nextPicture(session);
    await tap(session, 100, 50);
    const { frame, picture } = await nextPicture(session);
    expect(near(colourAt(picture, 5, 5), plainColours[1])).toBe(true);
    expect(frame.keyFrame).toBe(false);
    await tap(session, 100, 51);
    const next = nextPicture(session);
    let came = false;
    void next.then(() => (came = true));
    await clock.advance(45);
    expect(came).toBe(false);
    await clock.advance(5);
    expect((await next).frame.ptsUs - frame.ptsUs).toBe(50_000n);
    expect(test.screen.done).toEqual(["touch down 0 100,50", "touch down 0 100,51"]);
  });

  it("sends whole pictures if no time may pass between key frames, and each change once", async () => {
    const session = await openSession(test.adb, { keyFrameInterval: 0, maxFps: 1 });
    expect((await nextPicture(session)).frame.keyFrame).toBe(true);
    await clock.advance(2_000);
    await tap(session, 100, 50);
    await clock.advance(1_000);
    const { before, frame, picture } = await nextPicture(session);
    expect([before.map(({ type }) => type), frame.keyFrame]).toEqual([["config"], true]);
    expect(near(colourAt(picture, 180, 300), plainColours[1])).toBe(true);
    await clock.advance(30_000);
    expect(H264Encoder.open).toBe(0);
  });

  it.each([-30_000, -3_600_000, 3_600_000, 157_788_000_000])(
    "shows the next touch as soon when the system's clock is set by %i ms",
    async (ms) => {
      const session = await openSession(test.adb, { maxFps: 20 });
      const first = await nextPicture(session);
      clock.step(ms);
      await tap(session, 100, 50);
      const next = nextPicture(session);
      await clock.advance(50);
      expect((await next).frame.ptsUs - first.frame.ptsUs).toBe(50_000n);
    },
  );

  it("sends one better frame 300 ms after the last change, then nothing", async () => {
    const session = await openSession(test.adb);
    await nextPicture(session);
    let more = 0;
    void (async () => {
      while (await session.next()) more++;
    })().catch(() => undefined);
    await clock.advance(299);
    expect(more).toBe(0);
    await clock.advance(1);
    await settle();
    expect(more).toBe(1);
    await clock.advance(60_000);
    await settle();
    expect(more).toBe(1);
    expect(clock.sleeping).toBe(0);
  });

  it("gives its encoder back when nothing moves, and begins anew with headers and a key frame", async () => {
    const session = await openSession(test.adb);
    await nextPicture(session);
    await clock.advance(400);
    await nextPicture(session);
    await clock.advance(10_000);
    await settle();
    await tap(session, 100, 50);
    const { before, frame, picture } = await nextPicture(session);
    expect(before.map(({ type }) => type)).toEqual(["config"]);
    expect(frame.keyFrame).toBe(true);
    expect(near(colourAt(picture, 5, 5), plainColours[1])).toBe(true);
  });

  it("holds no picture and no encoder when nothing moves, nor when the client has gone", async () => {
    const session = await openSession(test.adb);
    await nextPicture(session);
    await clock.advance(400);
    await nextPicture(session);
    expect([H264Encoder.open, test.screen.pixels.length > 0]).toEqual([1, true]);
    await clock.advance(10_000);
    await settle();
    expect([H264Encoder.open, test.screen.pixels.length]).toEqual([0, 0]);
    await tap(session, 100, 50);
    await nextPicture(session);
    expect([H264Encoder.open, test.screen.pixels.length > 0]).toEqual([1, true]);
    session.close();
    await settle();
    expect([H264Encoder.open, test.screen.pixels.length]).toEqual([0, 0]);
  });

  it.each([
    ["for no next change while the process encodes many pixels", 3, { width: 3840, height: 2160 }, 0],
    ["for the next change however many small encoders there are", 40, { width: 64, height: 64 }, 1],
  ])("waits %s", async (_, count, size, left) => {
    const options = { ...size, sourceWidth: size.width, sourceHeight: size.height, bitRate: 1_000_000, fps: 30 };
    const others = Array.from({ length: count }, () => new H264Encoder(options));
    try {
      const session = await openSession(test.adb);
      await nextPicture(session);
      await clock.advance(400);
      await nextPicture(session);
      await clock.advance(1);
      await settle();
      expect(H264Encoder.open).toBe(others.length + left);
    } finally {
      for (const other of others) other.close();
    }
  });

  it("shows each part that has changed, also in a picture that another took", async () => {
    const session = await openSession(test.adb);
    await nextPicture(session);
    const halves = async (upper: number, lower: number) => {
      const next = nextPicture(session);
      await clock.advance(40);
      const { picture } = await next;
      const seen = [300, 340].map((y, at) => near(colourAt(picture, 180, y), plainColours[at === 0 ? upper : lower]!));
      expect(seen).toEqual([true, true]);
    };
    await tap(session, 100, 600);
    await halves(0, 1);
    // Between two of the session's own pictures.
    test.screen.touch("down", 0, 100, 50);
    test.device.display.capture();
    test.screen.touch("down", 0, 100, 600);
    await halves(1, 2);
  });

  it("keeps the picture for those who go by it when another rests", async () => {
    const size = { sourceWidth: 3840, sourceHeight: 2160, width: 3840, height: 2160 };
    const others = [1, 2, 3].map(() => new H264Encoder({ ...size, bitRate: 1_000_000, fps: 30 }));
    try {
      const main = await openSession(test.adb);
      await nextPicture(main);
      const miniature = await openSession(test.adb, { scid: 2, powerOn: false, keyFrameInterval: 0, maxFps: 1 });
      while ((await miniature.next())?.type !== "frame");
      await clock.advance(1);
      await settle();
      expect([H264Encoder.open, test.screen.pixels.length > 0]).toEqual([others.length + 1, true]);
      // The better frame comes after no change, so it is the last.
      await clock.advance(300);
      await nextPicture(main);
      await clock.advance(1);
      await settle();
      expect([H264Encoder.open, test.screen.pixels.length]).toEqual([others.length, 0]);
    } finally {
      for (const other of others) other.close();
    }
  });

  it("paints 30 pictures a second for a client that asks for no number, and 60 for one that does", async () => {
    for (const [maxFps, wanted] of [
      [0, 33_333n],
      [60, 16_667n],
    ] as const) {
      const session = await openSession(test.adb, { scid: maxFps + 1, maxFps });
      const { frame } = await nextPicture(session);
      await tap(session, 1, 1);
      const next = nextPicture(session);
      await clock.advance(100);
      expect((await next).frame.ptsUs - frame.ptsUs).toBe(wanted);
      session.close();
    }
  });

  it("gives a new client of the stream headers and a key frame when asked", async () => {
    const session = await openSession(test.adb);
    await nextPicture(session);
    await session.send({ type: "resetVideo" });
    const next = nextPicture(session);
    await clock.advance(40);
    expect((await next).before.map(({ type }) => type)).toEqual(["config"]);
    expect((await next).frame.keyFrame).toBe(true);
  });

  it("tells the new size before the first turned picture", async () => {
    const session = await openSession(test.adb);
    await nextPicture(session);
    await session.send({ type: "rotate" });
    const next = nextPicture(session);
    await clock.advance(40);
    const { before, picture } = await next;
    expect(before[0]).toMatchObject({ type: "session", width: 640, height: 360 });
    expect([picture.width, picture.height]).toEqual([640, 360]);
    // Meant for the size before: dropped, as the real server does.
    await tap(session, 10, 10);
    await tap(session, 20, 20, 640, 360);
    await clock.advance(40);
    expect(test.screen.done).toEqual(["touch down 0 20,20"]);
  });

  it("darkens the picture of a device that stays unlocked, as one that is mirrored does", async () => {
    const session = await openSession(test.adb);
    await nextPicture(session);
    await session.send({ type: "setDisplayPower", on: false });
    await clock.advance(40);
    expect(test.device.state.values).toMatchObject({ screenOn: false, locked: false });
  });

  it("keeps to max_size and maps touches back", async () => {
    const session = await openSession(test.adb, { maxSize: 320 });
    const { picture } = await nextPicture(session);
    expect([picture.width, picture.height]).toEqual([184, 320]);
    await tap(session, 92, 160, 184, 320);
    await clock.advance(40);
    expect(test.screen.done).toEqual(["touch down 0 180,320"]);
  });

  it("passes keys, text and the clipboard, and answers what is asked", async () => {
    const session = await openSession(test.adb);
    await nextPicture(session);
    await session.send({ type: "key", action: "down", keyCode: 66, repeat: 0, metaState: 0 });
    await session.send({ type: "text", text: "hé" });
    await session.send({ type: "setClipboard", sequence: 7n, paste: true, text: "copied" });
    await clock.advance(40);
    expect(test.screen.done).toEqual(["key down 66", "text hé", "key down 279", "key up 279"]);
    expect(test.device.state.values.clipboard).toBe("copied");
    expect([...(await session.control.read())!]).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 7]);
    test.device.state.set({ clipboard: "x" });
    expect([...(await session.control.read())!]).toEqual([0, 0, 0, 0, 1, 120]);
  });

  it("lets the rest of the process have its turn between presses that come all at once", async () => {
    const session = await openSession(test.adb);
    await nextPicture(session);
    const press = encodeControl({ type: "key", action: "down", keyCode: 20, repeat: 0, metaState: 0 });
    void session.control.write(Buffer.concat(Array.from({ length: 50 }, () => press)));
    let turns = 0;
    for (; test.screen.done.length < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(turns).toBeGreaterThanOrEqual(49);
  });

  it("lifts the fingers of a client that goes away, and ends when the shell is closed", async () => {
    const session = await openSession(test.adb);
    await nextPicture(session);
    await tap(session, 1, 2);
    await clock.advance(40);
    session.close();
    await settle();
    expect(test.screen.done).toEqual(["touch down 0 1,2", "touch cancel 0 0,0"]);
    expect(test.device.sockets.find("scrcpy_1234abcd")).toBeUndefined();
  });

  it("refuses another version", async () => {
    const run = (words: string) =>
      test.adb.shell(`CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server ${words}`);
    expect(await run("4.0")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("does not match the client (4.0)"),
    });
  });
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await new Promise((resolve) => setImmediate(resolve));
}
