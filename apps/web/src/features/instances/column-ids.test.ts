import { describe, expect, it } from "vitest";
import {
  columnIds,
  columnWidth,
  defaultColumns,
  isSortable,
  lockedColumns,
  orderingOf,
  shownColumns,
} from "./column-ids.ts";

describe("columns", () => {
  it("are twenty-three and the actions", () => {
    expect([columnIds.length, new Set(columnIds).size, columnIds.at(-1)]).toEqual([24, 24, "actions"]);
  });

  it("are a twentieth of the table wide per unit", () => expect(columnWidth(3)).toBe("15%"));

  it("sort by five fields and no other", () => {
    expect(columnIds.filter(isSortable)).toEqual(["name", "state", "owner", "updatedAt", "createdAt"]);
    expect(orderingOf({ id: "updatedAt", desc: true })).toBe("-updated_at");
    expect(orderingOf({ id: "name", desc: false })).toBe("name");
  });

  it("keep their order whatever was chosen, and the locked ones stay", () => {
    expect(shownColumns(["owner", "gpu"])).toEqual(["name", "state", "uuid", "recipeName", "owner", "gpu", "actions"]);
    expect(shownColumns([])).toEqual(lockedColumns);
    expect(shownColumns(defaultColumns)).toEqual([
      "name",
      "state",
      "uuid",
      "recipeName",
      "owner",
      "updatedAt",
      "actions",
    ]);
  });
});
