import { demo } from "@terrarium/e2e/support/server.ts";
import { sql as query } from "kysely";
import type { Database, Schema } from "../apps/server/src/database/schema.ts";
import { findRecords } from "../apps/server/src/features/audit/read-audit.store.ts";
import { groupTree } from "../apps/server/src/features/groups/group-tree.ts";
import { type Counted, findFullGroups } from "../apps/server/src/features/groups/groups.store.ts";
import { listUsers } from "../apps/server/src/features/users/users.store.ts";
import { createDatabase } from "../apps/server/src/platform/db/database.ts";
import { spread } from "./support/figures.ts";
import { benchLists } from "./support/list-bench.ts";
import { plansOf, refuseScans } from "./support/plans.ts";

/**
 * An organization with up to 10,000 people in up to 500 groups, four deep, beside another one with as many. Everybody is in the default group
 * as well, has run a device ten times in a year, and is in ten records of the audit log. Lists of people and groups, the dashboard and the
 * audit log. Then what the allocation of groups adds to a start while 1,000 devices run.
 */

const PEOPLE_OF_GROUP = 20;
const DEVICES = 1_000;
const STARTS = 200;
const RUNS_OF_PERSON = 10;
const DAY_MS = 24 * 60 * 60 * 1000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

class RolledBack extends Error {}

let everybody = "";
let anyGroup = "";

await benchLists({
  title: "Groups and their people",
  path: "/v1/groups",
  queries: () => ({
    "all groups": "",
    "search for groups": "search=49",
    "people of a group": `/v1/groups/${anyGroup}/users`,
    "people of the default group": `/v1/groups/${everybody}/users?page_size=25`,
    "... by search": `/v1/groups/${everybody}/users?search=99`,
    "all people, with their groups": "/v2/users?page_size=25&ordering=created_at,email",
    "all people by search": "/v2/users?page_size=25&ordering=created_at,email&search=99",
    "what managers see first": "/v1/usage/overview",
    "use of 30 days, by group and person": `/v1/usage?since=${dayBefore(29)}&until=${dayBefore(0)}&time_zone=Europe/Paris`,
    "the audit log": "/v1/audit?page_size=25",
    "the audit log of one person": "/v1/audit?page_size=25&person=a42@many.test",
    "the audit log by part of a name": "/v1/audit?page_size=25&actor=Number%2099",
  }),
  async prepare(server) {
    const { client } = await server.signIn(demo.manager);
    const groups = await client.groups.list({ query: {} });
    everybody = groups.find(({ is_default }) => is_default)?.uuid ?? "";
    anyGroup = (await client.groups.create({ body: { name: "Group 0" } })).uuid;
  },
  async seed({ sql, from, to, organization, other }) {
    for (const [letter, uuid] of Object.entries({ a: organization, b: other.organization })) {
      // Each group is below one before it: three of four below another.
      await sql.query(
        `INSERT INTO groups (uuid, organization_uuid, parent_uuid, name, group_allocation, created_at)
          SELECT gen_random_uuid(), $1, NULL, 'Group ' || n, NULL, now() FROM generate_series($2::int, $3::int) AS n`,
        [uuid, from / PEOPLE_OF_GROUP + 1, to / PEOPLE_OF_GROUP],
      );
      await sql.query(
        `UPDATE groups SET parent_uuid = parent.uuid FROM groups AS parent
          WHERE groups.organization_uuid = $1 AND parent.organization_uuid = $1 AND groups.name LIKE 'Group %'
            AND substr(groups.name, 7)::int % 4 <> 0
            AND parent.name = 'Group ' || (substr(groups.name, 7)::int - 1)`,
        [uuid],
      );
      await sql.query(
        `INSERT INTO users (uuid, email, first_name, last_name, organization_uuid, is_validated, created_at)
          SELECT gen_random_uuid(), $4 || n || '@many.test', 'Person', 'Number ' || n, $1, true, now()
          FROM generate_series($2::int, $3::int) AS n`,
        [uuid, from + 1, to, letter],
      );
      await sql.query(
        `INSERT INTO group_users (group_uuid, user_uuid)
          SELECT groups.uuid, users.uuid FROM users JOIN groups USING (organization_uuid)
          WHERE organization_uuid = $1 AND users.email LIKE '%@many.test' AND (groups.is_default OR
            groups.name = 'Group ' || (substr(split_part(users.email, '@', 1), 2)::int / ${PEOPLE_OF_GROUP}))
          ON CONFLICT DO NOTHING`,
        [uuid],
      );
      const added = `SELECT uuid, organization_uuid, n FROM users, generate_series(1, ${RUNS_OF_PERSON}) AS n
        WHERE organization_uuid = $1 AND users.email LIKE '%@many.test'
          AND substr(split_part(users.email, '@', 1), 2)::int > $2`;
      await sql.query(
        `WITH device AS (INSERT INTO instances (uuid, name, owner_uuid, organization_uuid, allocated_to, snapshot, state,
              timeout_inactivity, timeout_global, created_at, updated_at)
            SELECT gen_random_uuid(), 'one', uuid, organization_uuid, uuid, '{}', 'DELETED', 0, 0, now(), now()
            FROM (${added}) AS person WHERE n = 1 RETURNING uuid, owner_uuid, organization_uuid)
          INSERT INTO runs (instance_uuid, revision, organization_uuid, owner_uuid, counted_for, recipe_uuid, recipe_name, began_at, ended_at)
            SELECT uuid, n, organization_uuid, owner_uuid, owner_uuid, md5('recipe ' || n)::uuid, 'Recipe ' || n, at,
              at + random() * interval '5 hours'
            FROM (SELECT *, now() - random() * interval '365 days' - interval '5 hours' AS at
              FROM device, generate_series(1, ${RUNS_OF_PERSON}) AS n) AS run`,
        [uuid, from],
      );
      await sql.query(
        `INSERT INTO audit_records (at, action, outcome, actor_kind, actor_uuid, organization_uuid, details)
          SELECT now() - n * interval '1 day', 'session.open', 'done', 'user', uuid, organization_uuid, '{}' FROM (${added}) AS person
          ORDER BY n DESC`,
        [uuid, from],
      );
    }
  },
  async plans(url, reader) {
    const place = { organization_uuid: reader.organization, user_uuid: reader.uuid };
    const listed = { organization: reader.organization, ordering: [{ field: "email", descending: false } as const] };
    const reads = await plansOf(url, {
      "all groups": (db) => groupTree(db, reader.organization),
      "people of a group": (db) => listUsers(db, { ...listed, group: anyGroup }, { limit: 12, offset: 0 }),
      "all people": (db) => listUsers(db, listed, { limit: 25, offset: 0 }),
      "the audit log": (db) => findRecords(db, { organization: reader.organization }, { before: undefined, limit: 26 }),
      "the audit log of one person": (db) =>
        findRecords(db, { organization: reader.organization, person: reader.uuid }, { before: undefined, limit: 26 }),
      start: (db) => findFullGroups(db, [place]),
    });
    for (const { label, tables } of reads) if (label !== "all groups") refuseScans(label, tables, "group_users");
    for (const { label, tables } of reads) refuseScans(label, tables, "audit_records");
    return [
      ...reads.map(({ label, tables }) => `plan of ${label}: ${tables.join("; ")}`),
      await costOfStart(url, place),
    ];
  },
});

