import { allOf } from "@terrarium/sdk";
import { activeStates, embedLinkHours } from "@terrarium/contract";
import type { Command } from "commander";
import type { Cli, Connection } from "../cli.ts";
import { Failure } from "../failures.ts";
import { findRecipe, oneOf } from "../given.ts";
import { checkApk, installApk } from "../install-apk.ts";
import { START_SECONDS, untilState } from "../state.ts";

interface StartOptions {
  recipe: string;
  name: string;
  hours: (typeof embedLinkHours)[number];
  lookOnly: boolean;
}

export function addPreview(program: Command, cli: Cli): void {
  const { terminal } = cli;
  const until = ({ client }: Connection, uuid: string, state: "ONLINE" | "DELETED") =>
    untilState(state, { client, uuid, terminal, print: cli.print, seconds: START_SECONDS });
  const group = program.command("preview").description("an app for others to try, by a link that expires");

  group
    .command("start <apk>")
    .description("start a device with an app, and print a link with which anybody sees and touches it")
    .requiredOption("--recipe <recipe>", "from which, by uuid or name")
    .option("--name <name>", "of the device; yours of this name are stopped first", "preview")
    .option(
      "--hours <hours>",
      `how long, ${embedLinkHours.join(", ")}: device and link end then`,
      oneOf(embedLinkHours),
      4,
    )
    .option("--look-only", "the link lets nobody touch it", false)
    .action(async (apk: string, { recipe, name, hours, lookOnly }: StartOptions) => {
      await checkApk(apk);
      const connection = await cli.connect();
      const { client } = connection;
      const { uuid: of } = await findRecipe(client, recipe);
      // Until they are gone their name is taken.
      for (const old of await stopAll(connection, name)) await until(connection, old, "DELETED");
      const body = { instance_name: name, timeouts: { inactivity: 0, global: hours * 60 } };
      const { uuid } = await client.recipes.start({ params: { uuid: of }, body });
      const params = { uuid };
      try {
        await until(connection, uuid, "ONLINE");
        await installApk(client, uuid, apk, terminal.signal);
        const { url, expires_at } = await client.embedLinks.create({ params, body: { hours, can_control: !lookOnly } });
        cli.print.say(url, { preview: { url, expires_at, instance: { uuid, name } } });
      } catch (error) {
        // Without its app or its link it is of no use to anybody.
        await client.instances.stop({ params }).catch(() => undefined);
        throw error;
      }
    });

  group
    .command("stop <name>")
    .description("stop your devices of that name, and so their links")
    .action(async (name: string) => {
      const stopped = await stopAll(await cli.connect(), name);
      if (stopped.length === 0) throw new Failure("USAGE_ERROR", `No device of yours called "${name}" runs.`);
      cli.print.say(stopped.join("\n"), { instances: stopped.map((uuid) => ({ uuid })) });
    });
}

/** Stops those of the person that run by a name; resolves with their uuids. */
async function stopAll({ client }: Connection, name: string): Promise<string[]> {
  const all = await allOf((page) => client.instances.list({ query: page }));
  const same = all.filter((device) => device.name === name && activeStates.includes(device.state));
  await Promise.all(same.map(({ uuid }) => client.instances.stop({ params: { uuid } })));
  return same.map(({ uuid }) => uuid);
}
