import { type RawBuilder, type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import type { Rows, Window } from "../http/pages.ts";
import { columnTypes } from "./column-types.ts";
import { isCancelled, isUnavailable } from "./database-errors.ts";
import type { Reads } from "./reads.ts";
import { fieldsOf } from "./row-text.ts";

/** How many lists one query reads; further ones are sent on another connection. */
const MAX_TOGETHER = 16;

/** What a list selects. Its values are `given.v1`, `given.v2` ..., as text: `owner_uuid = given.v1::uuid`. */
export interface ListStatement {
  /** Columns by their names: `{ owner_email: "owner.email" }`. */
  columns: Readonly<Record<string, string>>;
  /** The column that identifies a row. */
  key: string;
  /** The tables that `columns` needs: `plants JOIN beds ON ...`. */
  shown: string;
  /** The tables that `where` and `orderBy` need; the fewer, the less is read of rows on other pages. */
  found: string;
  where: string;
  orderBy: string;
}

/** A row as it was read. Rows with the same text are the same in every column. */
export interface ListedRow<Row> {
  text: string;
  /** The columns as their JavaScript types, see `columnTypes`. Each use parses the text. */
  row: Row;
}

type Value = string | number | null;
type Parser = (text: string) => unknown;
interface Line {
  n: number;
  count: number;
  /** Null in the only row of a page that is empty. */
  text: string | null;
}

/** A list as it was read, and the page that all who have asked for it share. */
interface ReadList {
  lines: Line[];
  page?: Rows<ListedRow<unknown>>;
}

interface Batch {
  given: Value[][];
  /** Where in `given` values are, by their JSON: lists with the same values are read once. */
  places: Map<string, number>;
  reading: Promise<Map<number, ReadList>>;
  /** After the batch has failed: of each place, for all who have asked for it. */
  retries: Map<number, Promise<ReadList>>;
}

/**
 * Reads pages of lists with the least work: lists that are read at once by the same statement are one query, those with the same values
 * one list, and a row arrives as one text that need not be parsed by those who remember what it was presented as (`Presented`).
 */
export class Lists {
  readonly #reads: Pick<Reads, "query">;
  readonly #open = new Map<string, Batch>();
  readonly #parsers = new Map<ListStatement["columns"], Promise<Record<string, Parser>>>();
  readonly #texts = new WeakMap<ListStatement, string>();

  constructor(reads: Pick<Reads, "query">) {
    this.#reads = reads;
  }

  /** One page, with the number of rows on all pages. The SQL of a statement is written once: give the same object for the same list. */
  async read<Row>(statement: ListStatement, values: Value[], { limit, offset }: Window): Promise<Rows<ListedRow<Row>>> {
    const parsers = await this.#parsersOf(statement, values.length + 2);
    let text = this.#texts.get(statement);
    if (text === undefined) this.#texts.set(statement, (text = queryOf(statement, values.length)));
    const list = await this.#list(text, [...values, limit, offset]);
    return (list.page ??= pageFrom(list.lines, parsers)) as Rows<ListedRow<Row>>;
  }

  /** What a statement finds for the given values. */
  async #list(text: string, values: Value[]): Promise<ReadList> {
    const { given, places, reading, retries } = this.#join(text, values.length);
    const key = JSON.stringify(values);
    const n = places.get(key) ?? given.push(values);
    places.set(key, n);
    try {
      return (await reading).get(n) ?? { lines: [] };
    } catch (error) {
      // A list that fails must not fail those it was sent with. One that took too long would again, and the database is busy enough.
      if (given.length === 1 || isUnavailable(error) || isCancelled(error)) throw error;
      const retry = retries.get(n) ?? this.#alone(text, values);
      retries.set(n, retry);
      return retry;
    }
  }

  async #alone(text: string, values: Value[]): Promise<ReadList> {
    return (await this.#query(text, values.length, () => [values])).get(1) ?? { lines: [] };
  }

  /** The batch that is sent next; lists join it until then. */
  #join(text: string, width: number): Batch {
    const open = this.#open.get(text);
    if (open && open.given.length < MAX_TOGETHER) return open;
    const given: Value[][] = [];
    const close = () => {
      if (this.#open.get(text) === batch) this.#open.delete(text);
    };
    const reading = this.#query(text, width, () => {
      close();
      return given;
    });
    reading.catch(close);
    const batch: Batch = { given, places: new Map(), reading, retries: new Map() };
    this.#open.set(text, batch);
    return batch;
  }

  async #query(text: string, width: number, given: () => Value[][]): Promise<Map<number, ReadList>> {
    const lines = await this.#reads.query<Line>(text, () => {
      const lists = given();
      return numbers(width).map((n) => lists.map((values) => values[n - 1]));
    });
    return new Map(
      Array.from(
        Map.groupBy(lines, ({ n }) => n),
        ([n, each]) => [n, { lines: each }],
      ),
    );
  }

  /** The database is asked once for the types of a list's columns. */
  #parsersOf({ columns, shown }: ListStatement, width: number): Promise<Record<string, Parser>> {
    let parsers = this.#parsers.get(columns);
    if (!parsers) {
      const names = Object.keys(columns);
      const none = numbers(width).map((n) => `NULL::text AS v${n}`);
      parsers = this.#reads
        .query<Record<string, number>>(
          `SELECT ${names.map((name) => `pg_typeof(list.${name})::oid::bigint AS ${name}`).join(", ")}
            FROM (SELECT ${none.join(", ")}) AS given LEFT JOIN LATERAL (SELECT ${selected(columns)} FROM ${shown}) AS list ON true LIMIT 1`,
          [],
        )
        .then(([types = {}]) =>
          Object.fromEntries(
            names.map((name) => [name, columnTypes.getTypeParser(types[name] ?? 0, "text") as Parser]),
          ),
        );
      this.#parsers.set(columns, parsers);
      parsers.catch(() => this.#parsers.delete(columns));
    }
    return parsers;
  }
}

