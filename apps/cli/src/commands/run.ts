import { InvalidArgumentError, type Command } from "commander";
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { createInterface } from "node:readline";
import { adbConnect, runAdb } from "../adb-binary.ts";
import type { Cli, Connection } from "../cli.ts";
import { Failure } from "../failures.ts";
import { findRecipe, integer } from "../given.ts";
import { checkApk, installApk } from "../install-apk.ts";
import { START_SECONDS, untilState } from "../state.ts";
import { openDeviceTunnel } from "../tunnel.ts";

/**
 * For how long a device runs on when nobody renews that, in minutes: it ends by itself after a crash of this process, or of its machine or
 * network.
 */
const LEASE_MINUTES = 15;
const RENEW_MS = 5 * 60_000;
/** Of a command that a signal ended, as shells say it. */
const SIGNALLED = 128;
const MAX_SHARDS = 20;
/** How long a command may take to end after it was asked to. */
const END_MS = 10_000;
/** How often stopping a device is tried, while the network is away. */
const STOP_ATTEMPTS = 5;
const STOP_RETRY_MS = 2_000;

interface RunOptions {
  recipe: string;
  name: string;
  shards: number;
  install: string[];
}

/** One of the devices of a run. */
interface Shard {
  index: number;
  uuid: string;
}

export function addRun(program: Command, cli: Cli): void {
  program
    .command("run")
    .description(
      "start a device, run a command with ANDROID_SERIAL set to it, and stop the device whatever happens; exits as the command does",
    )
    .usage("[options] -- <command...>")
    .argument("<command...>")
    .requiredOption("--recipe <recipe>", "from which, by uuid or name")
    .option("--name <name>", "of the device", "run")
    .option("--shards <count>", "so many devices, each with the command", integer(1, MAX_SHARDS), 1)
    .option("--install <apk>", "install this first; can be repeated", collect, [])
    .passThroughOptions()
    .action(async (command: string[], options: RunOptions) => {
      cli.exitCode = await run(cli, command, options);
    });
}

const collect = (file: string, files: string[]): string[] => {
  if (!file) throw new InvalidArgumentError("Give a file.");
  return [...files, file];
};

async function run(cli: Cli, command: string[], { recipe, name, shards, install }: RunOptions): Promise<number> {
  for (const file of install) await checkApk(file);
  const connection = await cli.connect();
  const { uuid } = await findRecipe(connection.client, recipe);
  const numbers = Array.from({ length: shards }, (_, index) => index);
  const codes = await Promise.allSettled(
    numbers.map((index) => {
      const body = {
        instance_name: shards === 1 ? name : `${name} ${index + 1}`,
        rename_on_conflict: true,
        timeouts: { inactivity: 0, global: LEASE_MINUTES },
      };
      return runOn(index, body);
    }),
  );
  const failed = codes.find((code) => code.status === "rejected");
  if (failed) throw failed.reason;
  return Math.max(...codes.map((code) => (code.status === "fulfilled" ? code.value : 1)));

  async function runOn(index: number, body: Parameters<Connection["client"]["recipes"]["start"]>[0]["body"]) {
    const started = await connection.client.recipes.start({ params: { uuid }, body });
    const shard = { index, uuid: started.uuid };
    const over = new AbortController();
    void renew(cli, connection, shard, over.signal);
    try {
      return await work(cli, connection, shard, { command, shards, install });
    } finally {
      over.abort();
      await stop(cli, connection, shard);
    }
  }
}

async function work(
  cli: Cli,
  { client }: Connection,
  { index, uuid }: Shard,
  { command, shards, install }: Pick<RunOptions, "shards" | "install"> & { command: string[] },
): Promise<number> {
  const { terminal, print } = cli;
  await untilState("ONLINE", { client, uuid, terminal, print, seconds: START_SECONDS });
  for (const file of install) await installApk(client, uuid, file, terminal.signal);
  const tunnel = await openDeviceTunnel({ client, uuid, env: terminal.env, report: (problem) => print.note(problem) });
  const serial = `${tunnel.host}:${tunnel.port}`;
  try {
    await adbConnect(terminal, serial);
    // The tests of an app, and all that they install, need no token of ours.
    const { TERRARIUM_API_TOKEN: _, GENYMOTION_API_TOKEN: __, ...rest } = terminal.env;
    const env = {
      ...rest,
      ANDROID_SERIAL: serial,
      TERRARIUM_INSTANCE: uuid,
      TERRARIUM_SHARD: String(index),
      TERRARIUM_SHARDS: String(shards),
    };
    return await runCommand(cli, command, env, shards > 1 ? `[${index + 1}] ` : undefined);
  } finally {
    await runAdb(terminal, "disconnect", serial).catch(() => undefined);
    await tunnel.close();
  }
}

/** Resolves with the exit code of the command; a signal to this process goes on to it, and after some seconds ends it. */
function runCommand(
  { terminal: { signal, clock, stdout, stderr } }: Cli,
  [program, ...words]: string[],
  env: NodeJS.ProcessEnv,
  prefix: string | undefined,
): Promise<number> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Failure("INTERRUPTED", "Interrupted."));
    // Whose line is whose, where several commands print at once; and none of them is at the terminal, so that each can be ended with all
    // that it has started.
    const child = spawn(
      program!,
      words,
      prefix ? { env, stdio: ["ignore", "pipe", "pipe"], detached: true } : { env, stdio: "inherit" },
    );
    const kill = (name: NodeJS.Signals) => {
      try {
        process.kill(prefix ? -child.pid! : child.pid!, name);
      } catch {
        // It has ended.
      }
    };
    const end = () => {
      kill("SIGTERM");
      const ended = new AbortController();
      clock.sleep(END_MS, ended.signal).then(
        () => kill("SIGKILL"),
        () => undefined,
      );
      child.on("exit", () => {
        ended.abort();
        reject(new Failure("INTERRUPTED", "Interrupted."));
      });
    };
    signal.addEventListener("abort", end, { once: true });
    if (child.stdout) createInterface(child.stdout).on("line", (line) => stdout.write(`${prefix}${line}\n`));
    if (child.stderr) createInterface(child.stderr).on("line", (line) => stderr.write(`${prefix}${line}\n`));
    child.on("error", (error) => reject(new Failure("USAGE_ERROR", `${program} cannot be run.`, error.message)));
    child.on("close", (code, name) => {
      signal.removeEventListener("abort", end);
      resolve(code ?? SIGNALLED + constants.signals[name ?? "SIGTERM"]);
    });
  });
}

/** Lets the device run on, as long as this process does. */
async function renew(
  { terminal: { clock }, print }: Cli,
  { client }: Connection,
  { uuid }: Shard,
  signal: AbortSignal,
) {
  for (;;) {
    await clock.sleep(RENEW_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    await client.instances.extend({ params: { uuid }, body: { minutes: LEASE_MINUTES } }).catch((error: unknown) => {
      print.note(`The device ${uuid} could not be kept for longer: ${String(error)}`);
    });
  }
}

/** Stops the device; what is not reached is ended by its lease. */
async function stop({ terminal: { clock }, print }: Cli, { client }: Connection, { uuid }: Shard): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await client.instances.stop({ params: { uuid } });
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "INSTANCE_ENDED" || code === "INSTANCE_NOT_RUNNING") return;
      if (attempt < STOP_ATTEMPTS) await clock.sleep(STOP_RETRY_MS);
      else return print.note(`The device ${uuid} could not be stopped. It ends by itself in ${LEASE_MINUTES} minutes.`);
    }
}
