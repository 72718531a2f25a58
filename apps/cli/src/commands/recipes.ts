import { allOf } from "@terrarium/sdk";
import { architectures, recipeSources } from "@terrarium/contract";
import { type Command, Option } from "commander";
import type { Cli } from "../cli.ts";
import { recipeNoun } from "../nouns.ts";
import { addVerbs } from "./verbs.ts";

interface ListOptions {
  name?: string;
  source: (typeof recipeSources)[number];
  arch?: (typeof architectures)[number];
}

export function addRecipes(program: Command, cli: Cli): void {
  const group = program.command("recipes").description("what devices start from: a hardware profile with an OS image");

  group
    .command("list")
    .description("the recipes that you may start")
    .option("--name <text>", "with this in their names")
    .addOption(new Option("--source <source>", "of whom").choices(recipeSources).default("all"))
    .addOption(new Option("--arch <arch>", "of this architecture").choices(architectures))
    .action(async ({ name, source, arch }: ListOptions) => {
      const { client } = await cli.connect();
      const query = { source, search: name, ...(arch && { arch: [arch] }) };
      cli.print.list(recipeNoun, await allOf((page) => client.recipes.list({ query: { ...page, ...query } })));
    });

  addVerbs(group, cli, recipeNoun, { get: (client, uuid) => client.recipes.get({ params: { uuid } }) });

  group
    .command("create <hwprofile> <osimage> <name>")
    .description("a recipe of a hardware profile and an OS image, given by their uuids")
    .option("--description <text>", "a line about it")
    .action(async (hwprofile: string, osimage: string, name: string, { description }: { description?: string }) => {
      const { client } = await cli.connect();
      const body = { name, description, hardware_profile_uuid: hwprofile, os_image_uuid: osimage };
      cli.print.one(recipeNoun, await client.recipes.create({ body }));
    });

  group
    .command("delete <uuid>")
    .description("delete a recipe of yours; what it is made of stays")
    .option("--delete-hwprofile", "delete its hardware profile, too", false)
    .option("--delete-osimage", "delete its OS image, too", false)
    .action(async (uuid: string, { deleteHwprofile, deleteOsimage }: Record<string, boolean>) => {
      const { client } = await cli.connect();
      const body = { delete_hardware_profile: deleteHwprofile, delete_os_image: deleteOsimage };
      await client.recipes.delete({ params: { uuid }, body });
      cli.print.say("Deleted.", { recipe: { uuid } });
    });
}
