import type { ScenarioRun } from "@terrarium/contract";
import { scenarioSchema, writeScenario } from "@terrarium/sdk/scenario-file";
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { readScenarioFile } from "../device-file.ts";
import { Failure } from "../failures.ts";

const POLL_MS = 500;

/** Scenarios: files that say what happens to a device over time. */
export function addScenarios(program: Command, cli: Cli): void {
  const group = program.command("scenarios").description("what happens to a device over time, from files");

  group
    .command("schema")
    .description("print the JSON schema of the files, for editors")
    .action(() => void cli.terminal.stdout.write(`${JSON.stringify(scenarioSchema(), undefined, 2)}\n`));

  group
    .command("validate <file>")
    .description("look at a file without running it")
    .action(async (file: string) => {
      await readScenarioFile(file);
      cli.print.say(`${file} is a scenario.`, { file });
    });

  group
    .command("run <file> <uuid>")
    .description("run a file on a device, and wait for its end; Ctrl+C stops it")
    .option("--dry-run", "only say what the device lacks, and how long it takes", false)
    .option("--detach", "do not wait: the service runs it", false)
    .action(async (file: string, uuid: string, { dryRun, detach }: { dryRun: boolean; detach: boolean }) => {
      const scenario = await readScenarioFile(file);
      const { client } = await cli.connect();
      const started = await client.scenarios.start({ params: { uuid }, body: { scenario, dry_run: dryRun } });
      if (dryRun) cli.print.say(`It is possible, and takes ${secondsOf(lengthOf(started))}.`, { scenario: started });
      else if (detach) cli.print.say("It runs.", { scenario: started });
      else cli.print.say("Finished.", { scenario: await untilOver(cli, uuid, started) });
    });

  group
    .command("show <uuid>")
    .description("the run on a device, or the last one")
    .action(async (uuid: string) => {
      const { client } = await cli.connect();
      const { run } = await client.scenarios.get({ params: { uuid } });
      cli.print.say(run ? sayRun(run) : "No scenario has run on it.", { scenario: run });
    });

  for (const [verb, status] of [
    ["pause", "paused"],
    ["resume", "running"],
    ["stop", "stopped"],
  ] as const)
    group
      .command(`${verb} <uuid>`)
      .description(`${verb} the run on a device`)
      .action(async (uuid: string) => {
        const { client } = await cli.connect();
        const run = await client.scenarios.change({ params: { uuid }, body: { status } });
        cli.print.say(sayRun(run), { scenario: run });
      });

  group
    .command("recorded <uuid>")
    .description("print what people have set with the tools of a device, as a file")
    .action(async (uuid: string) => {
      const { client } = await cli.connect();
      const { scenario } = await client.scenarios.recorded({ params: { uuid } });
      if (!scenario) throw new Failure("DEFAULT_ERROR", "Nobody has set anything on this device.");
      cli.print.say(writeScenario(scenario).trimEnd(), { scenario });
    });
}

/** Waits for the end of a run, and shows on a terminal where it is. If the person interrupts it, the run is stopped. */
async function untilOver(cli: Cli, uuid: string, started: ScenarioRun): Promise<ScenarioRun> {
  const { client } = await cli.connect();
  const { clock, signal } = cli.terminal;
  try {
    for (;;) {
      const { run } = await client.scenarios.get({ params: { uuid } });
      if (run?.uuid !== started.uuid) throw new Failure("DEFAULT_ERROR", "Another scenario runs on this device now.");
      if (run.status === "finished") return run;
      if (run.status === "stopped") throw new Failure("DEFAULT_ERROR", "It was stopped.");
      cli.print.progress(sayRun(run));
      await clock.sleep(POLL_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    await client.scenarios.change({ params: { uuid }, body: { status: "stopped" } });
    throw new Failure("INTERRUPTED", "Interrupted; the scenario was stopped.");
  } finally {
    cli.print.progress("");
  }
}

const lengthOf = ({ duration_ms, rounds }: ScenarioRun) => duration_ms * rounds;
const secondsOf = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

function sayRun(run: ScenarioRun): string {
  const { status, step, steps, round, rounds, elapsed_ms, duration_ms } = run;
  const { name, kinds } = steps[step ?? 0] ?? { name: null, kinds: [] };
  const place = step === null ? "" : `, step ${step + 1} of ${steps.length} (${name ?? kinds.join(", ")})`;
  const turn = rounds > 1 ? `, round ${round} of ${rounds}` : "";
  return `${status}: ${secondsOf(elapsed_ms)} of ${secondsOf(duration_ms)}${place}${turn}`;
}
