import { describe, expect, it } from "vitest";
import { nextOrdering, readAddress, writeAddress } from "./list-address.ts";
import { firstColumns, shownColumns } from "./list-settings.ts";
import { columnWidth } from "./list.ts";

const list = {
  ordering: "-updated_at",
  columns: [{ sortBy: "updated_at" }, { sortBy: "name" }, {}],
  filters: [{ id: "whose", choices: [{ value: "all" }, { value: "mine" }] }],
};
const typed = {
  ...list,
  filters: [{ id: "day", choices: [], free: { accepts: (text: string) => /^\d+$/.test(text) } }],
};
const usual = { page: 1, ordering: "-updated_at", search: "", before: "", filters: { whose: "all" } };
const read = (text: string, remembered = {}) => readAddress(new URLSearchParams(text), list, remembered);

describe("readAddress", () => {
  it("reads what is said", () =>
    expect(read("page=3&ordering=name&search=+a+b&whose=mine")).toEqual({
      page: 3,
      ordering: "name",
      search: "a b",
      before: "",
      filters: { whose: "mine" },
    }));

  it.each(["", "page=0", "page=-1", "page=1.5", "page=x", "ordering=password", "ordering=--name", "whose=yours"])(
    "takes %j for the usual",
    (text) => expect(read(text)).toEqual(usual),
  );

  it.each([
    ["day=12", "12"],
    ["day=x", ""],
    ["", ""],
  ])("takes from %j what may be typed", (text, day) =>
    expect(readAddress(new URLSearchParams(text), typed).filters).toEqual({ day }),
  );

  it.each([
    ["before=812", "812"],
    ["before=0", ""],
    ["before=-1", ""],
    ["before=x", ""],
    ["before=1234567890123456", ""],
  ])("takes from %j the key of a page", (text, before) => expect(read(text).before).toBe(before));

  it("fills in what is remembered, where the address says nothing and nobody tampered with it", () => {
    expect(read("", { whose: "mine" }).filters).toEqual({ whose: "mine" });
    expect(read("whose=all", { whose: "mine" }).filters).toEqual({ whose: "all" });
    expect(read("", { whose: "yours" }).filters).toEqual({ whose: "all" });
  });
});

describe("writeAddress", () => {
  const write = (text: string, change: Parameters<typeof writeAddress>[2]) =>
    writeAddress(new URLSearchParams(text), list, change).toString();

  it("leads to the first page, but for a change of the page", () => {
    expect(write("page=3&search=a", { ordering: "name" })).toBe("search=a&ordering=name");
    expect(write("page=3&search=a", { page: 4 })).toBe("page=4&search=a");
    expect(write("before=3&search=a", { search: "b" })).toBe("search=b");
    expect(write("before=3&search=a", { before: "2" })).toBe("before=2&search=a");
  });

  it("leaves out what is as usual, and keeps what is not its own", () =>
    expect(write("page=3&ordering=name&search=a&whose=mine&from=mail", { ...usual })).toBe("from=mail"));
});

it("nextOrdering begins as its column does, and turns round", () => {
  expect(nextOrdering("-updated_at", { sortBy: "name" })).toBe("name");
  expect(nextOrdering("name", { sortBy: "name" })).toBe("-name");
  expect(nextOrdering("-name", { sortBy: "name" })).toBe("name");
  expect(nextOrdering("name", { sortBy: "updated_at", isNewestFirst: true })).toBe("-updated_at");
  expect(nextOrdering("-updated_at", { sortBy: "updated_at", isNewestFirst: true })).toBe("updated_at");
});

describe("columns", () => {
  const columns = [{ id: "a", shown: "always" }, { id: "b" }, { id: "c", shown: "first" }] as const;

  it("are a twentieth of the table wide per unit", () => expect(columnWidth(3)).toBe("15%"));

  it("keep their order whatever was chosen, and the locked ones stay", () => {
    expect(firstColumns({ columns })).toEqual(["a", "c"]);
    expect(shownColumns(columns, ["c", "b"]).map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(shownColumns(columns, []).map(({ id }) => id)).toEqual(["a"]);
  });
});
