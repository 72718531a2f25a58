import type { VideoPacket } from "@terrarium/scrcpy";
import { describe, expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { RestingSource } from "./resting-source.ts";

/** A display that can be opened as often as it is asked for, each by hand. */
function aSource() {
  const opened = [new FakeDisplay()];
  let fail: Error | undefined;
  const source = new RestingSource(opened[0]!, async () => {
    if (fail) throw fail;
    const next = new FakeDisplay();
    opened.push(next);
    return next;
  });
  const packets: VideoPacket[] = [];
  source.watch((packet) => packets.push(packet));
  return { source, opened, packets, failNext: (error: Error) => (fail = error) };
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

  it("leaves nothing open when it is closed while it wakes", async () => {
    const { source, opened } = aSource();
    source.rest();
    source.sendControl({ type: "resetVideo" });
    await source.close();
    expect(opened.every((display) => display.gone.aborted)).toBe(true);
  });
});
