import { TestClock } from "@terrarium/clock";
import type { VideoPacket } from "@terrarium/scrcpy";
import { describe, expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { RestingSource } from "./resting-source.ts";

/** A display that can be opened as often as it is asked for, each by hand. */
function aSource() {
  const opened = [new FakeDisplay()];
  let fail: Error | undefined;
  const clock = new TestClock(0);
  const shapes: object[] = [];
  const source = new RestingSource(
    opened[0]!,
    async (_, shape) => {
      if (fail) throw fail;
      const next = new FakeDisplay();
      opened.push(next);
      shapes.push(shape);
      return next;
    },
    clock,
  );
  const packets: VideoPacket[] = [];
  source.watch((packet) => packets.push(packet));
  return { source, opened, packets, shapes, clock, failNext: (error: Error) => (fail = error) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));
const touch = { type: "text", text: "a" } as const;

describe("RestingSource", () => {
  it("closes to rest, which is not its end", async () => {
    const { source, opened } = aSource();
    source.rest();
    await settle();
    expect([opened[0]?.gone.aborted, source.gone.aborted]).toEqual([true, false]);
    expect(source.size).toEqual({ width: 720, height: 1280 });
  });

  it("is opened again by the first message, once, and passes on what came meanwhile", async () => {
    const { source, opened, packets } = aSource();
    source.rest();
    source.sendControl({ type: "resetVideo" });
    source.sendControl(touch);
    await settle();
    expect(opened).toHaveLength(2);
    expect(opened[1]?.controls).toEqual([touch]);
    opened[1]?.frame(true, 1n, new Uint8Array([1]));
    expect(packets).toHaveLength(1);
  });

  it("hears nothing more of the one it closed", async () => {
    const { source, opened, packets } = aSource();
    source.rest();
    source.sendControl({ type: "resetVideo" });
    await settle();
    opened[0]?.end(new Error("late"));
    expect(source.gone.aborted).toBe(false);
    expect(packets).toHaveLength(0);
  });

  it("is over when its display ends unasked, or cannot be opened again", async () => {
    const ended = aSource();
    ended.opened[0]?.end(new Error("device closed it"));
    expect(ended.source.gone.reason).toMatchObject({ message: "device closed it" });

    const broken = aSource();
    broken.source.rest();
    broken.failNext(new Error("no answer"));
    broken.source.sendControl({ type: "resetVideo" });
    await settle();
    expect(broken.source.gone.reason).toMatchObject({ message: "no answer" });
  });

  it("is opened again in another shape, at once, and as it was when it has rested", async () => {
    const { source, opened, shapes } = aSource();
    source.reshape({ maxSize: 480 });
    source.sendControl(touch);
    await settle();
    source.reshape({ maxSize: 480 });
    await settle();
    expect(shapes).toEqual([{ maxSize: 480 }]);
    expect([opened[0]?.gone.aborted, source.gone.aborted, opened[1]?.controls]).toEqual([true, false, [touch]]);
    source.reshape({ maxSize: undefined, videoBitRate: 1_000_000 });
    await settle();
    // The device would be asked for `max_size=undefined`.
    expect(shapes.at(-1)).toStrictEqual({ videoBitRate: 1_000_000 });
    source.rest();
    source.sendControl(touch);
    await settle();
    expect(shapes.at(-1)).toEqual({});
  });

  it("has no more bits than its limit, whatever is asked for, and what was asked for once that is lifted", async () => {
    const { source, shapes } = aSource();
    source.limitBitRate(2_000_000);
    await settle();
    source.reshape({ videoBitRate: 5_000_000, maxSize: 480 });
    await settle();
    source.reshape({ videoBitRate: 1_000_000 });
    await settle();
    source.reshape({ videoBitRate: 5_000_000 });
    await settle();
    source.limitBitRate(undefined);
    await settle();
    expect(shapes).toEqual([
      { videoBitRate: 2_000_000 },
      { videoBitRate: 2_000_000, maxSize: 480 },
      { videoBitRate: 1_000_000, maxSize: 480 },
      { videoBitRate: 2_000_000, maxSize: 480 },
      { videoBitRate: 5_000_000, maxSize: 480 },
    ]);
  });

  it("has the last of several shapes that were asked for while it opened", async () => {
    const { source, opened, shapes } = aSource();
    for (const maxSize of [480, 720, 1080]) source.reshape({ maxSize });
    await settle();
    expect(shapes).toEqual([{ maxSize: 480 }, { maxSize: 1080 }]);
    expect(opened.map((display) => display.gone.aborted)).toEqual([true, true, false]);
  });

  it("keeps the controllers that are plugged in, once each, and the time going", async () => {
    const { source, opened, packets, clock } = aSource();
    const plug = (id: number) =>
      ({ type: "uhidCreate", id, vendorId: 1, productId: 1, name: "", reportDescriptor: new Uint8Array(0) }) as const;
    source.sendControl(plug(3));
    source.sendControl(plug(4));
    source.sendControl({ type: "uhidDestroy", id: 4 });
    opened[0]?.frame(true, 5_000_000n, new Uint8Array([1]));
    source.reshape({ videoBitRate: 1 });
    source.sendControl(plug(5));
    await clock.advance(40);
    await settle();
    expect(opened[1]?.sent("uhidCreate").map(({ id }) => id)).toEqual([3, 5]);
    opened[1]?.frame(true, 0n, new Uint8Array([1]));
    opened[1]?.frame(false, 10n, new Uint8Array([1]));
    expect(packets.map((packet) => packet.type === "frame" && packet.ptsUs)).toEqual([
      5_000_000n,
      5_040_000n,
      5_040_010n,
    ]);
  });

  it("leaves nothing open when it is closed while it wakes", async () => {
    const { source, opened } = aSource();
    source.rest();
    source.sendControl({ type: "resetVideo" });
    await source.close();
    expect(opened.every((display) => display.gone.aborted)).toBe(true);
  });

  it("goes on with the sound of the next, later than the last", async () => {
    const { source, opened, clock } = aSource();
    const heard: bigint[] = [];
    source.watchSound(({ ptsUs }) => heard.push(ptsUs));
    opened[0]?.sound(5_000_000n, new Uint8Array([1]));
    source.rest();
    source.sendControl(touch);
    await settle();
    await clock.advance(40);
    opened[1]?.sound(20_000n, new Uint8Array([1]));
    opened[1]?.sound(40_000n, new Uint8Array([1]));
    expect(heard).toEqual([5_000_000n, 5_040_000n, 5_060_000n]);
  });
});
