import { z } from "zod";

/** What a backup contains, as its manifest says; its parts are in this order. */
export const Content = z.object({
  /** The version of Terrarium that made it. */
  version: z.string(),
  made_at: z.iso.datetime(),
  /** The migrations that the database had run. */
  migrations: z.array(z.string()),
  /** `adbkey`: the key by which devices know this installation, if it has one. */
  adb_key: z.boolean(),
  /** `database/NAME`: rows in PostgreSQL's text format for COPY. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number() })),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
  /** `files/0`, `files/1` and so on: the files of the store. */
  files: z.array(z.object({ key: z.string(), size: z.number() })),
});
export type Content = z.infer<typeof Content>;

/** What an installation stores outside the database. */
export interface Places {
  /** Its database. */
  url: string;
  /** The file that holds its adb key. */
  adbKeyFile: string;
}

/** Says what is being done, a line at a time. */
export type Say = (line: string) => void;
