import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { TalkBudget } from "./talk-budget.ts";

const count = (times: number, ask: () => boolean) => Array.from({ length: times }, ask).filter(Boolean).length;

describe("TalkBudget", () => {
  it("allows what the fastest mouse says, each second", () => {
    const budget = new TalkBudget();
    assert.equal(
      count(5000, () => budget.allowsMessage(40, 0)),
      3000,
    );
    assert.equal(budget.allowsMessage(40, 999), false);
    assert.equal(budget.allowsMessage(40, 1000), true);
  });

  it("allows few long messages", () => {
    const budget = new TalkBudget();
    assert.equal(
      count(100, () => budget.allowsMessage(250_000, 0)),
      4,
    );
  });

  it("allows twenty offers in ten seconds", () => {
    const budget = new TalkBudget();
    assert.equal(
      count(50, () => budget.allowsOffer(0)),
      20,
    );
    assert.equal(budget.allowsOffer(9_999), false);
    assert.equal(budget.allowsOffer(10_000), true);
  });

  it("allows no more candidates than a browser has", () => {
    const budget = new TalkBudget();
    assert.equal(
      count(1000, () => budget.allowsCandidate()),
      64,
    );
  });
});
