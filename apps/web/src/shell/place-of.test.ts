import { describe, expect, it } from "vitest";
import { placeOf } from "./place-of.ts";

const at = (address: string, key: string) => {
  const { pathname, search, hash } = new URL(address, "http://localhost");
  return placeOf({ pathname, search, hash, key, state: null, mask: undefined });
};

describe("the place on a page", () => {
  it("is another for each address that a tab loads anew, so that a link to a section leads there", () => {
    const places = ["/profile", "/profile#sessions", "/profile?a", "/launchpad"].map((address) =>
      at(address, "default"),
    );
    expect(new Set(places).size).toBe(4);
    expect(at("/profile#sessions", "default")).toBe(places[1]);
  });

  it("is each visit's own within the app", () => {
    expect(at("/recipes", "first")).not.toBe(at("/recipes", "second"));
  });
});
