import { type Zone, zones } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import type { FeatureDeps } from "../deps.ts";
import { isUnserved } from "../instances/gateways.ts";
import { deletePool, findRecipesCalled, upsertPool } from "./warm-pool.store.ts";

export { showPools } from "./warm-pool.store.ts";

/** More would take a machine that no other device can use. */
const MOST_WARM = 500;

export interface PoolOf {
  /** The uuid of a recipe, or the name of an official one. */
  called: string;
  zone: string;
}

/**
 * Holds booted devices of a recipe ready in a zone, between a minimum and a maximum, as starts are expected.
 * @throws Error that says what is wrong
 */
export async function setPool(
  { db, audit }: Pick<FeatureDeps, "db" | "audit">,
  { called, zone, least, most }: PoolOf & { least: number; most: number },
  by: By,
): Promise<void> {
  if (!zones.includes(zone as Zone)) throw new Error(`There is no zone ${zone}: ${zones.join(", ")}.`);
  if (most < 1 || most > MOST_WARM || least > most)
    throw new Error(`At least 1 and at most ${MOST_WARM} devices are kept, and no fewer at most than at least.`);
  if (await isUnserved(db, zone)) throw new Error(`No gateway has machines in ${zone}.`);
  await transaction(db, async (trx) => {
    const uuid = await recipeCalled(trx, called);
    await upsertPool(trx, { recipe_uuid: uuid, zone, least, most });
    const details = { zone, least, most };
    await audit.record(trx, by, { action: "warm_pool.set", subject: { kind: "recipe", uuid }, details });
  });
}

/** Ends that, and the devices that are ready. @throws Error if there is no such pool */
export async function removePool(
  { db, audit }: Pick<FeatureDeps, "db" | "audit">,
  { called, zone }: PoolOf,
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    const uuid = await recipeCalled(trx, called);
    if (!(await deletePool(trx, { recipe_uuid: uuid, zone })))
      throw new Error(`No devices of ${called} are kept ready in ${zone}.`);
    await audit.record(trx, by, { action: "warm_pool.remove", subject: { kind: "recipe", uuid }, details: { zone } });
  });
}

async function recipeCalled(db: FeatureDeps["db"], called: string): Promise<string> {
  const [recipe, ...others] = await findRecipesCalled(db, called);
  if (!recipe) throw new Error(`There is no official recipe ${called}, and none with this identifier.`);
  if (others.length > 0)
    throw new Error(`Several are called ${called}: ${[recipe, ...others].map(({ uuid }) => uuid).join(", ")}.`);
  return recipe.uuid;
}
