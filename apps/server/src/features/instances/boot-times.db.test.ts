import { sql } from "kysely";
import { expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { measureBoots } from "./instances.jobs.ts";

const times = (length: number, seconds: number): number[] => Array.from({ length }, () => seconds);

it("tells with an image how long its devices took to be online lately, and only if it has changed by more than a tenth", async () => {
  const { as, db, clock } = await createTestApp();
  const robin = await as();
  await robin.start();
  const { rows } = await sql<{ image: string }>`SELECT snapshot #>> '{osImage,uuid}' AS image FROM instances`.execute(
    db,
  );
  const image = async () => (await robin.get(`/v1/os-images/${rows[0]!.image}`)).json();
  const boots = async (...seconds: number[]) => {
    await sql`INSERT INTO instances (uuid, name, owner_uuid, organization_uuid, snapshot, state, timeout_inactivity, timeout_global,
        created_at, updated_at, online_at)
      SELECT gen_random_uuid(), 'past', owner_uuid, organization_uuid, snapshot, 'DELETED', 0, 0, instances.created_at, updated_at,
        instances.created_at + make_interval(secs => taken)
      FROM instances, unnest(${seconds}::float[]) AS taken WHERE name <> 'past'`.execute(db);
    await measureBoots.run({ db, clock });
    return image();
  };
  const { revision, boot_ms: none } = await boots();
  expect(none).toBeNull();
  // Of another image, which are counted with that.
  await sql`INSERT INTO instances (uuid, name, owner_uuid, organization_uuid, snapshot, state, timeout_inactivity, timeout_global,
      created_at, updated_at, online_at)
    SELECT gen_random_uuid(), 'past', owner_uuid, organization_uuid,
      jsonb_set(snapshot::jsonb, '{osImage,uuid}', to_jsonb((SELECT uuid FROM os_images WHERE uuid::text <> ${rows[0]!.image} LIMIT 1))),
      'DELETED', 0, 0, instances.created_at, updated_at, instances.created_at + interval '9 seconds'
    FROM instances, generate_series(1, 500)`.execute(db);
  const first = await boots(...times(90, 2), ...times(10, 5));
  expect([first.boot_ms, first.revision]).toEqual([{ p50: 2000, p95: 5000 }, revision + 1]);
  const same = await boots(...times(190, 2.1), ...times(20, 5));
  expect([same.boot_ms.p50, same.revision]).toEqual([2000, revision + 1]);
  await sql`UPDATE os_images SET boot_p50_ms = NULL`.execute(db);
  await measureBoots.run({ db, clock: { now: () => clock.now() + 8 * 24 * 60 * 60 * 1000 } });
  expect((await image()).boot_ms).toBeNull();
  expect((await boots()).boot_ms).not.toBeNull();
  const { rows: others } = await sql`SELECT boot_p50_ms, boot_p95_ms FROM os_images
    WHERE boot_p50_ms IS NOT NULL AND uuid::text <> ${rows[0]!.image}`.execute(db);
  expect(others).toEqual([{ boot_p50_ms: 9000, boot_p95_ms: 9000 }]);
});
