import { addOperator, listOperators } from "../features/operator/operators.ts";
import { type Command, onDatabase, pagesAt, print } from "./command.ts";

export const operatorCommands: readonly Command[] = [
  {
    name: "operators add",
    usage: "operators add EMAIL",
    about: "an account for the console at /operator; prints a link to set its password",
    read: ({ words: [email, ...rest] }) => {
      if (!email || rest.length > 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const link = await addOperator(deps, { email, origin: pagesAt(installation) });
          console.log(`${email} sets a password here, once, within a day, and a second factor at the first sign-in:`);
          console.log(link);
        })(installation);
    },
  },
  {
    name: "operators",
    usage: "operators [--json]",
    about: "who may use the console; users disable EMAIL takes it away",
    read: ({ words, options }) => {
      if (words.length > 0) return undefined;
      return onDatabase(async ({ db }) => print(await listOperators(db), options));
    },
  },
];
