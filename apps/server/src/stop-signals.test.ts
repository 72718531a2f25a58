import { TestClock } from "@terrarium/clock";
import { expect, it, onTestFinished, vi } from "vitest";
import { stopOnSignals } from "./stop-signals.ts";

const signals = ["SIGINT", "SIGHUP", "SIGTERM"] as const;

/** Registers the handlers; what they do is told by calling them as Node does. */
function create(settings: { embedded: boolean; leavesDevices: boolean }) {
  const clock = new TestClock();
  const stops: boolean[] = [];
  const before = new Map(signals.map((name) => [name, process.listeners(name)]));
  stopOnSignals(({ endDevices }) => void stops.push(endDevices), { clock, ...settings });
  const added = (name: (typeof signals)[number]) =>
    process.listeners(name).find((listener) => !before.get(name)?.includes(listener));
  const handlers = new Map(signals.map((name) => [name, added(name)]));
  onTestFinished(() => handlers.forEach((handler, name) => handler && process.off(name, handler)));
  return { clock, stops, send: (name: (typeof signals)[number]) => handlers.get(name)?.(name) };
}

it.each([
  ["SIGTERM leaves devices to the next server", { embedded: true, leavesDevices: true }, "SIGTERM", false],
  ["SIGTERM ends them if they are not to be kept", { embedded: true, leavesDevices: false }, "SIGTERM", true],
  ["Ctrl-C ends them", { embedded: true, leavesDevices: true }, "SIGINT", true],
  ["the end of the terminal ends them", { embedded: true, leavesDevices: true }, "SIGHUP", true],
  ["Ctrl-C leaves them in a fleet", { embedded: false, leavesDevices: true }, "SIGINT", false],
  ["SIGTERM leaves them in a fleet", { embedded: false, leavesDevices: false }, "SIGTERM", false],
] as const)("%s", (_, settings, signal, ends) => {
  const { stops, send } = create(settings);
  send(signal);
  expect(stops).toEqual([ends]);
});

it("a second signal exits at once, unless it comes with the first, also when the clock is set meanwhile", async () => {
  const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
  onTestFinished(() => exit.mockRestore());
  const { clock, send } = create({ embedded: true, leavesDevices: true });
  send("SIGINT");
  clock.step(3_600_000);
  send("SIGINT");
  expect(exit).not.toHaveBeenCalled();
  clock.step(-7_200_000);
  await clock.advance(1_001);
  send("SIGINT");
  expect(exit).toHaveBeenCalledWith(1);
});
