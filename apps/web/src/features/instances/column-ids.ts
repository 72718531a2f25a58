/** Every column of the devices' table, in its order. */
export const columnIds = [
  "name",
  "state",
  "uuid",
  "recipeName",
  "recipeUuid",
  "owner",
  "updatedAt",
  "VDTimeout",
  "globalTimeout",
  "createdAt",
  "androidVersion",
  "apiLevel",
  "deviceType",
  "width",
  "height",
  "dpi",
  "gpu",
  "vCPUs",
  "architecture",
  "ram",
  "diskSize",
  "provider",
  "genymotionVersion",
  "actions",
] as const;
export type ColumnId = (typeof columnIds)[number];

/** Always shown. */
export const lockedColumns: readonly ColumnId[] = ["name", "state", "uuid", "recipeName", "actions"];
export const defaultColumns: readonly ColumnId[] = [
  "name",
  "state",
  "uuid",
  "owner",
  "recipeName",
  "updatedAt",
  "actions",
];

/** The field by which the service sorts; no other column sorts. */
const sortFields = {
  name: "name",
  state: "state",
  owner: "owner",
  updatedAt: "updated_at",
  createdAt: "created_at",
} as const satisfies Partial<Record<ColumnId, string>>;

export const isSortable = (id: string): id is keyof typeof sortFields => Object.hasOwn(sortFields, id);

/** `-updated_at`: what the service is asked for. */
export const orderingOf = ({ id, desc }: { id: string; desc: boolean }): string =>
  (desc ? "-" : "") + (isSortable(id) ? sortFields[id] : sortFields.updatedAt);

/** A column is so many twentieths of the table wide. */
export const columnWidth = (flexWidth: number): string => `${flexWidth * 5}%`;

/** The columns to show, in their fixed order; the locked ones always. */
export const shownColumns = (chosen: readonly ColumnId[]): ColumnId[] =>
  columnIds.filter((id) => lockedColumns.includes(id) || chosen.includes(id));
