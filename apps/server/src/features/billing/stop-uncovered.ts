import { activeStates, limits, statesThatTake, type StopReason } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Logger } from "../../platform/log.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { lockWork } from "./collect.ts";
import { isUsedUp, usedMinutes } from "./minutes.ts";
import { announceUncovered, type Limited, listDevices, listLimited } from "./minutes.store.ts";
import type { PlanDeps } from "./plan-state.ts";

const NOTICE_MS = limits.stopNoticeMinutes * 60_000;

export interface UncoveredDeps extends PlanDeps {
  db: Database;
  log: Logger;
}

/** Looks at all devices for which nothing may be paid. A failure for one organization does not leave the others running. */
export async function lookAtUncovered(deps: UncoveredDeps): Promise<void> {
  const { db, clock, log } = deps;
  const now = new Date(clock.now());
  for (const found of await listLimited(db, { states: activeStates, now }))
    try {
      if (found.is_told || (await whyUncovered(db, found, now)))
        await transaction(db, (trx) => lookAtOrganization(trx, deps, found.uuid));
    } catch (error) {
      log.error({ err: error, organization: found.uuid }, "devices could not be looked at and will be again");
    }
}

/** Why no device of an organization may run on; null while they may. */
async function whyUncovered(db: Database, found: Limited, now: Date): Promise<StopReason | null> {
  if (found.is_unpaid) return "plan_suspended";
  if (found.license_expires_at !== null && found.license_expires_at <= now) return "license_expired";
  if (found.license_type !== "pending") return null;
  return isUsedUp(await usedMinutes(db, found, now), true) ? "minutes_used_up" : null;
}

/** Announces when devices that nothing covers will stop, withdraws that once something does, and stops those whose time has come. */
async function lookAtOrganization(trx: Database, deps: PlanDeps, uuid: string): Promise<void> {
  const { now } = await lockWork(trx, deps, uuid);
  const [found] = await listLimited(trx, { states: activeStates, now }, uuid);
  if (!found) return;
  const why = await whyUncovered(trx, found, now);
  const soon = new Date(now.getTime() + NOTICE_MS);
  const stops = (await listDevices(trx, uuid, statesThatTake("stop"))).map((device) => {
    // What was paid in advance is not limited by minutes, and must not outlive its plan.
    const because = why ?? (found.license_type === "pending" && device.is_paid ? "plan_ended" : null);
    return { uuid: device.uuid, because, stops_at: because && (device.stops_at ?? soon) };
  });
  await announceUncovered(trx, stops, now);
  const due = stops.filter(({ stops_at }) => stops_at !== null && stops_at <= now);
  for (const { uuid: device, because } of due)
    await moveInstance(trx, { uuid: device, event: "stop", reason: because ?? undefined, now });
}
