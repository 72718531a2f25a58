import { Client, type QueryConfig } from "pg";
import { isStalePlan, isUnanswered } from "./database-errors.ts";

/** More than the service has. Limits the memory of every connection, as texts with lists of varying length are all different. */
const MAX_STATEMENTS = 500;

/**
 * A connection that uses prepared statements for SELECTs: for a short one, planning costs the database as much as execution. Those
 * with `*` are excluded, because a newer server may migrate while this one runs, and PostgreSQL rejects a prepared statement after a
 * column was added ("cached plan must not change result type"). It also does so when a column has changed its type; then everything is
 * prepared again. A connection on which no answer came in time (`query_timeout`) is closed.
 */
export class PreparedClient extends Client {
  /** Part of the names of statements, so that a new number makes all of them new. */
  #generation = 0;
  /** Of the statements that this connection has prepared, by their texts. */
  readonly #names = new Map<string, string>();

  override query = ((text: unknown, values?: unknown, ...more: []): unknown => {
    const name = typeof text === "string" && Array.isArray(values) ? this.#nameOf(text) : undefined;
    const generation = this.#generation;
    const run = (): unknown =>
      name === undefined
        ? super.query(text as string, values as unknown[], ...more)
        : super.query({ name: `${name}_${this.#generation}`, text, values } as QueryConfig);
    const result = run();
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      if (isUnanswered(error)) this.end().catch(() => undefined);
      if (!isStalePlan(error)) throw error;
      if (this.#generation === generation) this.#generation++;
      // In a transaction nothing can be asked again, and the first error is the one to report.
      return (run() as Promise<unknown>).catch(() => {
        throw error;
      });
    });
  }) as Client["query"];

  /** The name of the prepared statement; undefined for queries that are not prepared. */
  #nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_STATEMENTS || !/^\s*select\b/i.test(text) || /(?:\.|^select )\*/i.test(text))
      return undefined;
    const name = `s${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }
}
