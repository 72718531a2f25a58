import { text } from "node:stream/consumers";
import { addUser } from "../features/users/add-user.ts";
import {
  disableUser,
  enableUser,
  listCredentials,
  type ManageDeps,
  resetPassword,
  setRole,
  signOutUser,
} from "../features/users/manage-user.ts";
import { type Command, onDatabase, print, type Work } from "./command.ts";

/** A command whose only argument is an e-mail address. */
const ofOne =
  (read: (email: string) => Work): Command["read"] =>
  ({ words: [email, ...rest] }) =>
    email && rest.length === 0 ? read(email) : undefined;

const passwordFromStandardInput = async () => (await text(process.stdin)).replace(/\n$/, "");

const only = new Set(["sessions", "tokens"]);

export const userCommands: readonly Command[] = [
  {
    name: "users add",
    usage: "users add EMAIL --organization NAME [--manager]",
    about: "a person, with the password from standard input",
    read: ({ words: [email, ...rest], options: { organization, manager = false } }) => {
      if (!email || !organization || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        const password = await passwordFromStandardInput();
        await addUser(deps, { email, password, organization, manager });
        console.log(`${email} can sign in.`);
      });
    },
  },
  {
    name: "users disable",
    usage: "users disable EMAIL",
    about: "ends the sessions; refuses sign-ins and API tokens",
    read: ofOne((email) =>
      onDatabase(async (deps) => {
        console.log(`${email} is ${(await disableUser(deps, email)) ? "disabled now" : "disabled already"}.`);
      }),
    ),
  },
  {
    name: "users enable",
    usage: "users enable EMAIL",
    about: "undoes that; API tokens work again",
    read: ofOne((email) =>
      onDatabase(async (deps) => {
        console.log(`${email} is ${(await enableUser(deps, email)) ? "enabled now" : "enabled already"}.`);
      }),
    ),
  },
  {
    name: "users reset",
    usage: "users reset EMAIL",
    about: "a new password from standard input; ends the sessions",
    read: ofOne((email) =>
      onDatabase(async (deps) => {
        await resetPassword(deps, email, await passwordFromStandardInput());
        console.log(`${email} has the new password, and has to sign in again.`);
        const tokens = await countTokens(deps, email);
        if (tokens > 0) console.log(`Still valid: ${tokens} of their API tokens. See "users sign-out".`);
      }),
    ),
  },
  {
    name: "users role",
    usage: "users role EMAIL manager|user",
    about: "makes a member a manager of the organization, or not",
    read: ({ words: [email, role, ...rest] }) => {
      if (!email || (role !== "manager" && role !== "user") || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        console.log(`${email} is a ${role} ${(await setRole(deps, email, role)) ? "now" : "already"}.`);
      });
    },
  },
  {
    name: "users sessions",
    usage: "users sessions EMAIL [--json]",
    about: "a person's sessions and API tokens",
    read: ({ words: [email, ...rest], options }) => {
      if (!email || rest.length > 0) return undefined;
      return onDatabase(async ({ db }) => print(await listCredentials(db, email), options));
    },
  },
  {
    name: "users sign-out",
    usage: "users sign-out EMAIL [--only sessions|tokens]",
    about: "ends them, both or only one kind",
    read: ({ words: [email, ...rest], options }) => {
      if (!email || rest.length > 0 || (options.only !== undefined && !only.has(options.only))) return undefined;
      return onDatabase(async (deps) => {
        const which = { sessions: options.only !== "tokens", tokens: options.only !== "sessions" };
        const ended = await signOutUser(deps, email, which);
        console.log(`Ended ${ended.sessions} sessions and ${ended.tokens} API tokens of ${email}.`);
      });
    },
  },
];

async function countTokens({ db }: ManageDeps, email: string): Promise<number> {
  return (await listCredentials(db, email)).filter(({ kind }) => kind === "API token").length;
}
