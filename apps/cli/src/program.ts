import { Command, CommanderError, Option } from "commander";
import { addAdb } from "./commands/adb.ts";
import { addApply } from "./commands/apply.ts";
import { addAuth } from "./commands/auth.ts";
import { addCompletion } from "./commands/completion.ts";
import { addDevice } from "./commands/device.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addHardwareProfiles } from "./commands/hwprofiles.ts";
import { addInstances } from "./commands/instances.ts";
import { addLogin } from "./commands/login.ts";
import { addMcp } from "./commands/mcp.ts";
import { addOsImages } from "./commands/osimages.ts";
import { addOthers } from "./commands/others.ts";
import { addPreview } from "./commands/preview.ts";
import { addRecipes } from "./commands/recipes.ts";
import { addReports } from "./commands/reports.ts";
import { addRun } from "./commands/run.ts";
import { addScenarios } from "./commands/scenarios.ts";
import { Cli } from "./cli.ts";
import { exitCodes, failureOf, interrupted } from "./failures.ts";
import { formats } from "./printer.ts";
import type { Terminal } from "./terminal.ts";
import manifest from "../package.json" with { type: "json" };

/** All commands, as they are to a terminal. */
export function createProgram(terminal: Terminal): { program: Command; cli: Cli } {
  const program = new Command("terrarium")
    .description("Virtual Android devices from a terminal and from CI")
    .version(manifest.version)
    .option("--url <address>", "of the service; also TERRARIUM_URL, or what `login` has kept")
    .addOption(new Option("--format <format>", "of what is printed").choices(formats).default("text"))
    .enablePositionalOptions()
    .showHelpAfterError("Run it with --help to see what it takes.")
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    // What is thrown is the way out: the process ends by itself when nothing is left to do.
    .exitOverride();
  const cli = new Cli(terminal, program);
  addLogin(program, cli);
  addAuth(program, cli);
  addRecipes(program, cli);
  addHardwareProfiles(program, cli);
  addOsImages(program, cli);
  const instances = program.command("instances").description("devices that run");
  addInstances(instances, cli);
  addAdb(instances, cli);
  addDevice(instances, cli);
  addRun(program, cli);
  addPreview(program, cli);
  addApply(program, cli);
  addScenarios(program, cli);
  addMcp(program, cli);
  addOthers(program, cli);
  addReports(program, cli);
  addDoctor(program, cli);
  addCompletion(program, cli);
  return { program, cli };
}

/** Runs the command of some words; resolves with the exit code. Never rejects. */
export async function runProgram(words: readonly string[], terminal: Terminal): Promise<number> {
  const { program, cli } = createProgram(terminal);
  try {
    await program.parseAsync(words, { from: "user" });
    return cli.exitCode;
  } catch (error) {
    // It has said what is wrong with the words, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.USAGE_ERROR;
    cli.print.progress("");
    const { signal } = terminal;
    const failure = signal.aborted ? interrupted(signal, error) : failureOf(error);
    // Without words where nobody reads.
    if (failure.message) cli.print.failure(failure);
    return exitCodes[failure.exit];
  }
}
