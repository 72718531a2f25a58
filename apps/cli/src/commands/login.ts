import { AppError, programScopes } from "@terrarium/contract";
import { type Client, isAway } from "@terrarium/sdk";
import { type Command, Option } from "commander";
import { hostname } from "node:os";
import type { Cli } from "../cli.ts";
import { writeConfig } from "../config.ts";
import { Failure } from "../failures.ts";

/** By how much longer to wait when the service says so (RFC 8628, 3.5). */
const SLOWER_SECONDS = 5;

export function addLogin(program: Command, cli: Cli): void {
  program
    .command("login")
    .description("sign in by a code that you approve in a browser, on any machine; keeps an API token of its own")
    .addOption(new Option("--scope <scope>", "what the token may do").choices(programScopes).default("devices"))
    .action(async ({ scope }: { scope: (typeof programScopes)[number] }) => {
      const { url } = await cli.settings();
      const client = cli.clientOf(url, undefined);
      const asked = await client.programSignIns.begin({ body: { host: hostOf(hostname()), scope } });
      cli.print.note(
        `Open ${asked.verification_uri_complete}\nand approve the code ${asked.user_code} there, within ${asked.expires_in / 60} minutes.`,
      );
      const { token, description } = await untilApproved(cli, client, asked);
      await writeConfig(cli.terminal, { url, token });
      cli.print.say(`Signed in at ${url}. The token is "${description}".`, { auth: { url, description } });
      const { TERRARIUM_API_TOKEN, GENYMOTION_API_TOKEN } = cli.terminal.env;
      if (TERRARIUM_API_TOKEN ?? GENYMOTION_API_TOKEN)
        cli.print.note("A token in the environment comes before it: unset that to use this one.");
    });
}

/** Asks for the token until somebody has decided. Throws a Failure if it was refused, or not approved in time. */
async function untilApproved(
  cli: Cli,
  client: Client,
  { device_code, interval, expires_in }: { device_code: string; interval: number; expires_in: number },
) {
  const { clock, signal } = cli.terminal;
  const deadline = clock.monotonic() + expires_in * 1000;
  let seconds = interval;
  for (;;) {
    await clock.sleep(seconds * 1000, signal).catch(() => {
      throw new Failure("INTERRUPTED", "Interrupted.");
    });
    try {
      return await client.programSignIns.finish({ body: { device_code } });
    } catch (error) {
      const code = error instanceof AppError ? error.code : undefined;
      if (code === "PROGRAM_SIGN_IN_SLOW_DOWN") seconds += SLOWER_SECONDS;
      else if (code === "PROGRAM_SIGN_IN_REFUSED" || code === "PROGRAM_SIGN_IN_EXPIRED")
        throw new Failure("AUTHENTICATION_ERROR", (error as Error).message, code);
      else if (code !== "PROGRAM_SIGN_IN_PENDING" && !isAway(error)) throw error;
    }
    if (clock.monotonic() > deadline)
      throw new Failure("AUTHENTICATION_ERROR", "Nobody has approved the code in time.", "PROGRAM_SIGN_IN_EXPIRED");
  }
}

/** As the service takes the name of a machine: others could pass for something else. */
const hostOf = (name: string): string =>
  name
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, "-")
    .slice(0, 64)
    .trim() || "a machine";
