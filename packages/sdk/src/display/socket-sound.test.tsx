import { afterEach, describe, expect, it, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { SocketSound } from "./socket-sound.ts";
import { opusPackets, soundMessage } from "./testing/opus-packets.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

function create() {
  const said: object[] = [];
  const sound = new SocketSound((message) => said.push(message));
  stops.push(() => sound.close());
  return { said, sound };
}

/** The loudest sample that has been heard since the last call. */
function listenTo(output: AudioNode): () => number {
  const analyser = output.context.createAnalyser();
  analyser.fftSize = 32_768;
  output.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return () => {
    analyser.getFloatTimeDomainData(samples);
    return Math.max(...samples.map(Math.abs));
  };
}

describe("sound that comes over the socket", () => {
  it("is heard once it is turned on, and tells how far it has come", async () => {
    const { said, sound } = create();
    const packets = await opusPackets(20);
    await userEvent.keyboard("x");
    sound.turn(true);
    const loudest = listenTo(sound.output!);
    await vi.waitFor(() => expect(sound.output?.context.state).toBe("running"));
    expect(loudest()).toBe(0);
    for (const [number, packet] of packets.entries()) sound.take(soundMessage(number, packet));
    await vi.waitFor(() => expect(loudest()).toBeGreaterThan(0.3));
    expect(said).toEqual([4, 9, 14, 19].map((heard) => ({ type: "SOUND", heard })));
  });

  it("is heard after what nobody can decode", async () => {
    const { sound } = create();
    const packets = await opusPackets(10);
    await userEvent.keyboard("x");
    sound.turn(true);
    const loudest = listenTo(sound.output!);
    await vi.waitFor(() => expect(sound.output?.context.state).toBe("running"));
    sound.take(soundMessage(0, new Uint8Array([0xff, 0xff, 0xff])));
    sound.take(new ArrayBuffer(3));
    await vi.waitFor(async () => {
      for (const [number, packet] of packets.entries()) sound.take(soundMessage(number, packet));
      await new Promise((resolve) => requestAnimationFrame(resolve));
      expect(loudest()).toBeGreaterThan(0.3);
    });
  });

  it("is late by a third of a second at most after the network stood still", async () => {
    const { sound } = create();
    const packets = await opusPackets(100);
    const started = vi.spyOn(AudioBufferSourceNode.prototype, "start");
    stops.push(() => started.mockRestore());
    await userEvent.keyboard("x");
    sound.turn(true);
    const context = sound.output!.context;
    await vi.waitFor(() => expect(context.state).toBe("running"));
    for (const [number, packet] of packets.entries()) sound.take(soundMessage(number, packet));
    await vi.waitFor(() => expect(started.mock.calls.length).toBeGreaterThan(5));
    const latest = Math.max(...started.mock.calls.map(([at = 0]) => at));
    expect(latest - context.currentTime).toBeLessThan(0.35);
  });

  it("takes no sound card while it is off, and none after", () => {
    const { sound } = create();
    expect(sound.output).toBeUndefined();
    sound.turn(true);
    const context = sound.output!.context;
    sound.turn(false);
    expect(sound.output).toBeUndefined();
    expect(["closed", "suspended"]).toContain(context.state);
    sound.take(soundMessage(0, new Uint8Array([0xf8, 0xff, 0xfe])));
  });
});
