/** The kinds of files with people and groups, which are recognized by the end of their names. */
export const importKinds = ["csv", "xls", "xlsx"] as const;
export type ImportKind = (typeof importKinds)[number];

/** The kind of a file by its name; undefined for any other. */
export function importKindOf(fileName: string): ImportKind | undefined {
  const end = /\.([a-z]+)$/i.exec(fileName.trim())?.[1]?.toLowerCase();
  return importKinds.find((kind) => kind === end);
}

export const importTypes = {
  csv: "text/csv",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
} as const satisfies Record<ImportKind, string>;

/** Why a line was not imported. */
export const importRefusals = [
  "EMAIL_MISSING",
  "EMAIL_INVALID",
  "GROUP_MISSING",
  "GROUP_NAME_INVALID",
  "USER_NOT_FOUND",
  "GROUP_NOT_FOUND",
  "TOO_MANY_GROUPS",
] as const;
export type ImportRefusal = (typeof importRefusals)[number];

/** A line that was not imported. `line` is its number in the file, from 1, as spreadsheets count. */
export interface RefusedLine {
  line: number;
  email: string;
  group: string;
  reason: ImportRefusal;
}

/** What an import did; or what it would do, if it was only tried. */
export interface ImportResult {
  /** Lines with anything in them, without the one that names the columns. */
  total: number;
  added: number;
  /** Lines whose person was in the group already, or that say what an earlier one says. */
  unchanged: number;
  failed: number;
  /** The groups that get people. */
  groups: { name: string; added: number; is_new: boolean }[];
  /** The first lines that failed; the report has all. */
  failures: RefusedLine[];
  /** The sheet that was read, and how many others the file has. */
  sheet: { name: string; others: number } | null;
  /** The report of all lines, in the format of the file that was sent. */
  report: { name: string; type: string; base64: string };
}

/** A line of the reply with `report=lines`: how far the import is, then its result. */
export type ImportEvent = { done: number; total: number } | { result: ImportResult };
