import { startDevice, untilState } from "./support/instances.ts";
import { databaseOf } from "./support/database.ts";
import { demo, TestServer } from "./support/server.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createDatabase } from "../apps/server/src/platform/db/database.ts";
import { claimInstances, listHeld, listUnattended, writeTimes, findBoots } from "../apps/server/src/features/instances/leases.store.ts";
import { listWaiting } from "../apps/server/src/features/instances/queue.store.ts";

const server = await TestServer.start({ LOG_LEVEL: "fatal" });
try {
  const { client } = await server.signIn(demo.manager);
  const { uuid } = await startDevice(client);
  await untilState(client, uuid, "ONLINE");
  const pool = await databaseOf(server.dataDir);
  const db = createDatabase(await readFile(join(server.dataDir, "database-url"), "utf8")) as any;
  const real = db.db ?? db;
  const beat = setInterval(() => void pool.query("UPDATE gateways SET beat = gen_random_uuid() WHERE id LIKE 'gw%'"), 1000);
  const gws = 20;
  await pool.query(`INSERT INTO gateways (id, address, zones, beat) SELECT 'gw' || n, '127.0.0.1:1', NULL, gen_random_uuid() FROM generate_series(0, ${gws - 1}) AS n`);
  let have = 0;
  for (const count of [100, 1000, 10000]) {
    const add = count - have;
    await pool.query(
      `INSERT INTO instances (uuid, name, owner_uuid, organization_uuid, recipe_uuid, snapshot, state, timeout_inactivity, timeout_global, created_at, updated_at, online_at, ran_ms, idle_ms, measured_at, lease_holder, lease_epoch, place)
       SELECT gen_random_uuid(), 'D ' || n, owner_uuid, organization_uuid, recipe_uuid, snapshot, 'ONLINE', 0, 0, now(), now(), now(), 1, 1, now(), 'gw' || n % ${gws}, 1, 'elsewhere'
       FROM generate_series($1::int, $2::int) AS n, (SELECT * FROM instances WHERE uuid = $3) AS first`, [have, have + add - 1, uuid]);
    have = count;
    await pool.query("ANALYZE instances");
    const time = async (name: string, work: () => Promise<unknown>, times = 20) => {
      await work();
      const began = performance.now();
      for (let i = 0; i < times; i++) await work();
      console.log(count, name.padEnd(30), ((performance.now() - began) / times).toFixed(2), "ms");
    };
    const reach = [{ runtime: "simulator", place: "nowhere" }];
    await time("claim nothing", () => claimInstances(real, { holder: "gw0", reach }, 50));
    await time("listWaiting", () => listWaiting(real));
    await time("listUnattended", () => listUnattended(real));
    await time("listHeld of one in 20", () => listHeld(real, "gw0"));
    const held = await listHeld(real, "gw0");
    const measured = held.map((h) => ({ uuid: h.uuid, epoch: 1, isWarm: false, time: { ran_ms: 5, idle_ms: 6, measured_at: new Date() } }));
    await time(`writeTimes of ${measured.length}`, () => writeTimes(real, measured));
    const all = (await Promise.all(Array.from({ length: gws }, (_, i) => listHeld(real, `gw${i}`)))).flat();
    const every = all.map((h) => ({ uuid: h.uuid, epoch: 1, isWarm: false, time: { ran_ms: 5, idle_ms: 6, measured_at: new Date() } }));
    await time(`writeTimes of ${every.length}`, () => writeTimes(real, every), 5);
    await time("list page", () => client.instances.list({ query: { page_size: 10 } }), 10);
    const one = await startDevice(client, { name: `x${count}` }).catch((e) => console.log("start", String(e)));
    void one;
    await time("overview running count", () => pool.query("SELECT count(*) FROM instances WHERE organization_uuid = (SELECT organization_uuid FROM instances LIMIT 1) AND state = 'ONLINE'"));
    const size = await pool.query("SELECT pg_total_relation_size('instances')/1024/1024 AS mb, (SELECT n_tup_hot_upd || '/' || n_tup_upd FROM pg_stat_user_tables WHERE relname='instances') AS hot");
    console.log(size.rows[0]);
  }
  const explain = await pool.query(`EXPLAIN (ANALYZE, BUFFERS) SELECT uuid FROM instances WHERE state = ANY('{CREATING,CREATED,STARTING,BOOTING,ONLINE,SAVING,SAVED,STOPPING,DELETING}') AND (lease_holder IS NULL OR NOT EXISTS (SELECT FROM gateways WHERE id = lease_holder)) AND queued_at IS NULL`);
  for (const row of explain.rows) console.log(row["QUERY PLAN"]);
  clearInterval(beat);
  await pool.end();
} finally {
  await server.stop();
  process.exit();
}
