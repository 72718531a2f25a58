import { systemClock } from "@terrarium/clock";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { Database } from "../database/schema.ts";
import { listForOperator } from "../features/instances/operator-view.ts";
import { setInstanceLimit } from "../features/organizations/set-instance-limit.ts";
import { addUser } from "../features/users/add-user.ts";

interface Given {
  /** The words after the command's own. */
  words: string[];
  options: { json?: boolean | undefined; organization?: string | undefined; manager?: boolean | undefined };
}

export type Work = (db: Database) => Promise<void>;

interface Command {
  name: string;
  usage: string;
  about: string;
  /** What to do; undefined when something is missing or too much. */
  read: (given: Given) => Work | undefined;
}

const commands: readonly Command[] = [
  {
    name: "instances",
    usage: "instances [--json]",
    about: "devices with their gateway and adb address",
    read: ({ words, options }) => {
      if (words.length > 0) return undefined;
      return async (db) => {
        const rows = await listForOperator(db);
        if (options.json) console.log(JSON.stringify(rows));
        else console.table(rows);
      };
    },
  },
  {
    name: "organizations limit",
    usage: "organizations limit NAME COUNT",
    about: "how many devices an organisation may run",
    read: ({ words: [name, count, ...rest] }) => {
      if (!name || !count || rest.length > 0) return undefined;
      return async (db) => {
        await setInstanceLimit(db, name, Number(count));
        console.log(`${name} may run ${count} devices.`);
      };
    },
  },
  {
    name: "users add",
    usage: "users add EMAIL --organization NAME [--manager]",
    about: "a person, with the password given on standard input",
    read: ({ words: [email, ...rest], options: { organization, manager = false } }) => {
      if (!email || !organization || rest.length > 0) return undefined;
      return async (db) => {
        const password = (await text(process.stdin)).replace(/\n$/, "");
        await addUser(db, systemClock, { email, password, organization, manager });
        console.log(`${email} can sign in.`);
      };
    },
  },
];

/** Every command on a line of its own. */
export const help = [
  "Usage: npm run operator -- COMMAND",
  ...commands.map(({ usage, about }) => `  ${usage.padEnd(48)} ${about}`),
].join("\n");

/** What was typed is no command of this tool; the message says what is wrong with it. */
export class UsageError extends Error {
  override name = "UsageError";
}

/**
 * What the words of a command line ask for.
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
  if (!work) throw new UsageError(`Type it as: ${command.usage}`);
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
    // Node says which option it does not know.
    throw new UsageError((error as Error).message, { cause: error });
  }
}
