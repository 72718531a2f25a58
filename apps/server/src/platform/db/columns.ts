import type { ColumnType } from "kysely";

/** A `timestamptz`, as a Date. */
export type Time = ColumnType<Date, Date, Date>;
export type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;
/** A column with a default, which inserts may omit. */
export type WithDefault<Value> = ColumnType<Value, Value | undefined, Value>;
