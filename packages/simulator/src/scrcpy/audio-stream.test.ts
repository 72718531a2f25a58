import { TestClock } from "@terrarium/clock";
import type { MediaPacket, VideoFrame } from "@terrarium/scrcpy";
import { afterEach, describe, expect, it } from "vitest";
import { answerCall, endCall, receiveCall, receiveMessage } from "../device/phone.ts";
import { encodedSound } from "../sound/encoded-sound.ts";
import { aSpec } from "../testing/a-spec.ts";
import { loudnessOf } from "../testing/loudness.ts";
import { openSession } from "../testing/scrcpy-session.ts";
import { testDevice, type TestDevice } from "../testing/test-device.ts";
import { AudioStream } from "./audio-stream.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

async function create(spec = aSpec()): Promise<TestDevice & { clock: TestClock }> {
  const clock = new TestClock();
  const test = await testDevice({ clock, spec });
  stops.push(() => test.stop());
  return { ...test, clock };
}

/** Somebody who listens to a device. */
async function listen() {
  const { device, clock } = await create();
  const heard: MediaPacket[] = [];
  const stop = new AbortController();
  stops.push(() => stop.abort());
  new AudioStream(device).run(async (packet) => void heard.push(packet), stop.signal).catch(() => undefined);
  await clock.advance(0);
  const sounds = () => heard.filter((packet): packet is VideoFrame => packet.type === "frame");
  /** What came in the next so many milliseconds. */
  const during = async (ms: number) => {
    const before = sounds().length;
    for (let past = 0; past < ms; past += 20) await clock.advance(20);
    return sounds().slice(before);
  };
  return { device, clock, heard, sounds, during };
}

const loudest = (packets: readonly { data: Uint8Array }[]) =>
  Math.max(0, ...loudnessOf(packets.map(({ data }) => data)));
const message = { from: "+331", text: "Hello" };

describe("the sound of a device", () => {
  it("is a note when a message comes, each 20 ms of it in its time, and then nothing at all", async () => {
    const { device, clock, heard, during, sounds } = await listen();
    expect(heard).toEqual([{ type: "config", data: expect.objectContaining({ length: 19 }) }]);
    expect([await during(1_000), clock.sleeping]).toEqual([[], 0]);
    const before = BigInt(device.uptimeMs * 1_000);
    receiveMessage(device, message);
    await clock.advance(0);
    const packets = [...sounds(), ...(await during(1_000))];
    const count = BigInt(packets.length);
    expect(packets.map(({ ptsUs }) => ptsUs - before)).toEqual(
      Array.from({ length: Number(count) }, (_, at) => BigInt(at) * 20_000n),
    );
    const loudness = loudnessOf(packets.map(({ data }) => data));
    expect(Math.max(...loudness)).toBeGreaterThan(0.05);
    expect(loudness.at(-1)).toBeLessThan(0.001);
    device.state.set({ darkTheme: true });
    expect([await during(10_000), clock.sleeping]).toEqual([[], 0]);
  });

  it("rings until somebody answers, and is silent in between", async () => {
    const { device, during } = await listen();
    receiveCall(device, "+331");
    expect(loudest(await during(1_200))).toBeGreaterThan(0.1);
    expect(await during(1_400)).toEqual([]);
    expect(loudest(await during(600))).toBeGreaterThan(0.1);
    answerCall(device);
    expect(loudest((await during(40)).slice(-1))).toBeLessThan(0.01);
    expect(await during(5_000)).toEqual([]);
    endCall(device, "missed");
    expect(await during(5_000)).toEqual([]);
  });

  it("of a call is heard by who comes while it rings", async () => {
    const { device, clock } = await create();
    receiveCall(device, "+331");
    const heard: MediaPacket[] = [];
    new AudioStream(device)
      .run(async (packet) => void heard.push(packet), AbortSignal.timeout(60_000))
      .catch(() => undefined);
    await clock.advance(100);
    expect(heard.length).toBeGreaterThan(2);
  });

  it("is as loud as its volume, and none at 0", async () => {
    const { device, during } = await listen();
    const loudnessAt = async (volume: number) => {
      device.state.set({ volume });
      receiveMessage(device, message);
      return loudest(await during(1_000));
    };
    const [none, low, high] = [await loudnessAt(0), await loudnessAt(4), await loudnessAt(15)];
    expect(none).toBe(0);
    expect(low).toBeGreaterThan(0.01);
    expect(high / low).toBeGreaterThan(3);
    expect(encodedSound("ring", 0)).toEqual([]);
  });

  it("of a tap can be switched off, as on Android", async () => {
    const { device, during } = await listen();
    device.clicked();
    expect(loudest(await during(200))).toBeGreaterThan(0.01);
    device.settings.put("system", "sound_effects_enabled", "0");
    device.clicked();
    expect(await during(200)).toEqual([]);
  });
});

describe("a scrcpy session with sound", () => {
  it("has a socket for it, after the video's", async () => {
    const { device, adb, clock } = await create();
    const session = await openSession(adb, { audio: true });
    expect((await session.next())?.type).toBe("device");
    // Picture and control work whether the sound is read or not.
    expect((await session.next())?.type).toBe("codec");
    await session.send({ type: "setClipboard", sequence: 0n, paste: false, text: "copied" });
    await clock.advance(0);
    expect(device.state.values.clipboard).toBe("copied");
    expect(await session.nextSound()).toEqual({ type: "codec", codec: "opus" });
    expect(await session.nextSound()).toMatchObject({ type: "config" });
    receiveMessage(device, message);
    await clock.advance(0);
    expect(await session.nextSound()).toMatchObject({ type: "frame", ptsUs: BigInt(device.uptimeMs * 1_000) });
  });

  it("says that Android 10 gives none, and goes on", async () => {
    const spec = aSpec();
    const { adb } = await create({ ...spec, image: { ...spec.image, osVersion: "10.0", sdkVersion: 29 } });
    const session = await openSession(adb, { audio: true });
    expect((await session.next())?.type).toBe("device");
    expect(await session.nextSound()).toEqual({ type: "codec", codec: "disabled" });
    expect((await session.next())?.type).toBe("codec");
  });

  it("ends where it has no encoder for the codec", async () => {
    const { adb } = await create();
    const session = await openSession(adb, { audio: true, audioCodec: "aac" });
    expect((await session.next())?.type).toBe("device");
    expect(await session.nextSound()).toEqual({ type: "codec", codec: "misconfigured" });
    expect((await session.next())?.type).toBeUndefined();
  });
});
