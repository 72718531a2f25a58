import { Client, type QueryConfig } from "pg";

/** More texts than the service has; lists of changing length in a text must not fill every connection's memory. */
const MAX_STATEMENTS = 500;

const names = new Map<string, string>();

/**
 * A connection that keeps its SELECTs prepared: for a short one, planning costs the database as much as running it.
 * Those that take `*` of a table are left out, because PostgreSQL refuses a kept plan once the table has got a column
 * ("cached plan must not change result type"), and a newer server may migrate while this one runs.
 */
export class PreparedClient extends Client {
  override query = ((text: unknown, values?: unknown, ...more: []): unknown => {
    const name = typeof text === "string" && Array.isArray(values) ? nameOf(text) : undefined;
    return name === undefined
      ? super.query(text as string, values as unknown[], ...more)
      : super.query({ name, text, values } as QueryConfig, ...more);
  }) as Client["query"];
}

/** The name is the same on every connection. */
function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_STATEMENTS || !/^select\b/i.test(text) || /(?:\.|^select )\*/i.test(text)) return undefined;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
