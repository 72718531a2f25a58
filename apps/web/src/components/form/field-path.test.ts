import { expect, it } from "vitest";
import { valueAt, withValue } from "./field-path.ts";

const values = { name: "wall", size: { displays: [{ width: "1" }, { width: "2" }] } };

it("reads what stands at a path, and nothing where there is nothing", () => {
  expect(valueAt(values, "size.displays.1.width")).toBe("2");
  expect(valueAt(values, "size.displays.2.width")).toBeUndefined();
});

it("changes a copy, and only along the path", () => {
  const changed = withValue(values, "size.displays.1.width", "3");
  expect(changed).toEqual({ name: "wall", size: { displays: [{ width: "1" }, { width: "3" }] } });
  expect(changed.size.displays[0]).toBe(values.size.displays[0]);
  expect(values.size.displays[1]).toEqual({ width: "2" });
});
