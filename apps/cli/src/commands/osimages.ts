import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import { osImageNoun } from "../nouns.ts";
import { addVerbs } from "./verbs.ts";

export function addOsImages(program: Command, cli: Cli): void {
  const group = program.command("osimages").description("OS images: an Android version, and what was saved into it");

  addVerbs(group, cli, osImageNoun, {
    list: (client, page) => client.osImages.list({ query: page }),
    get: (client, uuid) => client.osImages.get({ params: { uuid } }),
    delete: (client, uuid) => client.osImages.delete({ params: { uuid } }),
  });

  group
    .command("clone <uuid> <name>")
    .description("an OS image of yours that starts as another one does")
    .action(async (uuid: string, name: string) => {
      const { client } = await cli.connect();
      cli.print.one(osImageNoun, await client.osImages.duplicate({ params: { uuid }, body: { name } }));
    });
}
