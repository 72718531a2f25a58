import { createPreference, type Preference } from "../preferences.ts";

/** What a person chose of a list. */
export interface ListSettings {
  /** Columns that can be hidden and are shown. */
  columns: string[];
  /** Values of remembered filters. */
  filters: Record<string, string>;
}

interface Declared {
  key: string;
  columns: readonly { id: string; shown?: "always" | "first" }[];
  filters?: readonly { id: string; choices: readonly { value: string }[]; isRemembered?: boolean }[];
  pageSizes: readonly number[];
  pageSize: number;
}

/** The columns to begin with. */
export const firstColumns = ({ columns }: Pick<Declared, "columns">): string[] =>
  columns.filter(({ shown }) => shown !== undefined).map(({ id }) => id);

/** The columns to show, in their own order; those that cannot be hidden always. */
export const shownColumns = <Column extends Declared["columns"][number]>(
  columns: readonly Column[],
  chosen: readonly string[],
): Column[] => columns.filter(({ id, shown }) => shown === "always" || chosen.includes(id));

export const settingsOf = (list: Declared): Preference<ListSettings> =>
  createPreference<ListSettings>({
    name: `${list.key}-table`,
    version: 2,
    byDefault: { columns: firstColumns(list), filters: {} },
    accepts: (value): value is ListSettings => {
      const { columns, filters } = (value ?? {}) as Partial<Record<keyof ListSettings, unknown>>;
      const areColumns = Array.isArray(columns) && columns.every((id) => list.columns.some((known) => known.id === id));
      return areColumns && typeof filters === "object" && filters !== null;
    },
  });

export const pageSizeOf = ({ key, pageSizes, pageSize }: Declared): Preference<number> =>
  createPreference<number>({
    name: `${key}-pagination`,
    version: 1,
    byDefault: pageSize,
    accepts: (value): value is number => pageSizes.some((size) => size === value),
  });
