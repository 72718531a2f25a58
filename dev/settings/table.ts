import type { z } from "zod";

const BEGIN = "<!-- settings: npm run generate -->";
const END = "<!-- /settings -->";
/** A convention of Node's, not a setting of ours. */
const FOREIGN = new Set(["NODE_ENV"]);

/**
 * The variables of the schemas as a Markdown table.
 * @throws {Error} if a variable has no description
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
 * Replaces the table between the markers.
 * @throws {Error} if the markers are missing
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
