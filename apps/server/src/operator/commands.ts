import { systemClock } from "@terrarium/clock";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { Database, Schema } from "../database/schema.ts";
import { resetDemoPasswords } from "../features/demo/demo.ts";
import { listForOperator } from "../features/instances/operator-view.ts";
import { setInstanceLimit } from "../features/organizations/set-instance-limit.ts";
import { addUser } from "../features/users/add-user.ts";
import { createDatabase } from "../platform/db/database.ts";
import type { Settings } from "../settings.ts";
import { backUpTo, restoreFrom } from "./backup/commands.ts";

interface Arguments {
  /** The words after the command's name. */
  words: string[];
  options: { json?: boolean | undefined; organization?: string | undefined; manager?: boolean | undefined };
}

/** What the settings describe, for a command to work on. */
export interface Installation {
  settings: Settings;
  /** The URL of its database: DATABASE_URL, or that of the embedded server that is running. Throws if there is none. */
  url: () => Promise<string>;
}

export type Work = (installation: Installation) => Promise<void>;

interface Command {
  name: string;
  usage: string;
  about: string;
  /** Returns what to do; undefined if arguments are missing or surplus. */
  read: (args: Arguments) => Work | undefined;
}

const commands: readonly Command[] = [
  {
    name: "demo passwords",
    usage: "demo passwords",
    about: "new random passwords for the demo accounts",
    read: ({ words }) => {
      if (words.length > 0) return undefined;
      return onDatabase(async (db) => {
        for (const { email, password } of await resetDemoPasswords(db)) console.log(`${email.padEnd(20)} ${password}`);
      });
    },
  },
  {
    name: "instances",
    usage: "instances [--json]",
    about: "devices, with their gateway and adb address",
    read: ({ words, options }) => {
      if (words.length > 0) return undefined;
      return onDatabase(async (db) => {
        const rows = await listForOperator(db);
        if (options.json) console.log(JSON.stringify(rows));
        else console.table(rows);
      });
    },
  },
  {
    name: "organizations limit",
    usage: "organizations limit NAME COUNT",
    about: "how many devices an organization may run",
    read: ({ words: [name, count, ...rest] }) => {
      if (!name || !/^\d+$/.test(count ?? "") || rest.length > 0) return undefined;
      return onDatabase(async (db) => {
        await setInstanceLimit(db, name, Number(count));
        console.log(`${name} may run ${count} devices.`);
      });
    },
  },
  {
    name: "users add",
    usage: "users add EMAIL --organization NAME [--manager]",
    about: "a person, with the password from standard input",
    read: ({ words: [email, ...rest], options: { organization, manager = false } }) => {
      if (!email || !organization || rest.length > 0) return undefined;
      return onDatabase(async (db) => {
        const password = (await text(process.stdin)).replace(/\n$/, "");
        await addUser(db, systemClock, { email, password, organization, manager });
        console.log(`${email} can sign in.`);
      });
    },
  },
  {
    name: "backup",
    usage: "backup FILE",
    about: "writes everything to a file, while the service runs",
    read: ({ words: [file, ...rest] }) =>
      file && rest.length === 0 ? (installation) => backUpTo(file, installation) : undefined,
  },
  {
    name: "restore",
    usage: "restore FILE",
    about: "puts a backup into an empty installation",
    read: ({ words: [file, ...rest] }) =>
      file && rest.length === 0 ? (installation) => restoreFrom(file, installation) : undefined,
  },
];

/** Work on the database of an installation that runs. */
const onDatabase =
  (work: (db: Database) => Promise<void>): Work =>
  async ({ url }) => {
    const db = createDatabase<Schema>(await url(), { max: 1, applicationName: "terrarium-operator" });
    try {
      await work(db);
    } finally {
      await db.destroy();
    }
  };

/** The usage, with one line per command. */
export const help = [
  "Usage: npm run operator -- COMMAND",
  ...commands.map(({ usage, about }) => `  ${usage.padEnd(48)} ${about}`),
].join("\n");

/** The command line is not valid; the message says why. */
export class UsageError extends Error {
  override name = "UsageError";
}

/**
 * Parses the command line.
 * @throws UsageError
 */
export function readCommand(args: string[]): Work | "help" {
  const { values, positionals } = parse(args);
  if (values.help) return "help";
  const line = positionals.join(" ");
  if (line === "") throw new UsageError("A command is missing.");
  const command = commands.find(({ name }) => line === name || line.startsWith(`${name} `));
  if (!command) throw new UsageError(`There is no command "${line}".`);
  const words = positionals.slice(command.name.split(" ").length);
  const work = command.read({ words, options: values });
  if (!work) throw new UsageError(`Expected: ${command.usage}`);
  return work;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        json: { type: "boolean" },
        organization: { type: "string" },
        manager: { type: "boolean" },
      },
    });
  } catch (error) {
    // The message names the unknown option.
    throw new UsageError((error as Error).message, { cause: error });
  }
}
