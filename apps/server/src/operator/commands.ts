import { zones } from "@terrarium/contract";
import { parseArgs } from "node:util";
import { resetDemoPasswords } from "../features/demo/demo.ts";
import { listForOperator } from "../features/instances/operator-view.ts";
import { limited, setLimit } from "../features/organizations/set-limit.ts";
import { setZone } from "../features/organizations/set-zone.ts";
import { billingCommands } from "./billing-commands.ts";
import { auditCommands } from "./audit-command.ts";
import { backUpTo, restoreFrom } from "./backup/commands.ts";
import { clockCommand } from "./clock-command.ts";
import { type Command, onDatabase, print, type Work } from "./command.ts";
import { deviceCommands } from "./device-commands.ts";
import { imageCommands } from "./image-commands.ts";
import { operatorCommands } from "./operator-commands.ts";
import { planRequestCommands } from "./plan-request-commands.ts";
import { providerCommands } from "./provider-commands.ts";
import { secondFactorCommands } from "./second-factor-commands.ts";
import { userCommands } from "./user-commands.ts";
import { warmCommands } from "./warm-commands.ts";
import { zoneCommands } from "./zone-commands.ts";

const commands: readonly Command[] = [
  {
    name: "demo passwords",
    usage: "demo passwords",
    about: "new random passwords for the demo accounts",
    read: ({ words }) => {
      if (words.length > 0) return undefined;
      return onDatabase(async (deps) => {
        const accounts = await resetDemoPasswords(deps, deps.by);
        if (accounts.length === 0) console.log("There are no demo accounts here.");
        for (const { email, password } of accounts) console.log(`${email.padEnd(20)} ${password}`);
      });
    },
  },
  {
    name: "instances",
    usage: "instances [--json]",
    about: "devices, with their gateway and adb address",
    read: ({ words, options }) => {
      if (words.length > 0) return undefined;
      return onDatabase(async ({ db }) => print(await listForOperator(db), options));
    },
  },
  {
    name: "organizations limit",
    usage: `organizations limit NAME COUNT [--of ${limited.slice(1).join("|")}]`,
    about: "how many devices an organization may run, or have of something else",
    read: ({ words: [name, count, ...rest], options }) => {
      const what = limited.find((each) => each === (options.of ?? "devices"));
      if (!name || !/^\d+$/.test(count ?? "") || rest.length > 0 || !what) return undefined;
      return onDatabase(async (deps) => {
        await setLimit(deps, name, Number(count), what);
        console.log(`${name} may ${what === "devices" ? "run" : "have"} ${count} ${what}.`);
      });
    },
  },
  {
    name: "organizations zone",
    usage: "organizations zone NAME ZONE [--dedicated]",
    about: `where its devices run, ${zones.join(", ")}; a dedicated zone is for the operator to change`,
    read: ({ words: [name, zone, ...rest], options: { dedicated: isDedicated = false } }) => {
      if (!name || !zones.some((each) => each === zone) || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        await setZone(deps, name, { zone: zone ?? "", isDedicated });
        console.log(`Devices of ${name} run in ${zone}${isDedicated ? ", its dedicated zone" : ""}.`);
      });
    },
  },
  ...providerCommands,
  ...userCommands,
  ...secondFactorCommands,
  ...operatorCommands,
  ...imageCommands,
  ...warmCommands,
  ...zoneCommands,
  ...deviceCommands,
  ...planRequestCommands,
  ...auditCommands,
  ...billingCommands,
  clockCommand,
  {
    name: "backup",
    usage: "backup FILE",
    about: "writes everything to a file, while the service runs",
    read: ({ words: [file, ...rest] }) =>
      file && rest.length === 0 ? (installation) => backUpTo(file, installation) : undefined,
  },
  {
    name: "restore",
    usage: "restore FILE [--overwrite-files] [--send-mails]",
    about: "puts a backup into an empty installation",
    read: ({ words: [file, ...rest], options }) => {
      if (!file || rest.length > 0) return undefined;
      const how = { overwritesFiles: options["overwrite-files"], sendsMails: options["send-mails"] };
      return (installation) => restoreFrom(file, installation, how);
    },
  },
];

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
        email: { type: "string" },
        only: { type: "string" },
        of: { type: "string" },
        dedicated: { type: "boolean" },
        "overwrite-files": { type: "boolean" },
        "send-mails": { type: "boolean" },
        "dry-run": { type: "boolean" },
        until: { type: "string" },
        running: { type: "boolean" },
        runtime: { type: "string" },
        artefact: { type: "string" },
        arch: { type: "string" },
        android: { type: "string" },
        api: { type: "string" },
        for: { type: "string" },
        checksum: { type: "string" },
        zone: { type: "string" },
      },
    });
  } catch (error) {
    // The message names the unknown option.
    throw new UsageError((error as Error).message, { cause: error });
  }
}
