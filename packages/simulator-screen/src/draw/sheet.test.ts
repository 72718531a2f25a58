import type { Canvas } from "@napi-rs/canvas";
import { describe, expect, it } from "vitest";
import { Sheet } from "./sheet.ts";
import { drawText } from "./text.ts";

const [WIDTH, HEIGHT] = [64, 64];

/** Draws on a sheet, one picture after another, and paints each into the same pixels. */
function aSheet() {
  const sheet = new Sheet();
  const pixels = new Uint8Array(WIDTH * HEIGHT * 4);
  const paint = (draw: () => void) => {
    sheet.begin(WIDTH, HEIGHT);
    draw();
    return sheet.paint(pixels);
  };
  const fill = (fillStyle: string, x: number, y: number, width: number, height: number) => {
    sheet.set({ fillStyle });
    sheet.fillRect(x, y, width, height);
  };
  return { sheet, pixels, paint, fill };
}

/** What the last picture looks like if it is painted whole. */
function whole(draw: (to: ReturnType<typeof aSheet>) => void): Uint8Array {
  const to = aSheet();
  to.paint(() => draw(to));
  return to.pixels;
}

const whole4 = [0, 0, WIDTH, HEIGHT] as const;

describe("Sheet", () => {
  it("paints what was due after an error, without the clip and transform that it left", () => {
    const { sheet, pixels, paint, fill } = aSheet();
    paint(() => fill("#ff0000", ...whole4));
    const draw = (to: ReturnType<typeof aSheet>) => {
      to.fill("#ff0000", ...whole4);
      to.fill("#0000ff", 32, 32, 8, 8);
    };
    const broken = () => {
      fill("#ff0000", ...whole4);
      sheet.save();
      sheet.setTransform(1, 0, 0, 1, 3, 3);
      sheet.beginPath();
      sheet.rect(0, 0, 4, 4);
      sheet.clip();
      sheet.drawImage({ width: 4, height: 4 } as Canvas, 0, 0);
      sheet.restore();
      fill("#0000ff", 32, 32, 8, 8);
    };
    expect(() => paint(broken)).toThrow(/image/i);
    // What was drawn is due again, as the screen does not draw it anew.
    expect(() => sheet.paint(pixels)).toThrow(/image/i);
    paint(() => draw({ sheet, pixels, paint, fill }));
    expect(Buffer.compare(pixels, whole(draw))).toBe(0);
  });

  it("begins without what a drawing that threw has saved", () => {
    const { sheet, paint } = aSheet();
    paint(() => sheet.save());
    expect(() => paint(() => sheet.restore())).toThrow(/iterable/);
  });

  it("holds no drawing once it has been told to forget", () => {
    const { sheet, pixels, paint, fill } = aSheet();
    paint(() => fill("#ff0000", ...whole4));
    sheet.forget();
    pixels.fill(0);
    sheet.paint(pixels);
    expect(pixels.some((value) => value > 0)).toBe(false);
  });

  it.each([
    ["whose marks have all moved a little", "#ff0000", 1],
    ["of which everything has changed", "#00ff00", 0],
  ])("compares no marks part by part of a picture %s", (_, colour, by) => {
    const { sheet, paint, fill } = aSheet();
    let compared = 0;
    // Looked at only when marks are compared part by part.
    const counted = () => new Proxy([], { get: (...args) => (compared++, Reflect.get(...args)) });
    const dots = (from: number) => {
      for (let at = 0; at < 300; at++) {
        sheet.beginPath();
        (sheet.rect as (...args: unknown[]) => void).call(sheet, 0, 0, 1, 1, counted());
        sheet.rect(0, from + at / 10, 30 + at / 10, 1);
        sheet.fill();
      }
    };
    paint(() => {
      fill("#ff0000", ...whole4);
      dots(0);
    });
    paint(() => {
      fill(colour, ...whole4);
      dots(by * 31);
    });
    expect(compared).toBe(0);
  });

  it("leaves nothing of a text with a stack of marks that is gone", () => {
    const one = aSheet();
    one.paint(() => {
      one.fill("#ffffff", ...whole4);
      drawText(one.sheet, `a${"\u0323".repeat(8)}`, { x: 20, y: 32 }, { size: 10, color: "#000000" });
    });
    one.paint(() => one.fill("#ffffff", ...whole4));
    expect(one.pixels.every((value) => value === 255)).toBe(true);
  });
});
