import { TestClock } from "@terrarium/clock";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { settled } from "../testing/settled.ts";
import { Miniature } from "./miniature.ts";

const key = (last: number, bytes = 6) => {
  const frame = Buffer.alloc(bytes);
  frame.set([0, 0, 0, 1, 0x65]);
  frame[5] = last;
  return frame;
};

function create(open?: () => Promise<FakeDisplay>) {
  const clock = new TestClock(0);
  const device = new AbortController();
  const opened: FakeDisplay[] = [];
  const miniature = new Miniature({
    clock,
    log: pino({ level: "silent" }),
    over: device.signal,
    open: async () => {
      const display = (await open?.()) ?? new FakeDisplay();
      opened.push(display);
      return display;
    },
  });
  const look = async (onPicture = () => undefined) => {
    const leave = miniature.look(onPicture);
    await settled();
    return leave;
  };
  return { clock, device, opened, miniature, look, running: () => opened.filter(({ gone }) => !gone.aborted).length };
}

describe("a miniature", () => {
  it("does nothing while nobody looks", async () => {
    const { clock, opened } = create();
    await clock.advance(60_000);
    expect([opened.length, clock.sleeping]).toEqual([0, 0]);
  });

  it("is opened once for all who look, and closed five seconds after the last", async () => {
    const { clock, opened, miniature, look, running } = create();
    const first = await look();
    const second = await look();
    expect(opened).toHaveLength(1);
    opened[0]?.frame(true, 1n, key(1));
    first();
    first();
    second();
    await clock.advance(4_999);
    expect(running()).toBe(1);
    await clock.advance(1);
    expect([running(), miniature.picture, clock.sleeping]).toEqual([0, undefined, 0]);
  });

  it("stays open for whoever is back in time, and is opened again for whoever is late", async () => {
    const { clock, opened, look, running } = create();
    (await look())();
    await clock.advance(4_000);
    const leave = await look();
    await clock.advance(60_000);
    expect([opened.length, running()]).toEqual([1, 1]);
    leave();
    await clock.advance(5_000);
    await look();
    expect([opened.length, running()]).toEqual([2, 1]);
  });

  it("keeps the latest picture, with what a decoder needs to start", async () => {
    const { opened, miniature, look } = create();
    let heard = 0;
    await look(() => void heard++);
    const display = opened[0]!;
    display.config = Buffer.from([0, 0, 0, 1, 0x67, 7]);
    display.frame(true, 1n, key(1));
    display.frame(true, 2n, key(2));
    expect(heard).toBe(2);
    expect(miniature.picture).toEqual(Buffer.concat([display.config, key(2)]));
  });

  it("takes neither parts of pictures nor what is far too large for one", async () => {
    const { opened, miniature, look } = create();
    await look();
    opened[0]?.frame(false, 1n, key(1));
    opened[0]?.frame(true, 2n, key(2, 256 * 1024 + 1));
    expect(miniature.picture).toBeUndefined();
    opened[0]?.frame(true, 3n, key(3, 256 * 1024));
    expect(miniature.picture).toHaveLength(256 * 1024);
  });

  it("is opened again three seconds after it broke, or could not be opened", async () => {
    let fails = true;
    const { clock, opened, look } = create(async () => {
      if (fails) throw new Error("no encoder");
      return new FakeDisplay();
    });
    await look();
    expect(opened).toHaveLength(0);
    fails = false;
    await clock.advance(2_999);
    expect(opened).toHaveLength(0);
    await clock.advance(1);
    opened[0]?.end(new Error("broke"));
    await clock.advance(3_000);
    expect(opened).toHaveLength(2);
  });

  it("ends with its device", async () => {
    const { clock, device, look, running } = create();
    await look();
    device.abort();
    await clock.advance(60_000);
    expect([running(), clock.sleeping]).toEqual([0, 0]);
  });
});
