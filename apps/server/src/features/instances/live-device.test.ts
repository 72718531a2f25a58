import { abortable, aborted } from "@terrarium/clock";
import type { Machine } from "@terrarium/runtime";
import { describe, expect, it } from "vitest";
import { liveDevice, type LiveDeviceDeps, MachineGoneError } from "./live-device.ts";

/** A device whose every step can be made to fail, and which writes down what happened to it. */
function aDevice(failAt?: string, { patience = 1, wasBooted = false } = {}) {
  const done: string[] = [];
  const machineGone = new AbortController();
  let linkGone = new AbortController();
  let pauses = 0;
  const wanted = Promise.withResolvers<void>();
  const stop = new AbortController();
  const leave = new AbortController();
  const saveAsked = new AbortController();
  const step = (name: string) => {
    if (name === failAt) throw new Error(name);
    done.push(name);
  };
  const machine: Machine = {
    id: "one",
    boot: 1,
    adb: { host: "127.0.0.1", port: 1 },
    capabilities: new Set(),
    gone: machineGone.signal,
    stop: async () => void done.push("machine stopped"),
  };
  const deps: LiveDeviceDeps = {
    power: async () => (step("power"), machine),
    connect: async () => {
      step("connect");
      linkGone = new AbortController();
      return {
        booted: async () => step("boot"),
        wanted: async (signal) => {
          step("wait");
          await abortable(wanted.promise, signal);
        },
        openDisplay: async () => (
          step("display"),
          { gone: new AbortController().signal, close: async () => void done.push("display closed") }
        ),
        gone: linkGone.signal,
        close: async () => void done.push("link closed"),
      };
    },
    reached: async (event) => step(event),
    wasBooted: () => done.includes("booted") || wasBooted,
    save: async (_, alive) => {
      await aborted(AbortSignal.any([saveAsked.signal, alive]));
      if (alive.aborted) return;
      step("save");
      stop.abort();
    },
    // A link that breaks too often is the end of the test's patience.
    pause: async () => {
      if (++pauses >= patience) stop.abort();
    },
    report: (error) => done.push(`reported ${(error as Error).message}`),
  };
  return {
    done,
    machineGone,
    breakLink: () => linkGone.abort(),
    want: () => wanted.resolve(),
    stop,
    leave,
    askToSave: () => saveAsked.abort(),
    live: () => liveDevice(deps, { stop: stop.signal, leave: leave.signal }),
  };
}

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
};

describe("liveDevice", () => {
  it("goes up, stays until it is stopped, and is undone in reverse", async () => {
    const { live, done, stop } = aDevice();
    const outcome = live();
    await until(() => done.includes("booted"));
    expect(done).toEqual(["power", "powered", "connect", "answered", "boot", "display", "booted"]);
    stop.abort();
    expect(await outcome).toEqual({ end: "stopped" });
    expect(done.slice(7)).toEqual(["display closed", "link closed", "machine stopped"]);
  });

  it("leaves the machine running when only this gateway goes", async () => {
    const { live, done, leave } = aDevice();
    const outcome = live();
    await until(() => done.includes("booted"));
    leave.abort();
    expect(await outcome).toEqual({ end: "left" });
    expect(done.slice(7)).toEqual(["display closed", "link closed"]);
  });

  it("is saved while its link is open, and then undone", async () => {
    const { live, done, askToSave } = aDevice();
    const outcome = live();
    await until(() => done.includes("booted"));
    askToSave();
    expect(await outcome).toEqual({ end: "stopped" });
    expect(done.slice(7)).toEqual(["save", "display closed", "link closed", "machine stopped"]);
  });

  it("fails when the machine dies", async () => {
    const { live, done, machineGone } = aDevice();
    const outcome = live();
    await until(() => done.includes("booted"));
    machineGone.abort();
    expect(await outcome).toMatchObject({ end: "failed", error: expect.any(MachineGoneError) });
    expect(done.slice(7)).toEqual(["display closed", "link closed", "machine stopped"]);
  });

  it.each([
    ["power", []],
    ["powered", ["machine stopped"]],
  ])("fails when %s fails and undoes what was done", async (failAt, undone) => {
    const { live, done } = aDevice(failAt);
    expect(await live()).toMatchObject({ end: "failed" });
    expect(done.filter((entry) => / (stopped|closed)$/.test(entry))).toEqual(undone);
  });

  it.each([
    ["connect", ["machine stopped"]],
    ["boot", ["link closed", "machine stopped"]],
    ["display", ["link closed", "machine stopped"]],
    ["booted", ["display closed", "link closed", "machine stopped"]],
  ])("tries again when %s fails while the machine lives", async (failAt, undone) => {
    const { live, done } = aDevice(failAt);
    // The pause before the next try stops the device.
    expect(await live()).toEqual({ end: "stopped" });
    expect(done).toContain(`reported ${failAt}`);
    expect(done.filter((entry) => / (stopped|closed)$/.test(entry))).toEqual(undone);
  });

  it("makes a broken link again", async () => {
    const { live, done, breakLink, stop } = aDevice(undefined, { patience: 5 });
    const outcome = live();
    await until(() => done.includes("booted"));
    breakLink();
    await until(() => done.filter((entry) => entry === "connect").length > 1);
    stop.abort();
    await outcome;
    expect(done.slice(7, 10)).toEqual(["display closed", "link closed", "connect"]);
  });

  it("opens the display of one that has been booted before once somebody wants it", async () => {
    const { live, done, want, stop } = aDevice(undefined, { wasBooted: true });
    const outcome = live();
    await until(() => done.includes("wait"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(done.at(-1)).toBe("wait");
    want();
    await until(() => done.includes("booted"));
    stop.abort();
    await outcome;
    expect(done.slice(4, 7)).toEqual(["boot", "wait", "display"]);
  });

  it.each([
    ["stop", "stopped", ["link closed", "machine stopped"]],
    ["leave", "left", ["link closed"]],
  ] as const)("is undone while nobody wants it, by %s", async (how, end, undone) => {
    const device = aDevice(undefined, { wasBooted: true });
    const outcome = device.live();
    await until(() => device.done.includes("wait"));
    device[how].abort();
    expect(await outcome).toEqual({ end });
    expect(device.done.slice(6)).toEqual(undone);
  });
});
