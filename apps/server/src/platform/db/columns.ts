import type { ColumnType } from "kysely";

/** A time, written and read as a Date. */
export type Time = ColumnType<Date, Date, Date>;
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** A column that the database fills when an insert leaves it out. */
export type WithDefault<Value> = ColumnType<Value, Value | undefined, Value>;
