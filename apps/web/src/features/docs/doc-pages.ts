import { fetchCode } from "../../components/fetch-code.ts";
import type { DocSection } from "./doc-section.ts";

type Load = () => Promise<{ sections: readonly DocSection[] }>;

/** The pages of the documentation, each a file of its own that is fetched when it is read. */
export const docPages = [
  { name: "start", group: "use", load: (() => import("../../../../../docs/START.md")) as Load },
  { name: "cli", group: "use", load: (() => import("../../../../../docs/CLI.md")) as Load },
  { name: "automation", group: "use", load: (() => import("../../../../../docs/AUTOMATION.md")) as Load },
  { name: "compatibility", group: "use", load: (() => import("../../../../../docs/COMPATIBILITY.md")) as Load },
  { name: "sdk", group: "use", load: (() => import("../../../../../docs/SDK.md")) as Load },
  { name: "embedding", group: "use", load: (() => import("../../../../../docs/EMBEDDING.md")) as Load },
  { name: "scenarios", group: "use", load: (() => import("../../../../../docs/SCENARIOS.md")) as Load },
  { name: "gadgets", group: "use", load: (() => import("../../../../../docs/GADGETS.md")) as Load },
  {
    name: "api",
    group: "use",
    load: (async () => (await import("./api/api-document.ts")).loadApiSections()) as Load,
  },
  { name: "changes", group: "use", load: (() => import("../../../../../docs/CHANGES.md")) as Load },
  { name: "errors", group: "use", load: (() => import("../../../../../docs/ERRORS.md")) as Load },
  { name: "webhooks", group: "manage", load: (() => import("../../../../../docs/WEBHOOKS.md")) as Load },
  { name: "provisioning", group: "manage", load: (() => import("../../../../../docs/PROVISIONING.md")) as Load },
  { name: "readme", group: "run", load: (() => import("../../../../../README.md")) as Load },
  { name: "operations", group: "run", load: (() => import("../../../../../docs/OPERATIONS.md")) as Load },
  { name: "runtimes", group: "run", load: (() => import("../../../../../docs/RUNTIMES.md")) as Load },
  { name: "fleet", group: "run", load: (() => import("../../../../../docs/FLEET.md")) as Load },
  { name: "architecture", group: "run", load: (() => import("../../../../../docs/ARCHITECTURE.md")) as Load },
] as const;
export type DocPage = (typeof docPages)[number];

/** Those that are files; the other one is made from what the service answers. */
export const writtenPages = docPages.filter(({ name }) => name !== "api");

/** The page at an address. */
export const pageOf = (name = "start"): DocPage | undefined => docPages.find((page) => page.name === name);

/** The address of a page; the first one is that of the documentation. */
export const docPath = ({ name }: Pick<DocPage, "name">): string => (name === "start" ? "/docs" : `/docs/${name}`);

export const docPage = ({ name, load }: DocPage) => ({
  queryKey: ["docs", name] as const,
  queryFn: async () => (await fetchCode(load)).sections,
  staleTime: Number.POSITIVE_INFINITY,
});

/** A section as it is searched. */
interface Searched extends Pick<DocSection, "id" | "title"> {
  page: DocPage;
  /** Its words, without markup. */
  text: string;
}

/** All pages, for somebody who searches. */
export const wholeDocs = {
  queryKey: ["docs"] as const,
  queryFn: async (): Promise<Searched[]> => {
    const pages = await Promise.all(
      docPages.map(async (page) => ({ page, ...(await fetchCode<Awaited<ReturnType<Load>>>(page.load)) })),
    );
    return pages.flatMap(({ page, sections }) =>
      sections.map(({ id, title, html }) => ({ id, title, page, text: textOf(html) })),
    );
  },
  staleTime: Number.POSITIVE_INFINITY,
};

const textOf = (html: string): string =>
  (new DOMParser().parseFromString(html.replaceAll("</t", " </t"), "text/html").body.textContent ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();

const SHOWN = 40;
const AROUND = 70;

/** The sections that have all of the words, those with one in their heading first, with what stands around the first word. */
export function searchDocs(sections: readonly Searched[], search: string) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = sections.flatMap((section) => {
    const [title, text] = [section.title.toLowerCase(), section.text.toLowerCase()];
    if (!words.every((word) => title.includes(word) || text.includes(word))) return [];
    const at = Math.max(0, text.indexOf(words[0] ?? "") - AROUND);
    const around = section.text.slice(at, at + 2 * AROUND);
    return [
      {
        ...section,
        rank: words.some((word) => title.includes(word)) ? 0 : 1,
        around: `${at > 0 ? "…" : ""}${around}${at + 2 * AROUND < section.text.length ? "…" : ""}`,
      },
    ];
  });
  return { count: found.length, first: found.toSorted((one, other) => one.rank - other.rank).slice(0, SHOWN) };
}
