import { describe, expect, it } from "vitest";
import { LogStore } from "./log-store.ts";

const utf8 = new TextEncoder();
const line = (level: string, tag: string, message: string) =>
  `11-23 12:00:00.000  1234  1240 ${level} ${tag.padEnd(8)}: ${message}\n`;

function create(...lines: string[]) {
  const store = new LogStore();
  const push = (...more: string[]) => store.push(utf8.encode(more.join("")));
  push(...lines);
  return { store, push, texts: () => store.shown.map(({ text }) => text) };
}

describe("a log", () => {
  it("is read however it is cut", () => {
    const bytes = utf8.encode(
      `--------- beginning of main\n${line("E", "Fern", "ö: 🌿")}${line("I", "a b/c", "")}rest`,
    );
    for (let size = 1; size <= bytes.length; size++) {
      const store = new LogStore();
      for (let at = 0; at < bytes.length; at += size) store.push(bytes.subarray(at, at + size));
      expect(store.shown.map(({ level, tag, text }) => [level, tag, text.slice(-5)])).toEqual([
        ["I", "", " main"],
        ["E", "Fern", ": ö: 🌿".slice(-5)],
        ["I", "a b/c", "  : "].map((each, at) => (at === 2 ? "c   : ".slice(-5) : each)),
      ]);
    }
  });

  it("shows what fits level, tag and words, also of what comes later", () => {
    const { store, push, texts } = create(line("D", "Fern", "quiet"), line("W", "Moss", "LEAF fell"));
    store.show({ level: "I", tag: "", search: "" });
    push(line("E", "Fern", "leaf lost"), line("V", "Fern", "leaf"));
    expect(texts().length).toBe(2);
    store.show({ level: "V", tag: "fer", search: "leaf" });
    push(line("I", "FERN", "another leaf"), line("I", "Moss", "leaf"), line("I", "Fern", "none"));
    expect(texts().map((text) => text.slice(32))).toEqual(
      ["E Fern    : leaf lost", "V Fern    : leaf", "I FERN    : another leaf"].map((text) => text.slice(1)),
    );
    expect(store.count).toBe(7);
  });

  it("keeps the newest lines alone, and no more characters than a page can hold", () => {
    const { store, push } = create();
    for (let part = 0; part < 50; part++)
      push(...Array.from({ length: 1_000 }, (_, at) => line("I", "x", `${part * 1_000 + at}`)));
    expect(store.count).toBeGreaterThanOrEqual(20_000);
    expect(store.count).toBeLessThanOrEqual(22_000);
    expect(store.shown.length).toBe(store.count);
    expect(store.shown.at(-1)?.text).toMatch(/49999$/);
    for (let part = 0; part < 40; part++) push(...Array.from({ length: 100 }, () => line("I", "x", "y".repeat(5_000))));
    expect(store.shown.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(8_800_000);
    push("z".repeat(100_000), "\n");
    expect(store.shown.at(-1)?.text.length).toBe(5_000);
  });

  it("waits while it is paused, with the newest lines, and goes on", () => {
    const { store, push, texts } = create(line("I", "x", "before"));
    store.pause();
    push(line("I", "x", "held"));
    expect([store.held, texts().length, store.isPaused]).toEqual([1, 1, true]);
    for (let part = 0; part < 50; part++) push(...Array.from({ length: 1_000 }, () => line("I", "x", "more")));
    expect(store.held).toBeLessThanOrEqual(22_000);
    store.resume();
    expect([store.held, store.isPaused]).toEqual([0, false]);
    expect(store.count).toBeLessThanOrEqual(22_000);
    expect(texts().at(-1)).toMatch(/more$/);
  });

  it("is empty when it was cleared, paused or not", () => {
    const { store, push, texts } = create(line("I", "x", "before"), "half");
    store.pause();
    push(" a line\n");
    store.clear();
    expect([store.count, store.held, texts()]).toEqual([0, 0, []]);
    store.resume();
    push(line("I", "x", "after"));
    expect(texts().length).toBe(1);
  });
});
