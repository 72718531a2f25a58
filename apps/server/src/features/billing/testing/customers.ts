import type { TestClock } from "@terrarium/clock";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database } from "../../../database/schema.ts";
import { aUser, anOrganization } from "../../../testing/factories.ts";
import { moveInstance } from "../../instances/move-instance.ts";
import { addGrant } from "../minutes.ts";
import { makePayable } from "./plans.ts";

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Customer {
  uuid: string;
  owner: string;
}

/** An organization that can pay, with free minutes. */
export async function aCustomer(db: Database, clock: TestClock, minutes: number): Promise<Customer> {
  const uuid = await anOrganization(db, { license_type: "pending", instances_max: 5 });
  const owner = await aUser(db, { organization: uuid });
  if (minutes > 0) await addGrant(db, uuid, minutes, new Date(clock.now()));
  await makePayable(db, uuid);
  return { uuid, owner: owner.uuid };
}

/** A device comes online. */
export async function goOnline(db: Database, clock: TestClock, customer: Customer): Promise<string> {
  const uuid = randomUUID();
  const now = new Date(clock.now());
  await db
    .insertInto("instances")
    .values({
      uuid,
      name: uuid,
      owner_uuid: customer.owner,
      organization_uuid: customer.uuid,
      recipe_uuid: null,
      snapshot: "{}",
      state: "BOOTING",
      timeout_inactivity: 0,
      timeout_global: 0,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await moveInstance(db, { uuid, event: "booted", now });
  return uuid;
}

/** What gateways do with each beat. */
export async function measure(db: Database, clock: TestClock): Promise<void> {
  const now = new Date(clock.now());
  await sql`UPDATE instances SET ran_ms = round(1000 * extract(epoch FROM ${now}::timestamptz - online_at)), measured_at = ${now}
    WHERE state = 'ONLINE'`.execute(db);
}
