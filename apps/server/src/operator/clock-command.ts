import { passTime } from "../features/instances/pass-time.ts";
import { moveClock } from "../platform/clock-shift.ts";
import { transaction } from "../platform/db/transaction.ts";
import { type Command, onDatabase } from "./command.ts";

const HOUR_MS = 60 * 60 * 1000;
const unitsMs: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS };
/** Ten years: enough for every rule, and not for a date that cannot be written. */
const MAX_MS = 3650 * 24 * HOUR_MS;

/** `+7d` or `+12h` in milliseconds; undefined for anything else. */
export function readMove(text: string | undefined): number | undefined {
  const [, count = "", unit = ""] = /^\+(\d{1,5})([hd])$/.exec(text ?? "") ?? [];
  const ms = Number(count) * (unitsMs[unit] ?? 0);
  return ms > 0 && ms <= MAX_MS ? ms : undefined;
}

export const clockCommand: Command = {
  name: "clock",
  usage: "clock +COUNTh|+COUNTd",
  about: "moves a demonstration's date forward, to see what comes with time",
  read: ({ words: [move, ...rest] }) => {
    const ms = readMove(move);
    if (ms === undefined || rest.length > 0) return undefined;
    return async (installation) => {
      // Elsewhere people's own clocks, certificates and other services would be left behind.
      if (!installation.settings.embedded)
        throw new Error("Only a server with its embedded database has a clock that can be moved.");
      await onDatabase(async ({ db, clock }) => {
        const before = clock.now();
        await transaction(db, async (trx) => {
          await moveClock(trx, ms);
          await passTime(trx, ms);
        });
        console.log(`It is ${new Date(before + ms).toISOString()} now. The clock cannot be moved back.`);
      })(installation);
    };
  },
};
