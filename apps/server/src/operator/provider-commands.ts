import { text } from "node:stream/consumers";
import { removeOrganizationProvider, setOrganizationProvider } from "../features/sso/organization-provider.ts";
import { type Command, onDatabase } from "./command.ts";

export const providerCommands: readonly Command[] = [
  {
    name: "organizations sign-in",
    usage: "organizations sign-in NAME DOMAIN ISSUER CLIENT_ID",
    about: "its own OpenID provider for addresses at a domain; the secret from standard input",
    read: ({ words: [name, domain, issuer, clientId, ...rest] }) => {
      if (!name || !domain || !issuer || !clientId || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        const clientSecret = (await text(process.stdin)).replace(/\n$/, "");
        await setOrganizationProvider(deps, name, { domain, issuer, clientId, clientSecret });
        console.log(`People with an address at ${domain} can sign in to ${name} with ${issuer}.`);
      });
    },
  },
  {
    name: "organizations no-sign-in",
    usage: "organizations no-sign-in NAME",
    about: "takes that provider away",
    read: ({ words: [name, ...rest] }) => {
      if (!name || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        const isDone = await removeOrganizationProvider(deps, name);
        console.log(isDone ? `${name} has no provider of its own any longer.` : `${name} has no provider of its own.`);
      });
    },
  },
];
