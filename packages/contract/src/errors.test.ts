import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { errors } from "./index.ts";

it("has each code with its status in docs/ERRORS.md, once, and no other", async () => {
  const page = await readFile(new URL("../../../docs/ERRORS.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` *\| (\d+) /gm)].map(([, code, status]) => `${code} ${status}`);
  expect(rows.toSorted()).toEqual(
    Object.entries(errors)
      .map(([code, { status }]) => `${code} ${status}`)
      .toSorted(),
  );
});
