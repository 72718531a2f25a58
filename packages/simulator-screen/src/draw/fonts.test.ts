import { describe, expect, it } from "vitest";
import { runsOf } from "./fonts.ts";
import { Sheet } from "./sheet.ts";
import { drawText } from "./text.ts";

describe("runsOf", () => {
  it("keeps Latin text whole", () => expect(runsOf("Hello – “you”…")).toHaveLength(1));

  it("splits text by the fonts that draw it and keeps an emoji of several parts together", () => {
    const runs = runsOf("a👩‍🚀你Я");
    expect(runs.map((run) => run.text)).toEqual(["a", "👩‍🚀", "你", "Я"]);
    expect(runs.map((run) => run.family.split(" ")[0])).toEqual(["Roboto", "Emoji", "Noto", "Roboto"]);
  });

  it.each(["🌿", "😀", "🇩🇪", "你", "Я", "→", "ż"])("draws %s", (text) => {
    const pixels = new Uint8Array(80 * 80 * 4);
    const sheet = new Sheet();
    sheet.begin(80, 80);
    drawText(sheet, text, { x: 10, y: 40 }, { size: 40, color: "#000000" });
    sheet.paint(pixels);
    expect(pixels.some((value) => value > 0)).toBe(true);
  });
});
