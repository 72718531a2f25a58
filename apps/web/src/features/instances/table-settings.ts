import { launchpadPageSizes } from "@terrarium/contract";
import { createPreference } from "../../components/preferences.ts";
import { type ColumnId, columnIds, defaultColumns } from "./column-ids.ts";

export interface TableSettings {
  columns: ColumnId[];
  /** Managers: all of the organisation's devices rather than one's own. */
  organizationWide: boolean;
}

const isColumnId = (id: unknown): id is ColumnId => columnIds.some((known) => known === id);

export const tableSettings = createPreference<TableSettings>({
  name: "active-devices-table",
  version: 1,
  byDefault: { columns: [...defaultColumns], organizationWide: true },
  accepts: (value): value is TableSettings => {
    const { columns, organizationWide } = (value ?? {}) as Partial<Record<keyof TableSettings, unknown>>;
    return typeof organizationWide === "boolean" && Array.isArray(columns) && columns.every(isColumnId);
  },
});

export const pageSizePreference = createPreference<number>({
  name: "active-devices-pagination",
  version: 1,
  byDefault: 10,
  accepts: (value): value is number => launchpadPageSizes.some((size) => size === value),
});
