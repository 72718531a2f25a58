import { type Arch, architectures } from "@terrarium/contract";

/** Where a catalogue's things come from: the product, or people. */
export const catalogueSources = ["all", "official", "custom"] as const;
export type CatalogueSource = (typeof catalogueSources)[number];

/** What an address says of a catalogue: `?search=pixel&arch=arm64&page=2#official`. */
export interface CatalogueAddress {
  source: CatalogueSource;
  search: string;
  arch: Arch | "all";
  /** Counts from 1. */
  page: number;
}

/** Reads an address. What nobody could have chosen counts as not said. */
export function readCatalogueAddress({ search, hash }: { search: string; hash: string }): CatalogueAddress {
  const query = new URLSearchParams(search);
  const page = Number(query.get("page") ?? 1);
  return {
    source: catalogueSources.find((source) => hash === `#${source}`) ?? "all",
    search: (query.get("search") ?? "").trim(),
    arch: architectures.find((arch) => arch === query.get("arch")) ?? "all",
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The address after a change. Any change but that of the page leads to the first page. */
export function writeCatalogueAddress(
  now: { search: string; hash: string },
  { source, ...change }: Partial<CatalogueAddress>,
): { search: string; hash: string } {
  const query = new URLSearchParams(now.search);
  const usual: Record<string, string> = { search: "", arch: "all", page: "1" };
  for (const [name, value] of Object.entries({ page: 1, ...change })) {
    if (String(value) === usual[name]) query.delete(name);
    else query.set(name, String(value));
  }
  const search = query.toString();
  return { search: search && `?${search}`, hash: source ? `#${source}` : now.hash };
}