function pageFrom(lines: Line[], parsers: Record<string, Parser>): Rows<ListedRow<unknown>> {
  const results = lines.flatMap(({ text }) =>
    text === null
      ? []
      : {
          text,
          get row() {
            return parse(text, parsers);
          },
        },
  );
  return { count: lines[0]?.count ?? 0, results };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

const selected = (columns: ListStatement["columns"]): string =>
  Object.entries(columns)
    .map(([name, column]) => `${column} AS ${name}`)
    .join(", ");

/** Reads a page for each of several lists of values. */
function queryOf(statement: ListStatement, width: number): string {
  const each = numbers(width + 2);
  return `SELECT given.n::int AS n, list.count, list.text FROM unnest(${each.map((n) => `$${n}::text[]`).join(", ")})
    WITH ORDINALITY AS given(${each.map((n) => `v${n}, `).join("")}n) CROSS JOIN LATERAL (${pageOf(statement, width)}) AS list`;
}

/** The keys of the page come first: what only `columns` need is not read for rows of other pages. */
const pageOf = ({ columns, key, shown, found, where, orderBy }: ListStatement, width: number): string =>
  `SELECT counted.count, page.text FROM (SELECT count(*) AS count FROM ${found} WHERE ${where}) AS counted
    LEFT JOIN LATERAL (SELECT keys.at, ROW(${Object.values(columns).join(", ")})::text AS text
      FROM ${shown} JOIN unnest(ARRAY(SELECT ${key} FROM ${found} WHERE ${where} ORDER BY ${orderBy}
        LIMIT given.v${width + 1}::int OFFSET given.v${width + 2}::bigint)) WITH ORDINALITY AS keys(key, at)
        ON ${key} = keys.key) AS page ON true ORDER BY page.at`;

export interface Listing<Schema, Table extends keyof Schema, Row> {
  /** The rows of all pages. */
  found: SelectQueryBuilder<Schema, Table, object>;
  /** What is read of each row of the page, whichever rows these are. */
  shown: SelectQueryBuilder<Schema, Table, Row>;
  /** The column that identifies a row, as `plants.name`. */
  key: string;
  orderBy: RawBuilder<unknown>;
}

/** As `Lists.read`, for what is read too rarely, or differs too much between readers, to be read together. */
export async function readPage<Schema, Table extends keyof Schema, Row>(
  { found, shown, key, orderBy }: Listing<Schema, Table, Row>,
  { limit, offset }: Window,
): Promise<Rows<Row>> {
  const keys = found.select(sql.ref(key).as("key")).orderBy(orderBy).limit(limit).offset(offset);
  const results = await shown
    .where(sql<SqlBool>`${sql.ref(key)} IN ${keys}`)
    .orderBy(orderBy)
    .execute();
  const counted = await found.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { count: (counted as { count: number }).count, results };
}

function parse(text: string, parsers: Record<string, Parser>): Record<string, unknown> {
  const fields = fieldsOf(text);
  return Object.fromEntries(
    Object.entries(parsers).map(([name, parser], index) => {
      const field = fields[index] ?? null;
      return [name, field === null ? null : parser(field)];
    }),
  );
}
