import { zones } from "@terrarium/contract";
import { removePool, setPool, showPools } from "../features/warm-pool/warm-pool.ts";
import { type Command, onDatabase, print } from "./command.ts";

const isCount = (word: string | undefined): word is string => word !== undefined && /^\d+$/.test(word);

export const warmCommands: readonly Command[] = [
  {
    name: "warm list",
    usage: "warm list [--json]",
    about: "recipes of which devices are kept booted, and how many are ready",
    read: ({ words, options }) =>
      words.length > 0 ? undefined : onDatabase(async ({ db }) => print(await showPools(db), options)),
  },
  {
    name: "warm set",
    usage: "warm set RECIPE LEAST [MOST] [--zone ZONE]",
    about: "keeps devices of a recipe booted, so that a start takes no time",
    read: ({ words: [called, least, most = least, ...rest], options: { zone = zones[0] } }) => {
      if (!called || !isCount(least) || !isCount(most) || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        await setPool(deps, { called, zone, least: Number(least), most: Number(most) }, deps.by);
        console.log(`Between ${least} and ${most} devices of ${called} are kept ready in ${zone}.`);
      });
    },
  },
  {
    name: "warm remove",
    usage: "warm remove RECIPE [--zone ZONE]",
    about: "ends that, and the devices that are ready",
    read: ({ words: [called, ...rest], options: { zone = zones[0] } }) => {
      if (!called || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        await removePool(deps, { called, zone }, deps.by);
        console.log(`No devices of ${called} are kept ready in ${zone} any more.`);
      });
    },
  },
];
