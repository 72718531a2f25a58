import { errors } from "@terrarium/contract";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { sectionsOf } from "./docs-plugin.ts";
import { docPages } from "./src/features/docs/doc-pages.ts";
import type { DocSection } from "./src/features/docs/doc-section.ts";

const root = join(import.meta.dirname, "../..");
const pages = new Map<string, DocSection[]>();

beforeAll(async () => {
  const files = [
    "README.md",
    ...(await readdir(join(root, "docs"))).filter((file) => file.endsWith(".md")).map((file) => `docs/${file}`),
  ];
  for (const file of files)
    pages.set(/(\w+)\.md$/.exec(file)![1]!.toLowerCase(), sectionsOf(await readFile(join(root, file), "utf8")));
});

describe("the documentation", () => {
  it("has a page for every file, and one that the service's own document makes", () =>
    expect(docPages.map(({ name }) => name).toSorted()).toEqual([...pages.keys(), "api"].toSorted()));

  it("has links that lead to what is there, and anchors that are there once", () => {
    const anchors = new Map<string, string[]>();
    for (const [name, sections] of pages) {
      const coded = sections.flatMap(({ html }) => Array.from(html.matchAll(/ id="(\w+)"/g), ([, id = ""]) => id));
      anchors.set(name, [...sections.map(({ id }) => id), ...coded]);
    }
    for (const [name, ids] of anchors) expect([name, ids]).toEqual([name, [...new Set(ids)]]);
    const broken = [...pages].flatMap(([name, sections]) =>
      sections
        .flatMap(({ html }) => Array.from(html.matchAll(/href="([^"]*)"/g), ([, href = ""]) => href))
        .filter((href) => {
          const [, page = name, anchor] = /^(?:\/docs\/(\w+))?(?:#(.*))?$/.exec(href) ?? [];
          if (/^https?:/.test(href)) return false;
          if (page === "api") return false;
          return !anchors.has(page) || (anchor !== undefined && !anchors.get(page)?.includes(anchor));
        })
        .map((href) => `${name}: ${href}`),
    );
    expect(broken).toEqual([]);
  });

  it("gives each error code an address", () => {
    const html = pages
      .get("errors")
      ?.map((section) => section.html)
      .join("");
    for (const code of Object.keys(errors)) expect(html).toContain(`<code id="${code}">`);
  });
});

it("makes sections of headings, with nothing of the source that a reader cannot follow", () => {
  const text =
    "# A `b`\n<!-- x -->\n[in](OPERATIONS.md#tls) [out](https://x.test/?a&b) [none](../deploy/x) ![y](z.png) ![a b](images/device.webp)\n\n## C: d_e\n`<i>`\n";
  expect(sectionsOf(text)).toEqual([
    {
      id: "a-b",
      title: "A b",
      level: 1,
      html: '<p><a href="/docs/operations#tls">in</a> <a href="https://x.test/?a&amp;b" target="_blank" rel="noreferrer">out</a> none  <img src="image:images/device.webp" width="1280" height="760" alt="a b" fetchpriority="high"></p>\n',
    },
    { id: "c-d_e", title: "C: d_e", level: 2, html: "<p><code>&lt;i&gt;</code></p>\n" },
  ]);
});
