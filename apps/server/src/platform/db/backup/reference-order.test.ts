import { describe, expect, it } from "vitest";
import { inReferenceOrder } from "./reference-order.ts";

const order = (names: string, ...references: string[]) =>
  inReferenceOrder(
    names.split(" ").map((name) => ({ name })),
    references.map((pair) => ({ from: pair.split(">")[0]!, to: pair.split(">")[1]! })),
  )
    .map(({ name }) => name)
    .join(" ");

describe("inReferenceOrder", () => {
  it("puts a table after those that it references", () => {
    expect(order("leaf twig tree root", "leaf>twig", "twig>tree", "leaf>tree")).toBe("tree root twig leaf");
  });

  it("accepts a table that references itself, and references to tables that are not there", () => {
    expect(order("leaf tree", "tree>tree", "leaf>tree", "tree>soil")).toBe("tree leaf");
  });

  it("refuses a circle", () => {
    expect(() => order("hen egg nest", "hen>egg", "egg>hen")).toThrow("hen, egg reference each other in a circle");
  });
});
