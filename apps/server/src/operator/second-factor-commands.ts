import { removeSecondFactors, requireOfOrganization } from "../features/second-factor/for-operator.ts";
import { allowAnySignIn } from "../features/sign-in-rules/for-operator.ts";
import { type Command, onDatabase, pagesAt } from "./command.ts";

export const secondFactorCommands: readonly Command[] = [
  {
    name: "organizations second-factor",
    usage: "organizations second-factor NAME required|optional",
    about: "whether its members need a second factor",
    read: ({ words: [name, rule, ...rest] }) => {
      if (!name || (rule !== "required" && rule !== "optional") || rest.length > 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          await requireOfOrganization(deps, name, rule === "required", pagesAt(installation));
          console.log(`A second factor is ${rule} in ${name}.`);
        })(installation);
    },
  },
  {
    name: "organizations any-sign-in",
    usage: "organizations any-sign-in NAME",
    about: "for one whose members cannot sign in in the ways it allows",
    read: ({ words: [name, ...rest] }) => {
      if (!name || rest.length > 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          await allowAnySignIn(deps, name, pagesAt(installation));
          console.log(`Members of ${name} may sign in in any way.`);
        })(installation);
    },
  },
  {
    name: "users no-second-factor",
    usage: "users no-second-factor EMAIL",
    about: "for somebody who has lost theirs, passkeys too; ends the sessions",
    read: ({ words: [email, ...rest] }) => {
      if (!email || rest.length > 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const isDone = await removeSecondFactors(deps, email, pagesAt(installation));
          console.log(isDone ? `${email} has no second factor any more.` : `${email} has no second factor.`);
        })(installation);
    },
  },
];
