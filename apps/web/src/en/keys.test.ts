import { describe, expect, it } from "vitest";
import { namedKeys } from "./testing/named-keys.ts";

const areas = import.meta.glob<Record<string, unknown>>(
  ["./*.ts", "!./{areas.generated,sentences}.ts", "!./*.test.ts"],
  {
    eager: true,
  },
);
const sources = import.meta.glob<string>(["../**/*.{ts,tsx}", "!./**", "!../**/*.test.*", "!../**/testing/**"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** These two are exported without the name that their keys begin with. */
const bare = ["./common.ts", "./errors.ts"];
const isGroup = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Every key of a group of sentences: `["common.cancel", ...]`. */
const keysOf = (value: unknown, path: string[] = []): string[] =>
  isGroup(value) ? Object.entries(value).flatMap(([name, inner]) => keysOf(inner, [...path, name])) : [path.join(".")];

const keys = [
  ...new Set(
    Object.entries(areas).flatMap(([file, exported]) =>
      (bare.includes(file) ? [exported] : Object.values(exported)).filter(isGroup).flatMap((area) => keysOf(area)),
    ),
  ),
];
const sentencesOf = (value: unknown): string[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(sentencesOf) : [String(value)];

/** Forms of a sentence for a count are one key. */
const asUsed = (key: string): string => key.replace(/_(zero|one|other)$/, "");

const code = Object.values(sources).join("\n");
const roots = [...new Set(keys.map((key) => key.split(".")[0] ?? ""))];
const root = `(?:${roots.join("|")})`;
const found = (pattern: string) => [
  ...new Set(Array.from(code.matchAll(new RegExp(pattern, "g")), ([, key = ""]) => key)),
];
/** `"common.cancel"`, and a template without a gap. */
const literals = new Set(found(`["\`](${root}(?:\\.[\\w-]+)*)["\`]`));
/** Templates: `launchpad.states.${word}`. */
const templates = found(`\`(${root}\\.(?:[^\`$]|\\$\\{[^}]*\\})*)\``).filter((key) => key.includes("${"));
const patterns = templates.map((key) => {
  const parts = key.split(/\$\{[^}]*\}/).map((part) => part.replaceAll(".", "\\."));
  return new RegExp(`^${parts.join("[\\w. -]+")}$`);
});
const isUsed = (key: string): boolean => literals.has(key) || patterns.some((pattern) => pattern.test(key));
/** Some are asked for as a whole, with all that is below them. */
const withAncestors = (key: string): string[] => {
  const path = key.split(".");
  return path.map((_, index) => path.slice(0, index + 1).join(".")).slice(1);
};

describe("the catalogue", () => {
  it("is read whole, and so is the code", () => {
    expect([keys.length > 800, literals.size > 400, patterns.length > 20]).toEqual([true, true, true]);
  });

  it("has every key by which it is referred to elsewhere", () => {
    expect(namedKeys).toHaveLength(47);
    expect(namedKeys.filter((key) => !keys.map(asUsed).includes(key))).toEqual([]);
  });

  it("has no key that nothing says", () => {
    const named = new Set<string>(namedKeys);
    const unused = keys.filter((key) => {
      const name = asUsed(key);
      return !named.has(name) && !coming.some((area) => area.test(name)) && !withAncestors(name).some(isUsed);
    });
    expect(unused).toEqual([]);
  });

  it("has every key that the code says", () => {
    const known = new Set(keys.flatMap((key) => withAncestors(asUsed(key))));
    const isKey = (text: string) => /^\w+(\.[\w-]+)+$/.test(text) && !isOther(text);
    expect([...literals].filter((key) => isKey(key) && !known.has(key))).toEqual([]);
  });

  it("has the apostrophes and quotation marks of print", () => {
    const sentences = Object.values(areas).flatMap(sentencesOf);
    expect(sentences.length).toBeGreaterThan(800);
    expect(sentences.filter((sentence) => /['"]/.test(sentence) && !asKnown.test(sentence))).toEqual([]);
  });

  it("has both forms of each sentence with a count", () => {
    // Where there is no `_one`, the key itself is that form.
    const lonely = keys.filter(
      (key) =>
        (key.endsWith("_other") && !keys.includes(`${asUsed(key)}_one`) && !keys.includes(asUsed(key))) ||
        (/_(zero|one)$/.test(key) && !keys.includes(`${asUsed(key)}_other`)),
    );
    expect(lonely).toEqual([]);
  });

  it("has a message of its own for each thing that cannot be fetched", () => {
    const things = "balance usage cards subscription settings organization users groups apiTokens".split(" ");
    const found = things.map((thing) =>
      keys.find((key) => new RegExp(`^errors\\.fetch${thing}(Fail)?$`, "i").test(key)),
    );
    expect(new Set(found.filter(Boolean)).size).toBe(things.length);
  });
});

/** Messages of screens that are not there yet. */
const coming = [/^errors\.fetch(Usage|Cards|Settings)$/];
/** What the service has said in these very words before, and programs may look for. */
const asKnown = /^(Some emails weren't found|The recipe owner's )/;
/** Names of files and of packages look like keys. */
const isOther = (text: string): boolean => /\.(svg|ts|tsx|json|css)$/.test(text);
