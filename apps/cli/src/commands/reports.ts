import { type Command, Option } from "commander";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Cli } from "../cli.ts";
import { writeWhole } from "../transfer.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 30;

interface UsageOptions {
  since: string;
  until: string;
  as: "csv" | "xlsx";
  output?: string;
}

/** For managers: what was used, and who did what, as files. */
export function addReports(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const write = async ({ body }: Response, file: string | undefined) => {
    const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    if (file) await writeWhole(file, source, terminal.signal);
    else await pipeline(source, terminal.stdout, { signal: terminal.signal, end: false });
  };
  const day = (ago: number) => new Date(terminal.clock.now() - ago * DAY_MS).toISOString().slice(0, 10);

  program
    .command("usage")
    .description("each run of a device of your organization; for managers")
    .option("--since <day>", `the first day; ${DAYS} days ago by default`, day(DAYS))
    .option("--until <day>", "the last day", day(0))
    .addOption(new Option("--as <format>", "of the file").choices(["csv", "xlsx"]).default("csv"))
    .option("-o, --output <file>", "in place of standard output")
    .action(async ({ since, until, as: format, output }: UsageOptions) => {
      const { client } = await cli.connect();
      await write(await client.usage.export({ query: { since, until, format } }), output);
    });

  program
    .command("audit")
    .description("who did what in your organization; for managers")
    .addOption(new Option("--as <format>", "of the file").choices(["csv", "jsonl"]).default("csv"))
    .option("-o, --output <file>", "in place of standard output")
    .action(async ({ as: format, output }: { as: "csv" | "jsonl"; output?: string }) => {
      const { client } = await cli.connect();
      await write(await client.audit.export({ query: { format } }), output);
    });
}
