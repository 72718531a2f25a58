import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { demo, TestServer } from "@terrarium/e2e/support/server.ts";
import { Client } from "pg";
import { boundsOf, daysBetween } from "../apps/server/src/features/usage/days.ts";
import { findRuns, sumUse } from "../apps/server/src/features/usage/usage.store.ts";
import { megabytes, print, spread } from "./support/figures.ts";
import { plansOf, refuseScans } from "./support/plans.ts";

/**
 * What the usage of an organization with up to a million runs costs, of a year by 200 people in 21 groups with 30 recipes, beside another
 * organization with as many: for a year, for its last 30 days, and as files.
 */

const SIZES = [10_000, 100_000, 1_000_000] as const;
const PEOPLE = 200;
const DEVICES = 1_000;
const RECIPES = 30;
const PERIODS = { "a year": 365, "30 days": 30, "7 days": 7 };
const DAY_MS = 24 * 60 * 60 * 1000;

const server = await TestServer.start();
const url = await readFile(join(server.dataDir, "database-url"), "utf8");
const sql = new Client(url);
await sql.connect();
try {
  const { token, client } = await server.signIn(demo.manager);
  const organization = (await client.organizations.get({ params: { uuid: await ownOrganization() } })).uuid;
  const other = "6b1f9b52-6c0a-4f0e-9d55-0b1f6a6f3a11";
  await sql.query("INSERT INTO organizations (uuid, name, created_at) VALUES ($1, 'Others', now())", [other]);
  for (const whose of [organization, other]) await seedPeople(whose);
  const today = new Date().toISOString().slice(0, 10);
  const firstOf = (days: number) => new Date(Date.parse(today) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const get = async (path: string) => {
    const began = performance.now();
    const reply = await fetch(`${server.url}/cloud/v1/usage${path}`, { headers: { authorization: `Bearer ${token}` } });
    const bytes = (await reply.arrayBuffer()).byteLength;
    if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
    return { took: performance.now() - began, bytes };
  };

  let from = 0;
  for (const to of SIZES) {
    for (const whose of [organization, other]) await seedRuns(whose, from, to);
    await sql.query("VACUUM ANALYZE runs");
    from = to;
    console.log(`Usage of ${to} runs in a year`);
    for (const [label, days] of Object.entries(PERIODS)) {
      const path = `?since=${firstOf(days)}&until=${today}&time_zone=Europe/Paris`;
      const took: number[] = [];
      await get(path);
      for (let calls = 0; calls < (to > 100_000 ? 5 : 20); calls++) took.push((await get(path)).took);
      print(label, `${spread(took, 1)} ms`);
    }
    for (const format of ["csv", "xlsx"]) {
      const { took, bytes } = await get(`/export?since=${firstOf(365)}&until=${today}&format=${format}`);
      print(`a year as ${format}`, `${(took / 1e3).toFixed(2)} s, ${megabytes(bytes, 1)}`);
    }
  }

  const now = new Date();
  const bounds = boundsOf(daysBetween(firstOf(30), today), "Europe/Paris");
  const filter = { organization, since: bounds[0]!, until: bounds.at(-1)!, now };
  const plans = await plansOf(url, {
    "30 days": (db) => sumUse(db, filter, bounds),
    "a page of an export": (db) => findRuns(db, filter, { after: undefined, limit: 1_000 }),
  });
  for (const { label, tables } of plans) {
    refuseScans(label, tables, "runs");
    console.log(`  plan of ${label}: ${tables.join("; ")}`);
  }
} finally {
  await sql.end();
  await server.stop();
}

async function ownOrganization(): Promise<string> {
  const { rows } = await sql.query<{ uuid: string }>("SELECT organization_uuid AS uuid FROM users WHERE email = $1", [
    demo.manager.email,
  ]);
  return rows[0]!.uuid;
}

/** People in groups, and their devices, which have all ended. */
async function seedPeople(organization: string): Promise<void> {
  await sql.query(
    `INSERT INTO users (uuid, email, first_name, last_name, organization_uuid, is_validated, created_at)
      SELECT gen_random_uuid(), $1 || n || '@many.test', 'Person', 'Number ' || n, $1::uuid, true, now() FROM generate_series(1, ${PEOPLE}) AS n`,
    [organization],
  );
  await sql.query(
    `INSERT INTO groups (uuid, organization_uuid, name, created_at)
      SELECT gen_random_uuid(), $1, 'Group ' || n, now() FROM generate_series(0, 20) AS n`,
    [organization],
  );
  await sql.query(
    `INSERT INTO group_users (group_uuid, user_uuid) SELECT groups.uuid, users.uuid FROM users JOIN groups USING (organization_uuid)
      WHERE organization_uuid = $1 AND (groups.name = 'Group 0' OR right(groups.name, 1) = right(last_name, 1)) ON CONFLICT DO NOTHING`,
    [organization],
  );
  await sql.query(
    `INSERT INTO instances (uuid, name, owner_uuid, organization_uuid, allocated_to, snapshot, state, timeout_inactivity,
        timeout_global, created_at, updated_at, ended_at)
      SELECT gen_random_uuid(), 'device-' || row_number() OVER (), uuid, $1, uuid, '{}', 'DELETED', 0, 0, now(), now(), now()
      FROM users, generate_series(1, ${DEVICES / PEOPLE}) WHERE organization_uuid = $1 AND email LIKE '%@many.test'`,
    [organization],
  );
}

/** Runs of some seconds to five hours, at any time of the last year. */
async function seedRuns(organization: string, from: number, to: number): Promise<void> {
  await sql.query(
    `INSERT INTO runs (instance_uuid, revision, organization_uuid, owner_uuid, counted_for, recipe_uuid, recipe_name, began_at, ended_at)
      SELECT device.uuid, 10 + n, $1, owner_uuid, owner_uuid, md5('recipe ' || n % ${RECIPES})::uuid, 'Recipe ' || n % ${RECIPES}, at,
        at + random() * interval '5 hours'
      FROM (SELECT n, now() - random() * interval '365 days' - interval '5 hours' AS at FROM generate_series($2::int, $3::int) AS n) AS run
        JOIN (SELECT uuid, owner_uuid, row_number() OVER () AS place FROM instances WHERE organization_uuid = $1 AND name LIKE 'device-%')
          AS device ON device.place = 1 + n % ${DEVICES}`,
    [organization, from + 1, to],
  );
}
