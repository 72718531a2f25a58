import { describe, expect, it } from "vitest";
import { nextOrdering, readAddress, writeAddress } from "./list-address.ts";
import { firstColumns, shownColumns } from "./list-settings.ts";
import { columnWidth } from "./list.ts";

const list = {
  ordering: "-updated_at",
  columns: [{ sortBy: "updated_at" }, { sortBy: "name" }, {}],
  filters: [{ id: "whose", choices: [{ value: "all" }, { value: "mine" }] }],
};
const usual = { page: 1, ordering: "-updated_at", search: "", filters: { whose: "all" } };
const read = (text: string, remembered = {}) => readAddress(new URLSearchParams(text), list, remembered);

describe("readAddress", () => {
  it("reads what is said", () =>
    expect(read("page=3&ordering=name&search=+a+b&whose=mine")).toEqual({
      page: 3,
      ordering: "name",
      search: "a b",
      filters: { whose: "mine" },
    }));

  it.each(["", "page=0", "page=-1", "page=1.5", "page=x", "ordering=password", "ordering=--name", "whose=yours"])(
    "takes %j for the usual",
    (text) => expect(read(text)).toEqual(usual),
  );

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
