import { listGateways, setGateway } from "../features/operator/gateways.ts";
import { addOperator, listOperators } from "../features/operator/operators.ts";
import { type Command, onDatabase, pagesAt, print } from "./command.ts";

const drains: readonly [string, boolean, string][] = [
  ["drain", true, "takes no new devices from now on; those that run go on"],
  ["undrain", false, "undoes that"],
];

export const operatorCommands: readonly Command[] = [
  ...drains.map(([verb, isDraining, about]): Command => ({
    name: `gateways ${verb}`,
    usage: `gateways ${verb} ID`,
    about,
    read: ({ words: [id, ...rest] }) => {
      if (!id || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        await setGateway(deps, id, isDraining, deps.by);
        console.log(`${id} ${isDraining ? "drains: it takes no new devices" : "takes devices"}.`);
      });
    },
  })),
  {
    name: "gateways",
    usage: "gateways [--json]",
    about: "those that are up, with their devices, and which drain",
    read: ({ words, options }) =>
      words.length > 0 ? undefined : onDatabase(async ({ db }) => print(await listGateways(db), options)),
  },
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
