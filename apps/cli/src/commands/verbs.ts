import { allOf } from "@terrarium/sdk";
import type { Client } from "@terrarium/sdk";
import type { Command } from "commander";
import type { Cli } from "../cli.ts";
import type { Noun } from "../printer.ts";

interface Verbs<Row> {
  list?: (client: Client, page: { page: number; page_size: number }) => Promise<{ count: number; results: Row[] }>;
  get?: (client: Client, uuid: string) => Promise<Row>;
  delete?: (client: Client, uuid: string) => Promise<unknown>;
}

/** Adds the verbs that most kinds of things have to the group of one. */
export function addVerbs<Row extends { uuid: string }>(group: Command, cli: Cli, noun: Noun<Row>, verbs: Verbs<Row>) {
  const { list, get, delete: remove } = verbs;
  if (list)
    group
      .command("list")
      .description("all that you may see")
      .action(async () => {
        const { client } = await cli.connect();
        cli.print.list(noun, await allOf((page) => list(client, page)));
      });
  if (get)
    group
      .command("get <uuid>")
      .description("one of them")
      .action(async (uuid: string) => {
        const { client } = await cli.connect();
        cli.print.one(noun, await get(client, uuid), { whole: true });
      });
  if (remove)
    group
      .command("delete <uuid>")
      .description("delete one of yours")
      .action(async (uuid: string) => {
        const { client } = await cli.connect();
        await remove(client, uuid);
        cli.print.say("Deleted.", { [noun.one]: { uuid } });
      });
}
