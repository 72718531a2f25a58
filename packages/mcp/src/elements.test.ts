import type { UiNode } from "@terrarium/contract";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import { centreOf, elementsOf, lineOf } from "./elements.ts";
import { sizeOf } from "./look-at-screen.ts";
import { markPicture } from "./mark-picture.ts";

const SIZE = { width: 100, height: 200 };
const node = (given: Partial<UiNode> = {}): UiNode => ({
  class: "android.view.View",
  bounds: [0, 0, 100, 200],
  ...given,
});
const onScreen = (...children: UiNode[]) => elementsOf(node({ children }), SIZE);

describe("elementsOf", () => {
  it("numbers what can be named or touched, in order, and leaves out what only holds others", () => {
    const button = node({
      class: "android.widget.Button",
      text: "Sign in",
      bounds: [10, 20, 31, 40],
      flags: ["clickable"],
    });
    const icon = node({ class: "android.widget.ImageButton", bounds: [0, 50, 10, 60], flags: ["clickable"] });
    const found = onScreen(node({ children: [button] }), icon, node({ hint: "Name" }), node());
    expect(found.map(lineOf)).toEqual([
      '[1] Button "Sign in" at 21,30 (clickable)',
      '[2] ImageButton "" at 5,55 (clickable)',
      '[3] View "Name" at 50,100',
    ]);
    expect(centreOf(found[0]!)).toEqual({ x: 21, y: 30 });
  });

  it("calls a row by what stands in it, and says that once", () => {
    const text = (words: string) => node({ text: words, bounds: [0, 0, 50, 10] });
    const row = node({
      flags: ["clickable"],
      bounds: [0, 0, 100, 20],
      children: [text("Wi-Fi"), node({ children: [text("On")] })],
    });
    const elsewhere = node({ text: "On", bounds: [0, 100, 50, 110] });
    expect(onScreen(row, elsewhere).map(({ label }) => label)).toEqual(["Wi-Fi, On", "On"]);
  });

  it.each([
    ["left", [-20, 0, 0, 10]],
    ["right", [100, 0, 120, 10]],
    ["above", [0, -10, 10, 0]],
    ["below", [0, 200, 10, 210]],
    ["nowhere", [5, 5, 5, 9]],
  ] as const)("leaves out what lies %s", (_where, bounds) => {
    expect(onScreen(node({ text: "hidden", bounds }))).toEqual([]);
  });

  it("tells no more of what an app says than can be read", () => {
    const text = node({ text: "x".repeat(1000) });
    const row = node({
      flags: ["clickable"],
      children: Array.from({ length: 50 }, () => node({ text: "y, ".repeat(30) })),
    });
    const [first, second] = onScreen(text, row);
    expect(first!.label).toHaveLength(200);
    expect(second!.label.length).toBeLessThan(400);
  });

  it("tells no more than 80", () => {
    const many = Array.from({ length: 90 }, (_, index) =>
      node({ text: `row ${index}`, bounds: [0, index, 9, index + 1] }),
    );
    expect(onScreen(...many)).toHaveLength(80);
  });
});

describe("sizeOf", () => {
  const header = (width: number, height: number, interlace = 0) => {
    const png = PNG.sync.write(new PNG({ width: 1, height: 1 }));
    png.writeUInt32BE(width, 16);
    png.writeUInt32BE(height, 20);
    png[28] = interlace;
    return png;
  };

  it("is that of a picture that can be unpacked", () => {
    expect(sizeOf(header(4096, 4096))).toEqual({ width: 4096, height: 4096 });
    for (const wrong of [header(4096, 4097), header(0, 5), header(5, 0), header(5, 5, 1)])
      expect(() => sizeOf(wrong)).toThrow(/cannot be shown/);
    for (const none of [
      Buffer.from(""),
      Buffer.from("screencap: not found"),
      Buffer.alloc(100),
      header(5, 5).subarray(0, 28),
    ])
      expect(() => sizeOf(none)).toThrow("The device gives no picture.");
  });
});

describe("markPicture", () => {
  const screenshot = (width: number, height: number) => {
    const png = new PNG({ width, height });
    png.data.fill(0x80);
    return PNG.sync.write(png);
  };
  const pixel = ({ data, width }: PNG, x: number, y: number) => [
    ...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4),
  ];

  it("draws frames and numbers on a smaller picture, and nothing outside of it", () => {
    const at = { kind: "View", label: "", flags: [] };
    const marked = PNG.sync.read(
      markPicture(screenshot(1000, 2400), [
        { number: 1, ...at, bounds: [200, 200, 400, 400] },
        { number: 12, ...at, bounds: [-10, -10, 5000, 20] },
      ]),
    );
    expect([marked.width, marked.height]).toEqual([500, 1200]);
    expect(pixel(marked, 300, 600)).toEqual([0x80, 0x80, 0x80, 0xff]);
    for (const [x, y] of [
      [100, 150],
      [199, 150],
      [150, 100],
      [150, 199],
    ] as const)
      expect(pixel(marked, x, y)).toEqual([0xd0, 0x10, 0x50, 0xff]);
    // Its number stands beside it: the 1 is white in the middle of the first row.
    expect(pixel(marked, 100 - 15 + 6, 104)).toEqual([0xff, 0xff, 0xff, 0xff]);
  });

  it("leaves a small picture as large as it is", () => {
    expect(PNG.sync.read(markPicture(screenshot(30, 20), []))).toMatchObject({ width: 30, height: 20 });
  });
});
