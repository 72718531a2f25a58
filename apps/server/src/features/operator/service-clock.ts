import { AppError, type ServiceClock } from "@terrarium/contract";
import { moveClock, readShift } from "../../platform/clock-shift.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { passTime } from "../instances/pass-time.ts";
import type { FeatureDeps } from "../deps.ts";

export interface ClockDeps extends FeatureDeps {
  /** Whether the service has its embedded database: elsewhere people's own clocks, certificates and other services would be left behind. */
  isMovable: boolean;
}

/** What time it is for the service. */
export async function readServiceClock({ db, clock, isMovable }: Omit<ClockDeps, "audit">): Promise<ServiceClock> {
  const now = new Date(clock.now()).toISOString();
  return { now, ahead_seconds: Math.round((await readShift(db)) / 1000), is_movable: isMovable };
}

/**
 * Moves the clock of all processes of the service forward; it cannot be moved back.
 * @throws AppError CLOCK_NOT_MOVABLE
 */
export async function moveServiceClock(
  { db, clock, audit, isMovable }: ClockDeps,
  byMs: number,
  by: By,
): Promise<ServiceClock> {
  if (!isMovable) throw new AppError("CLOCK_NOT_MOVABLE");
  return transaction(db, async (trx) => {
    const now = new Date(clock.now() + byMs).toISOString();
    const aheadMs = await moveClock(trx, byMs);
    await passTime(trx, byMs);
    await audit.record(trx, by, { action: "clock.move", details: { hours: byMs / 3_600_000, now } });
    return { now, ahead_seconds: Math.round(aheadMs / 1000), is_movable: isMovable };
  });
}
