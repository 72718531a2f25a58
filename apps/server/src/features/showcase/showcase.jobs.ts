import type { Clock } from "@terrarium/clock";
import { AppError, runningStates, statesThatTake } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { byService } from "../audit/by.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { type StartDeps, startInstance } from "../instances/start-instance.ts";
import { forgetEndedDevices } from "../organizations/own-account.ts";
import { addShowcaseOwner, showcaseActor, showcaseOwner } from "./showcase-owner.ts";
import { listDevices } from "./showcase.store.ts";
import type { Showcase } from "./showcase.ts";

/** Visitors wait for the next device. */
const LOOK_MS = 1_000;
/** What has failed or was refused may be so again. */
const RETRY_MS = 60_000;
/** Each visitor who touches it uses one up. */
const RETENTION_MS = 60 * 60_000;

/**
 * Supervises the device that the home page shows: starts it like any other, starts another when it has ended, and ends it when the setting
 * asks for another or none.
 */
export function superviseShowcase({
  showcase,
  ...deps
}: StartDeps & { showcase?: Showcase | undefined }): Periodic<unknown> {
  const { db, clock } = deps;
  let startsAt = Number.NEGATIVE_INFINITY;
  const start = async (recipe: string): Promise<void> => {
    await addShowcaseOwner(db, new Date(clock.now()));
    const body = { instance_name: "Showcase", rename_on_conflict: true, timeouts: { inactivity: 0, global: 0 } };
    await startInstance(deps, showcaseActor, { recipe, body, idempotencyKey: undefined, origin: "", by: byService });
  };
  return {
    everyMs: showcase ? LOOK_MS : RETRY_MS,
    async run() {
      const devices = await listDevices(db, showcaseOwner);
      const now = clock.now();
      await endOthers({ db, clock }, devices, showcase?.recipe);
      const isEnough = devices.some(
        ({ state, updated_at }) => runningStates.includes(state) || updated_at.getTime() > now - RETRY_MS,
      );
      if (!showcase || isEnough || clock.monotonic() < startsAt) return;
      await forgetEndedDevices(db, showcaseOwner, new Date(now - RETENTION_MS));
      await start(showcase.recipe).catch((error: unknown) => {
        // Another process was faster.
        if (error instanceof AppError && error.code === "TOO_MANY_RUNNING_VDS") return;
        startsAt = clock.monotonic() + RETRY_MS;
        throw error;
      });
    },
  };
}

async function endOthers(
  { db, clock }: { db: Database; clock: Clock },
  devices: Awaited<ReturnType<typeof listDevices>>,
  recipe: string | undefined,
): Promise<void> {
  const others = devices.filter(
    ({ state, recipe_uuid }) => statesThatTake("stop").includes(state) && recipe_uuid !== (recipe ?? null),
  );
  for (const { uuid } of others)
    await moveInstance(db, { uuid, event: "stop", reason: "showcase_changed", now: new Date(clock.now()) });
}
