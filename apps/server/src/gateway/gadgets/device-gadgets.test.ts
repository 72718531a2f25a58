import { TestClock } from "@terrarium/clock";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { FakeDisplay } from "../testing/fake-display.ts";
import { fakeShell } from "../testing/fake-shell.ts";
import { settled } from "../testing/settled.ts";
import { DeviceGadgets } from "./device-gadgets.ts";
import type { GadgetCommand, OpenGadget } from "./gadget.ts";

interface Heard {
  type: string;
  message: unknown;
}

function create(list?: readonly OpenGadget[], characteristics = "default") {
  const clock = new TestClock(0);
  const shell = fakeShell();
  shell.characteristics = characteristics;
  const display = new FakeDisplay();
  const over = new AbortController();
  const parts = { shell: shell.run, display, signal: over.signal, log: pino({ level: "silent" }) };
  const gadgets = new DeviceGadgets({ ...parts, broadcast: () => undefined }, clock, list);
  const introduced = async () => {
    const heard: Heard[] = [];
    await gadgets.introduce((message) => heard.push(JSON.parse(message) as Heard));
    return heard;
  };
  /** The flags that a viewer is told are true. */
  const capabilities = async () => {
    const flags = (await introduced()).find(({ type }) => type === "CAPABILITIES")?.message;
    return Object.entries(flags as object).flatMap(([name, is]) => (is ? name : []));
  };
  return { clock, display, over, gadgets, introduced, capabilities };
}

const rotate: GadgetCommand = { type: "rotate" };
const gps: OpenGadget = () => ({ capabilities: ["gps"], channels: ["gps"], handle: () => undefined });

describe("the gadgets of a device", () => {
  for (const [characteristics, expected] of [
    ["default", ["battery", "accelerometer"]],
    ["tablet", ["battery", "accelerometer"]],
    ["watch", ["battery"]],
    ["tv", []],
    ["automotive", []],
  ] as const)
    it(`are, on one built as ${characteristics}: ${expected.join(" and ") || "none that is offered"}`, async () => {
      const { capabilities, gadgets, display } = create(undefined, characteristics);
      expect(await capabilities()).toEqual(expected);
      gadgets.handle(rotate, () => undefined);
      expect(display.sent("rotate").length).toBe(expected.some((name) => name === "accelerometer") ? 1 : 0);
    });

  it("do not turn what the machine shows by itself", async () => {
    const { display, capabilities } = create();
    Object.assign(display, { isFixed: true });
    expect(await capabilities()).toEqual(["battery"]);
  });

  it("are introduced after what the device can do", async () => {
    const [first, ...others] = await create().introduced();
    expect(first?.type).toBe("CAPABILITIES");
    expect(others.map(({ type }) => type)).toEqual(["battery", "settings"]);
  });

  it("are offered only where they were found, and one that fails or says nothing holds up no other for long", async () => {
    const { clock, capabilities } = create([
      gps,
      () => undefined,
      () => Promise.reject(new Error("a defect")),
      (_device, probing) => new Promise((_, reject) => probing.addEventListener("abort", () => reject(probing.reason))),
    ]);
    const waiting = capabilities();
    await clock.advance(10_000);
    expect(await waiting).toEqual(["gps"]);
    expect(clock.sleeping).toBe(0);
  });

  it("hear what comes on their channels, each of several on the same one", async () => {
    const heard: string[] = [];
    const listener =
      (name: string, ...channels: ("battery" | "gps")[]): OpenGadget =>
      () => ({ channels, handle: ({ type }, reply) => (heard.push(`${name} ${type}`), reply(name)) });
    const { gadgets, introduced } = create([listener("one", "battery"), listener("two", "gps", "battery")]);
    await introduced();
    const replies: string[] = [];
    gadgets.handle({ channel: "battery", type: "batteryLevel", percent: 1 }, (message) => replies.push(message));
    gadgets.handle({ channel: "gps", type: "gpsSwitch", on: true }, (message) => replies.push(message));
    gadgets.handle(rotate, (message) => replies.push(message));
    expect(heard).toEqual(["one batteryLevel", "two batteryLevel", "two gpsSwitch"]);
    expect(replies).toEqual(["one", "two", "two"]);
  });

  it("are let go when the device is over, those that were still being opened too", async () => {
    let released = 0;
    const opened = Promise.withResolvers<undefined>();
    const counting = { channels: [], handle: () => undefined, release: () => released++ };
    const { gadgets, over, introduced } = create([() => counting, async () => (await opened.promise) ?? counting]);
    await settled();
    over.abort();
    gadgets.release();
    opened.resolve(undefined);
    expect(await introduced()).toEqual([]);
    expect(released).toBe(2);
  });
});
