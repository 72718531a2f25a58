import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "oxfmt";
import { root } from "./commands/root.mjs";

const options = JSON.parse(readFileSync(join(root, ".oxfmtrc.json"), "utf8")) as { printWidth: number };

/**
 * A text as the formatter writes it into this file.
 * @throws Error if it cannot be read
 */
export async function formatted(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, options);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  return code;
}
