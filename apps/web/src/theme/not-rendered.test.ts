import { expect, it } from "vitest";

const sources = import.meta.glob<string>(["../**/*.tsx", "!../**/*.test.tsx"], {
  query: "?raw",
  import: "default",
  eager: true,
});
/** The start of a button's tag, with braces in braces in braces. */
const button = /<(?:Icon)?Button\b(?:[^{}>]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*>/g;

it("is not missed: a button that may be busy brings its own picture of it", () => {
  const busy = Object.entries(sources).flatMap(([file, source]) =>
    Array.from(source.matchAll(button), ([tag]) => ({ file, tag })).filter(({ tag }) => /\sloading\b/.test(tag)),
  );
  expect(busy.length).toBeGreaterThan(0);
  expect(busy.filter(({ tag }) => !/\sloadingIndicator=/.test(tag))).toEqual([]);
});
