import { types, type CustomTypesConfig } from "pg";

const INT8 = 20;
const DATE = 1082;

/**
 * The JavaScript types of columns: `bigint` (and so `count(*)`) is a number, `timestamptz` a Date, `date` text like "2026-03-02", and
 * `numeric` text. A `bigint` beyond the safe integers throws a RangeError.
 */
export const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") => {
    if (oid === INT8) return parseInt8;
    // A date has no time zone, but the driver would convert it to midnight in the local one.
    if (oid === DATE) return String;
    return types.getTypeParser(oid, format);
  },
};

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`);
  return value;
}
