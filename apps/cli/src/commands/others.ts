import { type Group, scopes } from "@terrarium/contract";
import { type Command, Option } from "commander";
import type { Cli } from "../cli.ts";
import { captureNoun, groupNoun, liveSessionNoun, tokenNoun, userNoun } from "../nouns.ts";
import { addVerbs } from "./verbs.ts";

/** Live sessions, captures, tokens, and for managers people and groups. */
export function addOthers(program: Command, cli: Cli): void {
  const sessions = program.command("live-sessions").description("devices that are shared while they run");
  addVerbs(sessions, cli, liveSessionNoun, {
    list: (client, page) => client.liveSessions.list({ query: page }),
    get: (client, uuid) => client.liveSessions.get({ params: { uuid } }),
    delete: (client, uuid) => client.liveSessions.delete({ params: { uuid } }),
  });
  sessions
    .command("create <instance> [emails...]")
    .description("share a device of yours with people")
    .option("--message <text>", "goes with their mail")
    .action(async (instance: string, invitations: string[], { message }: { message?: string }) => {
      const { client } = await cli.connect();
      cli.print.one(liveSessionNoun, await client.liveSessions.create({ body: { instance, invitations, message } }));
    });

  const captures = program.command("captures").description("screenshots and recordings that are kept");
  addVerbs(captures, cli, captureNoun, {
    list: (client, page) => client.captures.list({ query: page }),
    get: (client, uuid) => client.captures.get({ params: { uuid } }),
    delete: (client, uuid) => client.captures.delete({ params: { uuid } }),
  });

  const tokens = program.command("tokens").description("your API tokens; needs one with the scope admin");
  addVerbs(tokens, cli, tokenNoun, {
    list: async (client) => {
      const { api_tokens: results } = await client.apiTokens.list();
      return { count: results.length, results };
    },
    delete: (client, uuid) => client.apiTokens.revoke({ params: { uuid } }),
  });
  tokens
    .command("create <description>")
    .description("a token; its secret is shown this once")
    .addOption(new Option("--scope <scope>", "what it may do").choices(scopes).default("devices"))
    .action(async (description: string, { scope }: { scope: (typeof scopes)[number] }) => {
      const { client } = await cli.connect();
      const token = await client.apiTokens.create({ body: { description, scope } });
      cli.print.say(token.token, { api_token: token });
    });

  const users = program.command("users").description("the people of your organization");
  addVerbs(users, cli, userNoun, { list: (client, page) => client.users.list({ query: page }) });

  const groups = program.command("groups").description("the groups of your organization; for managers");
  addVerbs(groups, cli, groupNoun, {
    list: async (client) => {
      const results = (await client.groups.list({ query: {} })).flatMap(flat);
      return { count: results.length, results };
    },
    delete: (client, uuid) => client.groups.delete({ params: { uuid } }),
  });
}

/** A group and all below it. */
const flat = (group: Group): Group[] => [group, ...group.subgroups.flatMap(flat)];
