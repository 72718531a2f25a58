import { Marked } from "marked";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import type { DocSection } from "./src/features/docs/doc-section.ts";

const DOC = /\/(?:docs\/[A-Z]+|README)\.md$/;

const docsFolder = fileURLToPath(new URL("../../docs", import.meta.url));
/** Stands for the address of a picture until the build knows it. */
const IMAGE = /image:(images\/[a-z-]+\.webp)/g;
const nameOf = (file: string) => file.replaceAll(/\W/g, "_");

/** Makes modules of the pages in docs/ and of the README, so that browsers need no library for them. */
export const docs = (): Plugin => ({
  name: "docs",
  enforce: "pre",
  transform(markdown, id) {
    if (!DOC.test(id)) return undefined;
    const text = JSON.stringify(sectionsOf(markdown));
    const images = new Set(Array.from(text.matchAll(IMAGE), ([, file]) => file));
    const imports = Array.from(images, (file) => `import ${nameOf(file!)} from "${docsFolder}/${file}";\n`).join("");
    const code = text.replaceAll(IMAGE, (_, file: string) => `" + ${nameOf(file)} + "`);
    return { code: `${imports}export const sections = ${code};`, moduleType: "js", map: null };
  },
});

const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const LAZY = ' loading="lazy"';
/** Sections of a page that a phone shows at least a part of. */
const SEEN_FIRST = 2;

/** Of a WebP with a colour profile, so that nothing moves when it arrives: its header has the width and height, less one. */
function sizeOf(file: string): string {
  const header = readFileSync(join(docsFolder, file));
  return `width="${header.readUIntLE(24, 3) + 1}" height="${header.readUIntLE(27, 3) + 1}"`;
}

const marked = new Marked({
  renderer: {
    // Comments for generators.
    html: () => "",
    image({ href, text }) {
      const [, file] = /^(?:docs\/)?(images\/[a-z-]+\.webp)$/.exec(href) ?? [];
      return file ? `<img src="image:${file}" ${sizeOf(file)} alt="${escape(text)}"${LAZY}>` : "";
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const to = addressOf(href);
      if (to === undefined) return text;
      const outside = to.startsWith("http") ? ' target="_blank" rel="noreferrer"' : "";
      return `<a href="${escape(to)}"${outside}>${text}</a>`;
    },
  },
});

/** Where a link of a page leads in the app; undefined for other files of the source. */
function addressOf(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href;
  const [, page, anchor = ""] = /^(?:\.\.\/|docs\/)?(?<page>[A-Z]+)\.md(?<anchor>#.*)?$/.exec(href) ?? [];
  if (page) return unread.has(page) ? undefined : `/docs/${page.toLowerCase()}${anchor}`;
  return /(^|\/)openapi\.json$/.test(href) ? "/docs/api" : undefined;
}
/** For those who change the source, not for those who use the product. */
const unread = new Set(["CONTRIBUTING", "SECURITY"]);

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** The parts of a page, from one heading to the next. */
export function sectionsOf(markdown: string): DocSection[] {
  const parts: { title: string; level: number; tokens: ReturnType<typeof marked.lexer> }[] = [];
  for (const token of marked.lexer(markdown)) {
    if (token.type === "heading" && token["depth"] <= 3)
      parts.push({
        title: String(token["text"]).replaceAll(/[`*]/g, ""),
        level: token["depth"],
        tokens: [] as unknown as ReturnType<typeof marked.lexer>,
      });
    else parts.at(-1)?.tokens.push(token);
  }
  return parts.map(({ title, level, tokens }, index) => ({
    id: anchorOf(title),
    title,
    level,
    html: marked
      .parser(tokens)
      // What is seen first comes before the app's scripts, which would take its room on a thin line.
      .replaceAll(LAZY, index < SEEN_FIRST ? ' fetchpriority="high"' : LAZY)
      // What is wider than the page is scrolled, by keyboard too.
      .replaceAll("<table>", `<div class="wide" tabindex="0" role="group" aria-label="${escape(title)}"><table>`)
      .replaceAll("</table>", "</table></div>")
      .replaceAll("<pre>", '<pre tabindex="0">')
      // An error code or a variable has an address of its own.
      .replaceAll(/<tr>\n<td><code>([A-Z][A-Z0-9_]+|invalid_request)<\/code>/g, '<tr>\n<td><code id="$1">$1</code>'),
  }));
}
