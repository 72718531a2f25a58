import { describe, expect, it } from "vitest";
import { TalkBudget } from "./talk-budget.ts";

const count = (times: number, ask: () => boolean) => Array.from({ length: times }, ask).filter(Boolean).length;

describe("TalkBudget", () => {
  it("allows what the fastest mouse says, each second", () => {
    const budget = new TalkBudget();
    expect(count(5000, () => budget.allowsMessage(40, 0))).toBe(3000);
    expect(budget.allowsMessage(40, 999)).toBe(false);
    expect(budget.allowsMessage(40, 1000)).toBe(true);
  });

  it("allows few long messages", () => {
    const budget = new TalkBudget();
    expect(count(100, () => budget.allowsMessage(250_000, 0))).toBe(4);
  });

  it("allows twenty offers in ten seconds", () => {
    const budget = new TalkBudget();
    expect(count(50, () => budget.allowsOffer(0))).toBe(20);
    expect(budget.allowsOffer(9_999)).toBe(false);
    expect(budget.allowsOffer(10_000)).toBe(true);
  });

  it("allows no more candidates than a browser has", () => {
    const budget = new TalkBudget();
    expect(count(1000, () => budget.allowsCandidate())).toBe(64);
  });
});
