import { ShiftedClock, systemClock } from "@terrarium/clock";
import type { DeviceRuntime } from "@terrarium/runtime";
import { userInfo } from "node:os";
import type { Schema } from "../database/schema.ts";
import { Audit } from "../features/audit/audit.ts";
import { byOperator } from "../features/audit/by.ts";
import type { ManageDeps } from "../features/users/manage-user.ts";
import { readShift } from "../platform/clock-shift.ts";
import { createDatabase } from "../platform/db/database.ts";
import { createLog } from "../platform/log.ts";
import type { Settings } from "../settings.ts";

export interface Arguments {
  /** The words after the command's name. */
  words: string[];
  options: {
    json?: boolean | undefined;
    organization?: string | undefined;
    manager?: boolean | undefined;
    email?: string | undefined;
    only?: string | undefined;
    of?: string | undefined;
    dedicated?: boolean | undefined;
    "overwrite-files"?: boolean | undefined;
    "send-mails"?: boolean | undefined;
    "dry-run"?: boolean | undefined;
    until?: string | undefined;
    running?: boolean | undefined;
    runtime?: string | undefined;
    artefact?: string | undefined;
    arch?: string | undefined;
    android?: string | undefined;
    api?: string | undefined;
    for?: string | undefined;
    checksum?: string | undefined;
    zone?: string | undefined;
  };
}

/** What the settings describe, for a command to work on. */
export interface Installation {
  settings: Settings;
  /** The URL of its database: DATABASE_URL, or that of the embedded server that is running. Throws if there is none. */
  url: () => Promise<string>;
  /** The runtimes that it names, to look at what they have. */
  runtimes: (deps: Pick<ManageDeps, "db" | "clock">) => Promise<ReadonlyMap<string, DeviceRuntime>>;
}

/** The origin of the service's pages. */
export const pagesAt = ({ settings: { publicUrl, port } }: Installation): string =>
  publicUrl ?? `http://localhost:${port}`;

export type Work = (installation: Installation) => Promise<void>;

/** Work on the database of an installation that runs; what it does is recorded as done by the operator. */
export const onDatabase =
  (work: (deps: ManageDeps) => Promise<void>): Work =>
  async ({ settings, url }) => {
    const db = createDatabase<Schema>(await url(), { max: 1, applicationName: "terrarium-operator" });
    try {
      const clock = new ShiftedClock(systemClock);
      // The date of the server that works on the same rows.
      if (settings.embedded) clock.shiftTo(await readShift(db));
      const audit = new Audit({ clock, log: createLog(settings.logLevel, "operator", process.stderr) });
      await work({ db, clock, audit, by: byOperator(userInfo().username) });
    } finally {
      await db.destroy();
    }
  };

export interface Command {
  name: string;
  usage: string;
  about: string;
  /** Returns what to do; undefined if arguments are missing or surplus. */
  read: (args: Arguments) => Work | undefined;
}

/** Prints rows as a table, or as one line of JSON. */
export function print(rows: readonly object[], { json }: Arguments["options"]): void {
  if (json) console.log(JSON.stringify(rows));
  else console.table(rows);
}
