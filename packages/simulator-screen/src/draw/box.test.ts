import { expect, it } from "vitest";
import { type Box, merge } from "./box.ts";

it("joins what is too many to the box that grows least", () => {
  const at = (top: number): Box => ({ left: 0, top, right: 8, bottom: top + 8 });
  const boxes = [0, 100, 200, 300, 400, 500].map(at);
  merge(boxes, at(310));
  const wanted = [...[0, 100, 200, 400, 500].map(at), { ...at(300), bottom: 318 }];
  expect(new Set(boxes)).toEqual(new Set(wanted));
});
