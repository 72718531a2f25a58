import { allOf } from "@terrarium/sdk";
import {
  errors,
  type Instance,
  type InstanceState,
  instanceStates,
  limits,
  type StartInstance,
} from "@terrarium/contract";
import { type Command, Option } from "commander";
import { spawn } from "node:child_process";
import type { Cli, Connection } from "../cli.ts";
import { Failure } from "../failures.ts";
import { findRecipe, integer, minutes } from "../given.ts";
import { type InstanceRow, instanceNoun } from "../nouns.ts";
import { type Awaiting, START_SECONDS, untilState } from "../state.ts";
import { allTunnels, findTunnel } from "../tunnels.ts";
import { closeTunnel } from "./adb.ts";

const STOP_SECONDS = 60;
const SAVE_SECONDS = 600;
/** As long as the service lets it wait in the queue. */
const QUEUE_SECONDS = 12 * 60 * 60;

interface StartOptions {
  maxRunDuration?: number;
  stopWhenInactive: boolean;
  queue: boolean;
  wait: boolean;
}

export function addInstances(group: Command, cli: Cli): void {
  const { terminal } = cli;
  const until = (
    { client }: Connection,
    uuid: string,
    state: InstanceState,
    seconds: number,
    whyNot?: Awaiting["whyNot"],
  ) => untilState(state, { client, uuid, terminal, print: cli.print, seconds, whyNot });

  group
    .command("list")
    .description("your devices")
    .option("-q, --quiet", "only their uuids", false)
    .option("--all", "those of your organization; for managers", false)
    .action(async ({ quiet, all }: { quiet: boolean; all: boolean }) => {
      const { client } = await cli.connect();
      const query = { ordering: "created_at" as const, ...(all && { organization_wide: true }) };
      const [found, tunnels] = await Promise.all([
        allOf((page) => client.instances.list({ query: { ...page, ...query } })),
        allTunnels(terminal),
      ]);
      const rows: InstanceRow[] = found.map((row) => ({ ...row, adb_serial: tunnels.get(row.uuid)?.serial ?? null }));
      if (quiet && cli.print.isText) for (const { uuid } of rows) cli.print.line(uuid);
      else cli.print.list(instanceNoun, rows);
    });

  group
    .command("get <uuid>")
    .description("one device")
    .action(async (uuid: string) => {
      const { client } = await cli.connect();
      const instance = await client.instances.get({ params: { uuid } });
      const tunnel = await findTunnel(terminal, uuid);
      cli.print.one(instanceNoun, { ...instance, adb_serial: tunnel?.serial ?? null }, { whole: true });
    });

  group
    .command("start <recipe> <name>")
    .description("start a device from a recipe, given by uuid or name, and wait until it is online")
    .option("--max-run-duration <duration>", 'stop it after so long: "90m", "2h"; a bare number is minutes', minutes)
    .addOption(
      new Option("--stop-when-inactive", "stop it when nobody uses it in the browser")
        .default(false)
        .conflicts("maxRunDuration"),
    )
    .option("--queue", "wait in line if nothing is free, for half a day at most", false)
    .option("--no-wait", "do not wait")
    .action(async (given: string, name: string, { maxRunDuration, stopWhenInactive, queue, wait }: StartOptions) => {
      if (maxRunDuration !== undefined && maxRunDuration > limits.runMinutesMax)
        throw new Failure("USAGE_ERROR", `A device runs for at most ${limits.runMinutesMax} minutes.`);
      const connection = await cli.connect();
      const recipe = await findRecipe(connection.client, given);
      // Nobody looks at a device of a script: without a browser it would always be inactive.
      const ends: Partial<StartInstance> = stopWhenInactive
        ? { stop_when_inactive: true }
        : { timeouts: { inactivity: 0, ...(maxRunDuration !== undefined && { global: maxRunDuration }) } };
      const body = { instance_name: name, ...ends, ...(queue && { queue }) };
      const started = await connection.client.recipes.start({ params: { uuid: recipe.uuid }, body });
      const instance = wait
        ? await until(connection, started.uuid, "ONLINE", queue ? QUEUE_SECONDS : START_SECONDS)
        : started;
      cli.print.one(instanceNoun, { ...(instance ?? started), adb_serial: null });
    });

  group
    .command("stop <uuid...>")
    .description("stop devices; what was not saved is lost")
    .option("--no-wait", "do not wait until they are gone")
    .action(async (uuids: string[], { wait }: { wait: boolean }) => {
      const connection = await cli.connect();
      const stop = async (uuid: string) => {
        await closeTunnel(terminal, uuid);
        await connection.client.instances.stop({ params: { uuid } });
        if (wait) await until(connection, uuid, "DELETED", STOP_SECONDS);
      };
      // One that cannot be stopped does not leave others running.
      const outcomes = await Promise.allSettled(uuids.map(stop));
      for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
      cli.print.say(uuids.join("\n"), { instances: uuids.map((uuid) => ({ uuid })) });
    });

  const save = async (uuid: string, body: Parameters<Connection["client"]["instances"]["save"]>[0]["body"]) => {
    const connection = await cli.connect();
    await closeTunnel(terminal, uuid);
    const recipe = await connection.client.instances.save({ params: { uuid }, body });
    const whyNot = ({ save: was }: Instance) => was?.error && errors[was.error].message;
    await until(connection, uuid, "DELETED", SAVE_SECONDS, whyNot).catch((error: unknown) => {
      throw error instanceof Failure ? new Failure("SAVE_ERROR", error.message, error.details) : error;
    });
    cli.print.say(recipe.uuid, { recipe });
  };

  group
    .command("save <uuid>")
    .description("save a device into the recipe that it was started from, which stops it")
    .action((uuid: string) => save(uuid, { action: "update" }));

  group
    .command("saveas <uuid>")
    .description("save a device into a new recipe, which stops it")
    .option("--new-recipe-name <name>", "of the recipe")
    .option("--new-osimage-name <name>", "of its OS image")
    .action((uuid: string, { newRecipeName, newOsimageName }: Record<string, string | undefined>) =>
      save(uuid, { action: "save_as", new_recipe_name: newRecipeName, new_os_image_name: newOsimageName }),
    );

  group
    .command("wait <uuid>")
    .description("wait until a device is in a state")
    .addOption(new Option("--state <state>").choices(instanceStates).default("ONLINE"))
    .option("--timeout <seconds>", "give up after", integer(1, 86_400), START_SECONDS)
    .action(async (uuid: string, { state, timeout }: { state: InstanceState; timeout: number }) => {
      await until(await cli.connect(), uuid, state, timeout);
      cli.print.say(uuid, { instance: { uuid, state } });
    });

  group
    .command("extend <uuid>")
    .description("let a device run on from now, whatever would have stopped it")
    .option("--for <duration>", "how long", minutes, limits.extensionMinutes)
    .action(async (uuid: string, options: { for: number }) => {
      const { client } = await cli.connect();
      const { stops_at } = await client.instances.extend({ params: { uuid }, body: { minutes: options.for } });
      cli.print.say(stops_at ?? "", { instance: { uuid, stops_at } });
    });

  group
    .command("display <uuid...>")
    .description("open devices in the browser")
    .option("--no-open", "only print the addresses")
    .action(async (uuids: string[], { open }: { open: boolean }) => {
      const { url } = await cli.connect();
      const pages = uuids.map((uuid) => `${url}/instance/${encodeURIComponent(uuid)}`);
      if (open) for (const page of pages) openPage(page);
      cli.print.say(pages.join("\n"), { pages });
    });
}

/** Hands an address to the browser of this machine; if there is none, its text was printed. */
function openPage(page: string): void {
  const [program, ...words] =
    process.platform === "darwin"
      ? ["open"]
      : process.platform === "win32"
        ? ["rundll32", "url.dll,FileProtocolHandler"]
        : ["xdg-open"];
  spawn(program, [...words, page], { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}
