import { describe, expect, it } from "vitest";

const sources = import.meta.glob<string>("../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
const areas = import.meta.glob<Record<string, unknown>>(["./*.ts", "!./{common,errors,*.test}.ts"], { eager: true });
const isOfTests = (file: string) => /\.test\.tsx?$|\/testing\//.test(file);

/** `../features/home/HomePage.tsx` for what a file there imports as `./HomePage.tsx`, and `./home.ts` for a file beside this one. */
function resolve(from: string, to: string): string {
  const { pathname } = new URL(to, new URL(from, "file:///src/en/"));
  return pathname.startsWith("/src/en/") ? pathname.replace("/src/en/", "./") : pathname.replace("/src/", "../");
}
const found = (file: string, pattern: RegExp) =>
  Array.from((sources[file] ?? "").matchAll(pattern), (match) => match[1] ?? "");
const importsOf = (file: string) =>
  found(file, /^(?:import|export)\s(?!type\s)(?:[^"';]*?from\s)?"(\.[^"]+)"/gm).map((to) => resolve(file, to));

/** A file and all that comes with it. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || sources[file] === undefined) return seen;
  seen.add(file);
  for (const used of importsOf(file)) withImports(used, seen);
  return seen;
}

const entry = "../main.tsx";
const files = Object.keys(sources).filter((file) => !isOfTests(file));
const lazy = [
  ...files.flatMap((file) => found(file, /\bimport\("(\.[^"]+)"\)/g).map((to) => resolve(file, to))),
  // As the router finds them.
  ...files.filter((file) => /^\.\.\/features\/[^/]+\/\w+Page\.tsx$/.test(file)),
];

/** Whether an area has a sentence, or a form of it for a count (`_one`); what is known of a key is looked up as far as it goes. */
function has(area: unknown, [name = "", ...rest]: string[]): boolean {
  const entry = Object.entries(area ?? {}).find(
    ([key]) => key === name || (rest.length === 0 && key.startsWith(`${name}_`)),
  );
  return entry !== undefined && (rest.length === 0 || has(entry[1], rest));
}
const roots = [
  ...new Set(
    Object.values(areas).flatMap((exports) => Object.values(exports).flatMap((area) => Object.keys(area ?? {}))),
  ),
];

describe("the sentences", () => {
  it("are found in the places that this test reads", () => {
    expect(lazy).toContain("../features/invitations/JoinPage.tsx");
    expect(roots).toEqual(expect.arrayContaining(["common", "errors", "signIn", "launchpad"]));
  });

  it.each([entry, ...new Set(lazy)])("of %s come with its code", (page) => {
    const files = withImports(page, new Set(page === entry ? [] : withImports(entry)));
    const brought = [...files].flatMap((file) => Object.values(areas[file] ?? {}));
    const missing = [...files].flatMap((file) =>
      found(file, new RegExp(`["\`]((?:${roots.join("|")})\\.[\\w.]*)`, "g"))
        .map((key) => key.split(".").filter(Boolean))
        .filter((path) => !brought.some((area) => has(area, path)))
        .map((path) => `${file} says ${path.join(".")}`),
    );
    expect(missing).toEqual([]);
  });
});
