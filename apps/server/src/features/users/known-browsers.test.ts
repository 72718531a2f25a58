import { limits } from "@terrarium/contract";
import { expect, it } from "vitest";
import { KnownBrowsers } from "./known-browsers.ts";

const browsers = new KnownBrowsers(new Uint8Array(32));
const person = (name: string, password_hash = "hash") => ({ uuid: name, password_hash });
const [mara, tomasz] = [person("mara"), person("tomasz")];

it("recognizes a browser by its token, and its people only", () => {
  const token = browsers.remember(undefined, mara);
  expect(browsers.recognize(token, mara)).toBe(token.split(".")[0]);
  expect(browsers.recognize(token, tomasz)).toBeUndefined();
  expect(browsers.recognize(browsers.remember(undefined, mara), mara)).not.toBe(browsers.recognize(token, mara));
});

it("forgets a person whose password has changed", () => {
  const token = browsers.remember(undefined, mara);
  expect(browsers.recognize(token, person("mara", "other hash"))).toBeUndefined();
});

it("keeps the last five people of a browser, in a token that the contract has room for", () => {
  const people = ["a", "b", "c", "d", "e", "f"].map((name) => person(name));
  let token: string | undefined;
  // The last one signs in twice.
  for (const each of [...people, ...people.slice(-1)]) token = browsers.remember(token, each);
  expect(people.map((each) => browsers.recognize(token, each) !== undefined)).toEqual([
    false,
    ...Array<boolean>(5).fill(true),
  ]);
  expect(token?.length).toBeLessThanOrEqual(limits.browserTokenLength);
});

it.each([
  ["nothing", () => undefined],
  ["nonsense", () => "known"],
  ["a token of another installation", () => new KnownBrowsers(new Uint8Array(32).fill(1)).remember(undefined, mara)],
  [
    "the mark of another browser",
    () =>
      [browsers.remember(undefined, tomasz).split(".")[0], browsers.remember(undefined, mara).split(".")[1]].join("."),
  ],
  ["a mark that was cut", () => browsers.remember(undefined, mara).slice(0, -1)],
  ["too many marks", () => browsers.remember(undefined, mara) + `.${"x".repeat(22)}`.repeat(5)],
])("does not recognize %s", (_, token) => {
  expect(browsers.recognize(token(), mara)).toBeUndefined();
  expect(browsers.recognize(browsers.remember(token(), mara), mara)).toBeDefined();
});
