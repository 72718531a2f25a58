import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { Failure } from "./failures.ts";
import type { Terminal } from "./terminal.ts";

const Config = z.object({
  /** The address of the service, without `/cloud`. */
  url: z.url({ protocol: /^https?$/ }).optional(),
  /** An API token. */
  token: z.string().min(1).optional(),
});
export type Config = z.infer<typeof Config>;

const fileOf = ({ folder }: Terminal) => join(folder, "config.json");

/** What `login` has saved. Throws a Failure if the file is not ours. */
export async function readConfig(terminal: Terminal): Promise<Config> {
  const file = fileOf(terminal);
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}";
    throw new Failure("CONFIGURATION_ERROR", `${file} cannot be read: ${error.message}`);
  });
  try {
    return Config.parse(JSON.parse(text));
  } catch {
    throw new Failure("CONFIGURATION_ERROR", `${file} is not valid. Delete it, or mend it.`);
  }
}

/** Only its owner can read it, and a reader never sees half of it. */
export async function writeConfig(terminal: Terminal, config: Config): Promise<void> {
  const file = fileOf(terminal);
  await mkdir(terminal.folder, { recursive: true, mode: 0o700 });
  await writeFile(`${file}.new`, `${JSON.stringify(Config.parse(config), null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
