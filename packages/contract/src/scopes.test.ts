import { expect, it } from "vitest";
import { contract, type Route, scopeOf } from "./index.ts";

const all = Object.values(contract).flatMap((table): Route[] => Object.values(table));

it("what anybody signed in may read names its scope: much of it is about themselves alone", () => {
  const own = all.filter(({ method, access }) => method === "GET" && access === "signed-in");
  expect(own.filter(({ scope }) => scope === undefined).map(({ path }) => path)).toEqual([]);
});

it.each(["/v1/users/:uuid/identities", "/v1/api-tokens", "/v1/sessions"])(
  "how somebody signs in is for tokens that administer: %s",
  (path) => {
    const routes = all.filter((route) => route.path === path && route.method === "GET");
    expect(routes.map(scopeOf)).toEqual(["admin"]);
  },
);
