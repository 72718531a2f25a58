import type { Command } from "commander";
import { createInterface } from "node:readline/promises";
import { addAbortSignal, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Cli } from "../cli.ts";
import { readConfig, writeConfig } from "../config.ts";
import { Failure } from "../failures.ts";

export function addAuth(program: Command, cli: Cli): void {
  const group = program.command("auth").description("who you are to the service");

  group
    .command("login")
    .description("keep the address of the service and an API token, which is asked for or read from standard input")
    .action(async () => {
      const { url } = await cli.settings();
      const token = (await readToken(cli, `API token (make one at ${url}/api): `)).trim();
      if (!token) throw new Failure("USAGE_ERROR", "No API token was given.");
      // It is saved only if it works.
      await cli.clientOf(url, token).instances.list({ query: { page_size: 1 } });
      await writeConfig(cli.terminal, { url, token });
      cli.print.say(`Signed in at ${url}.`, { auth: { url } });
    });

  group
    .command("status")
    .alias("whoami")
    .description("which service and token are used, and whether they work")
    .action(async () => {
      const { url, client } = await cli.connect();
      const { token = "" } = await cli.settings();
      await client.instances.list({ query: { page_size: 1 } });
      const beginning = token.slice(0, PREFIX_LENGTH);
      cli.print.say(`Signed in at ${url} with the token ${beginning}…`, { auth: { url, token_prefix: beginning } });
    });

  group
    .command("logout")
    .alias("reset")
    .description("forget the token")
    .action(async () => {
      const { token: _, ...rest } = await readConfig(cli.terminal);
      await writeConfig(cli.terminal, rest);
      cli.print.say("The token is forgotten.", { auth: {} });
    });
}

/** As much of a token as its owner needs to recognize it. */
const PREFIX_LENGTH = 8;

/** Typed without being shown, or all of standard input. */
async function readToken({ terminal: { stdin, stderr, signal } }: Cli, question: string): Promise<string> {
  if (!stdin.isTTY) return text(addAbortSignal(signal, stdin));
  stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return await reader.question("", { signal });
  } finally {
    reader.close();
    stderr.write("\n");
  }
}
