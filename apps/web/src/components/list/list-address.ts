/** What an address says of a list: `?page=2&ordering=name&search=pixel&whose=mine`. */
export interface ListAddress {
  page: number;
  ordering: string;
  search: string;
  /** The key of the page, in lists whose pages follow keys; empty for the first. */
  before: string;
  filters: Readonly<Record<string, string>>;
}

interface Declared {
  ordering: string;
  columns: readonly { sortBy?: string }[];
  filters?: readonly {
    id: string;
    choices: readonly { value: string }[];
    free?: { accepts: (value: string) => boolean };
  }[];
}

/** What filters are when the address says nothing of them. */
export const usualFilters = (filters: Declared["filters"] = []): Record<string, string> =>
  Object.fromEntries(filters.map(({ id, choices }) => [id, choices[0]?.value ?? ""]));

const fieldOf = (ordering: string): string => ordering.replace(/^-/, "");

/** Reads an address. What nobody could have chosen counts as not said; `remembered` fills in for filters that are not there. */
export function readAddress(
  address: URLSearchParams,
  { ordering, columns, filters = [] }: Declared,
  remembered: Readonly<Record<string, string>> = {},
): ListAddress {
  const page = Number(address.get("page") ?? 1);
  const asked = address.get("ordering") ?? ordering;
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    ordering: columns.some(({ sortBy }) => sortBy === fieldOf(asked)) ? asked : ordering,
    search: (address.get("search") ?? "").trim(),
    before: /^[1-9]\d{0,14}$/.exec(address.get("before") ?? "")?.[0] ?? "",
    filters: Object.fromEntries(
      filters.map(({ id, choices, free }) => {
        const said = [address.get(id) ?? undefined, remembered[id], choices[0]?.value];
        const isOne = (value = "") => choices.some((choice) => choice.value === value) || free?.accepts(value);
        return [id, said.find(isOne) ?? ""];
      }),
    ),
  };
}

/** The address after a change. Any change but that of the page leads to the first page; what is as usual is left out. */
export function writeAddress(
  address: URLSearchParams,
  list: Declared,
  { filters, ...change }: Partial<ListAddress>,
): URLSearchParams {
  const next = new URLSearchParams(address);
  const usual: Record<string, string> = {
    page: "1",
    ordering: list.ordering,
    search: "",
    before: "",
    ...usualFilters(list.filters),
  };
  for (const [name, value] of Object.entries({ page: 1, before: "", ...change, ...filters })) {
    if (String(value) === usual[name]) next.delete(name);
    else next.set(name, String(value));
  }
  return next;
}

/** By which field it is sorted after a press on a head: the other way round, or as the column begins. */
export const nextOrdering = (
  ordering: string,
  { sortBy, isNewestFirst = false }: { sortBy: string; isNewestFirst?: boolean | undefined },
): string => {
  if (fieldOf(ordering) === sortBy) return ordering === sortBy ? `-${sortBy}` : sortBy;
  return isNewestFirst ? `-${sortBy}` : sortBy;
};
