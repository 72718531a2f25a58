import { mkdir, open, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** What is known about a machine that runs in a process of its own, in its folder. */
export const MachineRecord = z.object({
  id: z.uuid(),
  boot: z.int(),
  image: z.string(),
  /** Of loopback, which leads to its adb. */
  port: z.int(),
  ramMb: z.int(),
  diskMb: z.int(),
});
export type MachineRecord = z.infer<typeof MachineRecord>;

const RECORD = "machine.json";
const LOG = "machine.log";
const MAX_WORDS = 500;

/** The folders of machines: in each the record of one, what it writes, and what its process has said. */
export class MachineFolders<Stored extends MachineRecord> {
  readonly #root: string;
  readonly #record: z.ZodType<Stored>;

  /** @param root holds nothing else */
  constructor(root: string, record: z.ZodType<Stored>) {
    this.#root = root;
    this.#record = record;
  }

  of(id: string): string {
    return join(this.#root, id);
  }

  async names(): Promise<string[]> {
    return readdir(this.#root).catch(() => []);
  }

  async make(id: string): Promise<string> {
    // What of a start was left that was interrupted.
    await this.remove(id);
    await mkdir(this.of(id), { recursive: true, mode: 0o700 });
    return this.of(id);
  }

  async remove(id: string): Promise<void> {
    await rm(this.of(id), { recursive: true, force: true });
  }

  async write(record: Stored): Promise<void> {
    await writeFile(join(this.of(record.id), RECORD), JSON.stringify(record));
  }

  /** Undefined if the folder is not that of a machine that was started. */
  async read(id: string): Promise<Stored | undefined> {
    const text = await readFile(join(this.of(id), RECORD), "utf8").catch(() => "null");
    try {
      const { data } = this.#record.safeParse(JSON.parse(text));
      return data?.id === id ? data : undefined;
    } catch {
      return undefined;
    }
  }

  /** Where its process writes what it says. */
  openLog(id: string) {
    return open(join(this.of(id), LOG), "a", 0o600);
  }

  /** What its process has said last. */
  async lastWords(id: string): Promise<string> {
    return (await readFile(join(this.of(id), LOG), "utf8").catch(() => "")).trim().slice(-MAX_WORDS);
  }
}
