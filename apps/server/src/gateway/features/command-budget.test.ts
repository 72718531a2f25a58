import type { PlayerCommand } from "@terrarium/player";
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { CommandBudget } from "./command-budget.ts";

const move: PlayerCommand = { type: "mouse", action: "move", x: 1, y: 1 };

describe("CommandBudget", () => {
  it("lets a thousand commands through each second", () => {
    const budget = new CommandBudget();
    const allowed = (now: number) =>
      Array.from({ length: 1500 }, () => budget.allows(move, now)).filter(Boolean).length;
    assert.equal(allowed(0), 1000);
    assert.equal(allowed(999), 0);
    assert.equal(allowed(1000), 1000);
  });

  const rare: [PlayerCommand, number][] = [
    [{ type: "mouse", action: "press", x: 1, y: 1 }, 100],
    [{ type: "touch", action: "down", points: [] }, 100],
    [{ type: "clipboard", text: "x" }, 10],
    [{ type: "rotate" }, 5],
  ];
  for (const [command, most] of rare)
    it(`lets through ${most} of ${command.type} each second, and moves beside them`, () => {
      const budget = new CommandBudget();
      const allowed = Array.from({ length: 500 }, () => budget.allows(command, 0)).filter(Boolean).length;
      assert.equal(allowed, most);
      assert.equal(budget.allows(move, 0), true);
      assert.equal(budget.allows(command, 1000), true);
    });

  it("always lets through what ends something", () => {
    const budget = new CommandBudget();
    for (let index = 0; index < 1500; index++) budget.allows(move, 0);
    assert.equal(budget.allows({ ...move, action: "release" }, 0), true);
    assert.equal(budget.allows({ type: "touch", action: "up", points: [] }, 0), true);
    assert.equal(budget.allows({ type: "rotate" }, 0), false);
  });
});
