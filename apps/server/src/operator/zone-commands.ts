import { limitZone, listZones } from "../features/instances/zone-limits.ts";
import { type Command, onDatabase, print } from "./command.ts";

export const zoneCommands: readonly Command[] = [
  {
    name: "zones list",
    usage: "zones list [--json]",
    about: "how many devices each zone has, may have, and how many wait",
    read: ({ words, options }) =>
      words.length > 0 ? undefined : onDatabase(async ({ db }) => print(await listZones(db), options)),
  },
  {
    name: "zones limit",
    usage: "zones limit ZONE COUNT|none",
    about: "how many devices a zone may have, whatever its machines could run",
    read: ({ words: [zone, count = "", ...rest] }) => {
      if (!zone || !/^(\d+|none)$/.test(count) || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        await limitZone(deps, zone, count === "none" ? undefined : Number(count), deps.by);
        console.log(count === "none" ? `${zone} has no limit.` : `${zone} may have ${count} devices.`);
      });
    },
  },
];
