import Pdf from "pdfkit";
import { describe, expect, it } from "vitest";
import { fileOf, latin } from "./faces.ts";
import { TextWriter } from "./text-writer.ts";

const writer = () => new TextWriter(new Pdf({ font: fileOf(latin, 400) }));
const runsOf = (text: string) =>
  writer()
    .line(text, { size: 10 })
    .runs.map((run) => run.text);
const facesOf = (text: string) =>
  writer()
    .line(text, { size: 10 })
    .runs.map(({ face }) => face.family);

describe("a line of text", () => {
  it.each([
    ["from left to right", "Fern & Glass", ["Fern & Glass"]],
    // Each run is turned when it is shaped; these are their places.
    ["from right to left", "שלום 12 עולם", ["עולם", " ", "12", "שלום "]],
    ["with a word of the other direction", "Fern שלום 12", ["Fern ", "12", "שלום "]],
    ["with brackets, which are mirrored", "(שלום)", ["(", "שלום", ")"]],
  ])("stands %s", (_, text, runs) => {
    expect(runsOf(text)).toEqual(runs);
  });

  it("takes each character from a font that has it", () => {
    expect([...new Set(facesOf("Fern 玻璃 한국 ไทย"))]).toEqual([
      "noto-sans",
      "noto-sans-sc",
      "noto-sans-kr",
      "noto-sans-thai",
    ]);
  });

  it("shows a question mark for what no font has", () => expect(runsOf("a 🙂 b").join("")).toBe("a ? b"));

  it("has nothing that is not seen: line breaks, turns of direction, NUL, half a character", () =>
    expect(runsOf("a\r\n\0b\u202ec\u2066d\ufeff\ud83d")).toEqual(["a bcd\ufffd"]));

  it("ends in dots where it is too wide, and holds what it can", () => {
    const { runs, width } = writer().line("Fern and Glass and Moss", { size: 10 }, 80);
    expect(runs[0]?.text).toMatch(/^Fern and .*…$/);
    expect(width).toBeGreaterThan(60);
    expect(width).toBeLessThanOrEqual(80);
  });

  it("is cut short however long it is", () => {
    const { runs } = writer().line("x".repeat(10_000), { size: 10 });
    expect(runs[0]?.text).toHaveLength(1_000);
  });
});

describe("text of several lines", () => {
  const linesOf = (text: string, width: number, maxLines = 9) =>
    writer()
      .lines(text, { size: 10 }, width, maxLines)
      .map(({ runs }) => runs.map((run) => run.text).join(""));

  it("breaks at spaces", () => expect(linesOf("Fern and Glass", 45)).toEqual(["Fern and", "Glass"]));

  it("breaks within what has none", () => {
    const lines = linesOf("玻璃有限公司".repeat(4), 60);
    expect([lines.join(""), lines[0]?.length]).toEqual(["玻璃有限公司".repeat(4), 6]);
  });

  it("has so many lines, the last with dots", () => {
    const lines = linesOf("Fern ".repeat(50), 45, 2);
    expect([lines.length, lines[1]?.endsWith("…")]).toEqual([2, true]);
  });

  it("never ends where not even one character fits", () => expect(linesOf("abc", 0.1, 3)).toHaveLength(3));
});
