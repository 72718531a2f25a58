import type { DeviceCommand } from "@terrarium/player";
import { describe, expect, it } from "vitest";
import { CommandBudget } from "./command-budget.ts";

const move: DeviceCommand = { type: "mouse", action: "move", x: 1, y: 1 };

describe("CommandBudget", () => {
  it("lets a thousand commands through each second", () => {
    const budget = new CommandBudget();
    const allowed = (now: number) =>
      Array.from({ length: 1500 }, () => budget.allows(move, now)).filter(Boolean).length;
    expect(allowed(0)).toBe(1000);
    expect(allowed(999)).toBe(0);
    expect(allowed(1000)).toBe(1000);
  });

  const rare: [DeviceCommand, number][] = [
    [{ type: "mouse", action: "press", x: 1, y: 1 }, 100],
    [{ type: "touch", action: "down", points: [] }, 100],
    [{ channel: "framework", type: "clipboard", text: "x" }, 10],
    [{ type: "rotate" }, 5],
    [{ type: "size", shortSidePx: 480 }, 2],
    [{ type: "bitrate", videoKbps: 5000, audioBps: 0 }, 2],
    [{ channel: "baseband", type: "sms", number: "1", text: "x" }, 5],
    [{ channel: "baseband", type: "call", number: "1" }, 5],
    [{ channel: "vinput", type: "gamepadPlugIn", hostIndex: 0, name: "", vendorId: 0, productId: 0 }, 5],
  ];
  for (const [command, most] of rare)
    it(`lets through ${most} of ${command.type} each second, and moves beside them`, () => {
      const budget = new CommandBudget();
      const allowed = Array.from({ length: 500 }, () => budget.allows(command, 0)).filter(Boolean).length;
      expect(allowed).toBe(most);
      expect(budget.allows(move, 0)).toBe(true);
      expect(budget.allows(command, 1000)).toBe(true);
    });

  it("always lets through what ends something", () => {
    const budget = new CommandBudget();
    for (let index = 0; index < 1500; index++) budget.allows(move, 0);
    expect(budget.allows({ ...move, action: "release" }, 0)).toBe(true);
    expect(budget.allows({ type: "touch", action: "up", points: [] }, 0)).toBe(true);
    expect(budget.allows({ channel: "vinput", type: "gamepadButton", pad: 0, button: 1, pressed: false }, 0)).toBe(
      true,
    );
    expect(budget.allows({ channel: "vinput", type: "gamepadUnplug", pad: 0 }, 0)).toBe(true);
    expect(budget.allows({ channel: "vinput", type: "gamepadButton", pad: 0, button: 1, pressed: true }, 0)).toBe(
      false,
    );
    expect(budget.allows({ type: "rotate" }, 0)).toBe(false);
  });
});