/** Asks for a full group as each start does, for somebody in a group that limits them. Nothing of it stays. */
async function costOfStart(url: string, place: Counted): Promise<string> {
  const db = createDatabase<Schema>(url, { max: 1 });
  const took: number[] = [];
  const work = async (trx: Database) => {
    await query`
      INSERT INTO instances (uuid, name, owner_uuid, organization_uuid, allocated_to, snapshot, state, timeout_inactivity,
          timeout_global, created_at, updated_at)
        SELECT gen_random_uuid(), 'one', uuid, organization_uuid, uuid, '{}', 'ONLINE', 0, 0, now(), now()
        FROM users WHERE organization_uuid = ${place.organization_uuid} ORDER BY email LIMIT ${DEVICES}`.execute(trx);
    await query`UPDATE groups SET group_allocation = ${2 * DEVICES}
      WHERE is_default AND organization_uuid = ${place.organization_uuid}`.execute(trx);
    await query`ANALYZE instances`.execute(trx);
    for (let count = 0; count < STARTS; count++) {
      const began = performance.now();
      const full = await findFullGroups(trx, [place]);
      took.push(performance.now() - began);
      if (full.length > 0) throw new Error("The group is not full");
    }
    throw new RolledBack();
  };
  await db
    .transaction()
    .execute(work)
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  await db.destroy();
  return `a start, with ${DEVICES} devices running in its group: ${spread(took, 2)} ms`;
}
