import { TestClock } from "@terrarium/clock";
import { describe, expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { type AccessUnit, Display } from "./display.ts";

const config = Buffer.from([0, 0, 0, 1, 0x67, 1, 0, 0, 0, 1, 0x68, 2]);
const keyFrame = Buffer.from([0, 0, 0, 1, 0x65, 3]);
const frame = Buffer.from([0, 0, 0, 1, 0x41, 4]);

function create() {
  const source = new FakeDisplay();
  const clock = new TestClock(0);
  source.config = config;
  return { source, clock, display: new Display(source, clock), asked: () => source.sent("resetVideo").length };
}

describe("Display", () => {
  it("hands each unit to everybody who watches, as it came", () => {
    const { source, display } = create();
    const seen: AccessUnit[][] = [[], []];
    const leave = display.attach((unit) => seen[0]?.push(unit));
    display.attach((unit) => seen[1]?.push(unit));
    source.frame(false, 7n, frame);
    leave();
    source.frame(false, 8n, frame);
    expect(seen).toEqual([
      [{ keyFrame: false, ptsUs: 7n, data: frame }],
      [
        { keyFrame: false, ptsUs: 7n, data: frame },
        { keyFrame: false, ptsUs: 8n, data: frame },
      ],
    ]);
    expect(display.units).toBe(2);
  });

  it("hands a key frame to who comes within a second, unless something else has come", async () => {
    const { source, clock, display } = create();
    const seen = () => {
      const units: AccessUnit[] = [];
      display.attach((unit) => units.push(unit))();
      return units.length;
    };
    expect(seen()).toBe(0);
    source.frame(true, 0n, keyFrame);
    expect([seen(), seen()]).toEqual([1, 1]);
    source.frame(false, 1n, frame);
    expect(seen()).toBe(0);
    source.frame(true, 2n, keyFrame);
    await clock.advance(999);
    expect(seen()).toBe(1);
    await clock.advance(1);
    expect(seen()).toBe(0);
  });

  it("puts the parameters before a key frame that has none, in one copy for all", () => {
    const { source, display } = create();
    const seen: Buffer[] = [];
    display.attach(({ data }) => seen.push(data));
    display.attach(({ data }) => seen.push(data));
    source.frame(true, 0n, keyFrame);
    expect(seen[0]).toEqual(Buffer.concat([config, keyFrame]));
    expect(seen[0]).toBe(seen[1]);
  });

  it("leaves a key frame alone that has its own, and one for which none came", () => {
    const { source, display } = create();
    const seen: Buffer[] = [];
    display.attach(({ data }) => seen.push(data));
    const whole = Buffer.concat([config, keyFrame]);
    source.frame(true, 0n, whole);
    source.config = undefined;
    source.frame(true, 1n, keyFrame);
    expect(seen).toEqual([whole, keyFrame]);
  });

  it("asks again as soon when the system's clock is set back", async () => {
    const { source, clock, display, asked } = create();
    display.requestKeyFrame();
    source.frame(true, 0n, keyFrame);
    clock.step(-3_600_000);
    display.requestKeyFrame();
    await clock.advance(250);
    expect(asked()).toBe(2);
  });

  it("asks once for many, until the key frame came", async () => {
    const { source, clock, display, asked } = create();
    display.requestKeyFrame();
    display.requestKeyFrame();
    await clock.advance(999);
    display.requestKeyFrame();
    expect(asked()).toBe(1);
    source.frame(true, 0n, keyFrame);
    display.requestKeyFrame();
    expect(asked()).toBe(2);
  });

  it("asks again when none came within a second", async () => {
    const { clock, display, asked } = create();
    display.requestKeyFrame();
    await clock.advance(1_000);
    display.requestKeyFrame();
    expect(asked()).toBe(2);
  });

  it("spaces requests by a quarter of a second and forgets none", async () => {
    const { source, clock, display, asked } = create();
    display.requestKeyFrame();
    source.frame(true, 0n, keyFrame);
    display.requestKeyFrame();
    display.requestKeyFrame();
    expect(asked()).toBe(1);
    await clock.advance(249);
    expect(asked()).toBe(1);
    await clock.advance(1);
    expect(asked()).toBe(2);
  });

  it("waits for nothing when the display ends", async () => {
    const { source, clock, display } = create();
    display.requestKeyFrame();
    source.frame(true, 0n, keyFrame);
    display.requestKeyFrame();
    source.end(new Error("gone"));
    await clock.advance(0);
    expect(clock.sleeping).toBe(0);
  });

  it("is silent when it was stopped", () => {
    const { source, display } = create();
    let seen = 0;
    display.attach(() => seen++);
    display.stop();
    source.frame(true, 0n, keyFrame);
    expect(seen).toBe(0);
  });
});
