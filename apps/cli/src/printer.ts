import { stripVTControlCharacters, styleText } from "node:util";
import { type ExitCodeName, exitCodes, type Failure } from "./failures.ts";
import type { Terminal } from "./terminal.ts";

export const formats = ["text", "json", "compactjson"] as const;
export type Format = (typeof formats)[number];

/** A column of a table: its head, and what it shows of a row. */
export type Column<Row> = readonly [head: string, show: (row: Row) => string | number | boolean | null | undefined];

/** How a kind of thing is printed: its name in JSON, for one and for several, and its columns as text. */
export interface Noun<Row> {
  one: string;
  many: string;
  columns: readonly Column<Row>[];
}

/** Writes results to standard output and everything else to standard error. */
export class Printer {
  readonly #terminal: Terminal;
  readonly format: Format;

  constructor(terminal: Terminal, format: Format) {
    this.#terminal = terminal;
    this.format = format;
  }

  get isText(): boolean {
    return this.format === "text";
  }

  /** Rows: a table as text. */
  list<Row>({ many, columns }: Noun<Row>, rows: readonly Row[]): void {
    if (!this.isText) return this.#json({ [many]: rows });
    const cells = rows.map((row) => columns.map(([, show]) => printable(show(row))));
    const widths = columns.map(([head], at) => Math.max(head.length, ...cells.map((row) => row[at]!.length)));
    const line = (words: string[]) =>
      words
        .map((word, at) => word.padEnd(widths[at]!))
        .join("  ")
        .trimEnd();
    const heads = line(columns.map(([head]) => head));
    this.line(this.#styled("bold", heads, this.#terminal.stdout));
    for (const row of cells) this.line(line(row));
  }

  /** One thing: its uuid as text, or each of its columns in a line if it is asked for in whole. */
  one<Row extends { uuid: string }>({ one, columns }: Noun<Row>, row: Row, { whole = false } = {}): void {
    if (!this.isText) return this.#json({ [one]: row });
    if (!whole) return this.line(row.uuid);
    const width = Math.max(...columns.map(([head]) => head.length));
    for (const [head, show] of columns) this.line(`${`${head}:`.padEnd(width + 2)}${printable(show(row))}`);
  }

  /** A sentence as text, facts as JSON, with what the process exits with. */
  say(sentence: string, facts: Record<string, unknown> = {}, exit: ExitCodeName = "NO_ERROR"): void {
    if (this.isText) this.line(sentence.split("\n").map(printable).join("\n"));
    else this.#json(facts, exit);
  }

  line(text: string): void {
    this.#terminal.stdout.write(`${text}\n`);
  }

  /** Something for a person to know meanwhile. */
  note(text: string): void {
    this.#terminal.stderr.write(`${text.split("\n").map(printable).join("\n")}\n`);
  }

  /** What goes on, in a line that the next one replaces; only on a terminal. An empty one clears it. */
  progress(text: string): void {
    if (this.#terminal.stderr.isTTY) this.#terminal.stderr.write(`\r\u001B[2K${text}`);
  }

  failure({ exit, message, details }: Failure): void {
    if (!this.isText) {
      const body = { exit_code: exitCodes[exit], exit_code_desc: exit, error: { message, details } };
      return void this.#terminal.stderr.write(`${this.#stringify(body)}\n`);
    }
    const word = this.#styled("red", "Error:", this.#terminal.stderr);
    // Several of them, as of a file, each in its line.
    const more = details.split("\n").map(printable);
    const below = more.length > 1 ? more.map((line) => `\n  ${line}`).join("") : details && ` (${more[0]})`;
    this.#terminal.stderr.write(`${word} ${printable(message)}${below}\n`);
  }

  /** Only on a terminal, and where nobody has asked for none: https://no-color.org. */
  #styled(style: "bold" | "red", text: string, { isTTY }: { isTTY?: boolean }): string {
    return isTTY && !this.#terminal.env.NO_COLOR ? styleText(style, text, { validateStream: false }) : text;
  }

  #json(facts: Record<string, unknown>, exit: ExitCodeName = "NO_ERROR"): void {
    this.line(this.#stringify({ exit_code: exitCodes[exit], exit_code_desc: exit, ...facts }));
  }

  /** JSON leaves some characters as they are that steer terminals. */
  #stringify = (value: unknown): string =>
    JSON.stringify(value, null, this.format === "json" ? 4 : undefined).replaceAll(
      /[\u007F-\u009F]/g,
      (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
    );
}

/** Names are people's words: nothing in them may steer the terminal. */
function printable(value: string | number | boolean | null | undefined): string {
  // oxlint-disable-next-line no-control-regex -- it is these that must not get through
  return stripVTControlCharacters(String(value ?? "")).replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, " ");
}
