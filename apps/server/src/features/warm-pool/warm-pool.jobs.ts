import type { Clock } from "@terrarium/clock";
import { AppError, instancePhases, type InstanceState, statesThatTake } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { isTaken } from "../instances/gateways.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { listWaiting } from "../instances/queue.ts";
import { checkImageZone, createDevice, findLayers, madeHash, snapshotOf } from "../instances/start-instance.ts";
import { addOwnAccount, forgetEndedDevices, warmAccount } from "../organizations/own-account.ts";
import { getCompleteRecipe } from "../recipes/recipes.ts";
import { COUNTED_MS, wantedDevices } from "./expected-starts.ts";
import { countAhead, YIELD_MS } from "./yields.ts";
import {
  countFree,
  countRefused,
  countStarts,
  hasFailedSince,
  listPools,
  listUnwanted,
  listWarm,
  lockPool,
  type PoolRow,
  type WarmDevice,
} from "./warm-pool.store.ts";

/** What was handed out is missed so soon. */
const LOOK_MS = 1_000;
/** What has failed, as nothing has room for it, may do so again. */
const RETRY_MS = 60_000;
/** A guest that has run for this long may differ from a fresh one. */
const MAX_AGE_MS = 12 * 60 * 60_000;
/** How many places a zone leaves free of ready devices, as a start of another recipe is refused at its limit. */
const SPARE = 1;
/** What was expected a moment ago may be so again: while one is younger than this, none is too many but for the most. */
const SETTLED_MS = COUNTED_MS;
const RETENTION_MS = 60 * 60_000;

interface Deps {
  db: Database;
  clock: Clock;
  runtimes: ReadonlySet<string>;
}

/** Refills the pools of booted devices, for the recipes for which the operator wants that, with as many as starts are expected. */
export const refillPools: Periodic<Deps> = {
  everyMs: LOOK_MS,
  async run(deps) {
    const { db, clock } = deps;
    const now = new Date(clock.now());
    await stop(deps, await listUnwanted(db));
    await forgetEndedDevices(db, warmAccount.uuid, new Date(now.getTime() - RETENTION_MS));
    const pools = await listPools(db);
    if (pools.length === 0) return;
    await addOwnAccount(db, warmAccount, now);
    const failures: unknown[] = [];
    for (const pool of pools)
      await transaction(db, async (trx) => {
        const locked = await lockPool(trx, pool);
        if (locked) await refillPool({ ...deps, db: trx }, locked);
      }).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, "some pools were not looked after");
  },
};

async function refillPool(deps: Deps, pool: PoolRow): Promise<void> {
  const { db, clock } = deps;
  const now = new Date(clock.now());
  const made = await madeOf(deps, pool);
  const devices = await listWarm(db, pool, made?.made_hash);
  const fits = ({ is_current, ran_ms, state }: WarmDevice) =>
    is_current && ran_ms < MAX_AGE_MS && (state === "CREATED" || instancePhases.starting.includes(state));
  const good = devices.filter(fits);
  await stop(
    deps,
    devices.filter((device) => !fits(device)),
  );
  if (!made) return;
  const room = good.length + ((await countFree(db, pool.zone)) ?? Infinity) - SPARE;
  const within = (count: number) => Math.max(0, Math.min(room, count));
  const expected = wantedDevices(await countStarts(db, pool, now), { ...pool, bootMs: made.bootMs });
  const yielded = await countYielded(db, { zone: pool.zone, runtime: made.runtime }, now);
  const wanted = within(expected - yielded);
  const isSettled = yielded > 0 || good.every(({ ran_ms }) => ran_ms >= SETTLED_MS);
  await stop(deps, good.slice(0, Math.max(0, good.length - (isSettled ? wanted : within(pool.most)))));
  if (good.length >= wanted || !(await isTaken(db, pool.zone))) return;
  if (await hasFailedSince(db, pool, new Date(now.getTime() - RETRY_MS))) return;
  const device = {
    // What runs on a device may read its name, so it has one before it has an owner.
    name: made.name,
    owner_uuid: warmAccount.uuid,
    organization_uuid: warmAccount.organization,
    recipe_uuid: pool.recipe_uuid,
    snapshot: made.snapshot,
    made_hash: made.made_hash,
    timeout_inactivity: 0,
    timeout_global: 0,
    zone: pool.zone,
    is_warm: true,
  };
  try {
    for (let count = good.length; count < wanted; count++) await createDevice(db, device, now);
  } catch (error) {
    // The limit of the zone.
    if (!(error instanceof AppError && error.code === "NO_SLOT_AVAILABLE")) throw error;
  }
}

/** How many devices others need the room of: those that wait, and those that were refused a moment ago. */
async function countYielded(db: Database, machines: { zone: string; runtime: string }, now: Date): Promise<number> {
  const refused = await countRefused(db, { ...machines, since: new Date(now.getTime() - YIELD_MS) });
  return refused + countAhead(await listWaiting(db), machines, now);
}

interface Made {
  name: string;
  snapshot: string;
  made_hash: string;
  runtime: string;
  bootMs: number | null;
}

/** What a start of the recipe would make now; undefined while it could not be started. */
async function madeOf({ db, runtimes }: Deps, pool: PoolRow): Promise<Made | undefined> {
  const { recipe_uuid, organization_uuid } = pool;
  const reader = { uuid: warmAccount.uuid, organization: organization_uuid ?? warmAccount.organization };
  try {
    const recipe = await getCompleteRecipe(db, reader, recipe_uuid);
    const { os_image: image } = recipe;
    await checkImageZone(db, recipe, pool.zone);
    const layers = await findLayers(db, image.uuid);
    if (recipe.status !== "READY" || image.status !== "READY" || !runtimes.has(image.runtime) || !layers)
      return undefined;
    const snapshot = JSON.stringify(snapshotOf(recipe, layers));
    return {
      name: recipe.hardware_profile.name,
      snapshot,
      made_hash: madeHash(snapshot),
      runtime: image.runtime,
      bootMs: image.boot_p95_ms,
    };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

async function stop({ db, clock }: Deps, devices: readonly { uuid: string; state: InstanceState }[]): Promise<void> {
  for (const { uuid } of devices.filter(({ state }) => statesThatTake("stop").includes(state)))
    await moveInstance(db, { uuid, event: "stop", isWarm: true, reason: "not_needed", now: new Date(clock.now()) });
}
