import type { z } from "zod";

const BEGIN = "<!-- settings: npm run generate -->";
const END = "<!-- /settings -->";
/** Read, and nothing of ours: its meaning is Node's. */
const FOREIGN = new Set(["NODE_ENV"]);

/**
 * The variables of these schemas as rows of a Markdown table.
 * @throws {Error} for a variable without a description
 */
export function settingsTable(schemas: readonly z.ZodObject[]): string {
  const rows = schemas
    .flatMap(({ shape }) => Object.entries(shape as Record<string, z.ZodType>))
    .filter(([name]) => !FOREIGN.has(name))
    .map(([name, schema]) => {
      if (!schema.description) throw new Error(`${name} has no description`);
      return `| \`${name}\` | ${shownDefault(schema)} | ${schema.description} |`;
    });
  return ["| Variable | Default | What it does |", "| --- | --- | --- |", ...rows].join("\n");
}

/**
 * Puts a table in the place of the one between the marks.
 * @throws {Error} when the marks are not there
 */
export function withTable(text: string, table: string): string {
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`there is no ${BEGIN} ... ${END}`);
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}

function shownDefault(schema: z.ZodType): string {
  const { shown } = (schema.meta() ?? {}) as { shown?: string };
  if (shown !== undefined) return shown;
  const { data } = schema.safeParse(undefined);
  return typeof data === "string" || typeof data === "number" ? `\`${data}\`` : "";
}
