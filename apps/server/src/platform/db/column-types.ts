import { types, type CustomTypesConfig } from "pg";

const INT8 = 20;
const DATE = 1082;

/**
 * What columns arrive as: `bigint` (and so `count(*)`) as a number, `timestamptz` as a Date, `date` as the text "2026-03-02",
 * `numeric` as text.
 */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") => {
    if (oid === INT8) return parseInt8;
    // A date has no time zone; the driver would make it midnight of this machine's.
    if (oid === DATE) return String;
    return types.getTypeParser(oid, format);
  },
};

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number`);
  return value;
}
