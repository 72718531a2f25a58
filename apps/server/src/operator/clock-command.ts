import { limits } from "@terrarium/contract";
import { moveServiceClock } from "../features/operator/service-clock.ts";
import { type Command, onDatabase } from "./command.ts";

const HOUR_MS = 60 * 60 * 1000;
const unitsMs: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS };

/** `+7d` or `+12h` in milliseconds; undefined for anything else. */
function readMove(text: string | undefined): number | undefined {
  const [, count = "", unit = ""] = /^\+(\d{1,5})([hd])$/.exec(text ?? "") ?? [];
  const ms = Number(count) * (unitsMs[unit] ?? 0);
  return ms > 0 && ms <= limits.clockMoveHours * HOUR_MS ? ms : undefined;
}

export const clockCommand: Command = {
  name: "clock",
  usage: "clock +COUNTh|+COUNTd",
  about: "moves a demonstration's date forward, to see what comes with time",
  read: ({ words: [move, ...rest] }) => {
    const ms = readMove(move);
    if (ms === undefined || rest.length > 0) return undefined;
    return async (installation) => {
      const isMovable = installation.settings.embedded;
      await onDatabase(async ({ by, ...deps }) => {
        const { now } = await moveServiceClock({ ...deps, isMovable }, ms, by);
        console.log(`It is ${now} now. The clock cannot be moved back.`);
      })(installation);
    };
  },
};
