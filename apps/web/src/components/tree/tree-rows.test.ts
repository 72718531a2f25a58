import { describe, expect, it } from "vitest";
import { aboveMatches, allOf, pathTo, rowsOf, searchTree, type TreeItem, withPaths } from "./tree-rows.ts";

const item = (name: string, ...children: TreeItem[]): TreeItem => ({ id: name, name, data: undefined, children });
const tree = [item("Mobile", item("Android", item("Payments")), item("iOS")), item("Web")];
const namesOf = (items: readonly TreeItem[]): unknown[] =>
  items.map(({ name, children }) => (children.length > 0 ? [name, namesOf(children)] : name));

it("withPaths gives all items with the names of what is above them", () => {
  expect(withPaths(tree).map(({ id, above }) => [id, above])).toEqual([
    ["Mobile", ""],
    ["Android", "Mobile"],
    ["Payments", "Mobile / Android"],
    ["iOS", "Mobile"],
    ["Web", ""],
  ]);
});

describe("rowsOf", () => {
  it("gives what is open its level and its place among its siblings", () => {
    const rows = rowsOf(tree, (id) => id === "Mobile");
    expect(rows.map(({ item: { name }, ...row }) => [name, row])).toEqual([
      ["Mobile", { level: 1, place: 1, siblings: 2, parent: undefined, isOpen: true }],
      ["Android", { level: 2, place: 1, siblings: 2, parent: "Mobile", isOpen: false }],
      ["iOS", { level: 2, place: 2, siblings: 2, parent: "Mobile", isOpen: undefined }],
      ["Web", { level: 1, place: 2, siblings: 2, parent: undefined, isOpen: undefined }],
    ]);
  });

  it("leaves out all that is below a closed item, open or not", () => {
    expect(rowsOf(tree, (id) => id === "Android").map(({ item }) => item.name)).toEqual(["Mobile", "Web"]);
  });
});

it("lists all items, each before those below it", () => {
  expect(allOf(tree).map(({ name }) => name)).toEqual(["Mobile", "Android", "Payments", "iOS", "Web"]);
});

describe("pathTo", () => {
  it("leads from the top to an item", () => {
    expect(pathTo(tree, "Payments").map(({ name }) => name)).toEqual(["Mobile", "Android", "Payments"]);
  });
  it("is empty for what is not there", () => expect(pathTo(tree, "Legal")).toEqual([]));
});

describe("searchTree", () => {
  const search = (name: string) => namesOf(searchTree(tree, (each) => each.name === name));
  it("keeps what is above a match, and drops the rest", () =>
    expect(search("Payments")).toEqual([["Mobile", [["Android", ["Payments"]]]]]));
  it("keeps all that is below a match", () =>
    expect(search("Android")).toEqual([["Mobile", [["Android", ["Payments"]]]]]));
  it("finds nothing where nothing matches", () => expect(search("Legal")).toEqual([]));
});

it("names what has a match somewhere below it, but not the match itself", () => {
  expect(aboveMatches(tree, ({ name }) => name === "Android" || name === "Web")).toEqual(["Mobile"]);
  expect(aboveMatches(tree, ({ name }) => name === "Payments")).toEqual(["Mobile", "Android"]);
});
