/** What an address says of a list: `?page=2&ordering=name&search=pixel&whose=mine`. */
export interface ListAddress {
  page: number;
  ordering: string;
  search: string;
  filters: Readonly<Record<string, string>>;
}

interface Declared {
  ordering: string;
  columns: readonly { sortBy?: string }[];
  filters?: readonly { id: string; choices: readonly { value: string }[] }[];
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
    filters: Object.fromEntries(
      filters.map(({ id, choices }) => {
        const said = [address.get(id), remembered[id], choices[0]?.value];
        return [id, said.find((value) => choices.some((choice) => choice.value === value)) ?? ""];
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
    ...usualFilters(list.filters),
  };
  for (const [name, value] of Object.entries({ page: 1, ...change, ...filters })) {
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
