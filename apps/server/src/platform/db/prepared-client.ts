import { Client, type QueryConfig } from "pg";

/** More than the service has. Limits the memory of every connection, as texts with lists of varying length are all different. */
const MAX_STATEMENTS = 500;

const names = new Map<string, string>();

/**
 * A connection that uses prepared statements for SELECTs: for a short one, planning costs the database as much as execution. Those
 * with `*` are excluded, because a newer server may migrate while this one runs, and PostgreSQL rejects a prepared statement after a
 * column was added ("cached plan must not change result type").
 */
export class PreparedClient extends Client {
  override query = ((text: unknown, values?: unknown, ...more: []): unknown => {
    const name = typeof text === "string" && Array.isArray(values) ? nameOf(text) : undefined;
    return name === undefined
      ? super.query(text as string, values as unknown[], ...more)
      : super.query({ name, text, values } as QueryConfig, ...more);
  }) as Client["query"];
}

/** The name of the prepared statement, the same on every connection; undefined for queries that are not prepared. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_STATEMENTS || !/^select\b/i.test(text) || /(?:\.|^select )\*/i.test(text)) return undefined;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
