import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrations } from "../../database/schema.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { aUser } from "../../testing/factories.ts";

it("accounts from before sign-ins were noted count as used when they are migrated", async () => {
  const { db } = await createTestDatabase({ empty: true });
  const earlier = Object.entries(migrations).filter(([name]) => name < "0054");
  await migrate(db, Object.fromEntries(earlier));
  const [robin, kim] = [await aUser(db, { role: "guest" }), await aUser(db, { role: "guest" })];
  await sql`INSERT INTO sessions (uuid, user_uuid, created_at) VALUES (gen_random_uuid(), ${robin.uuid}, '2025-01-05')`.execute(
    db,
  );
  await migrate(db, migrations);
  const { rows } = await sql<{ uuid: string; is_recent: boolean }>`
    SELECT uuid, last_sign_in_at > now() - interval '1 day' AS is_recent FROM users`.execute(db);
  expect(rows).toContainEqual({ uuid: robin.uuid, is_recent: false });
  expect(rows).toContainEqual({ uuid: kim.uuid, is_recent: true });
});

it("ends of accounts are announced again where it is not known that the notice was sent", async () => {
  const { db } = await createTestDatabase({ empty: true });
  const earlier = Object.entries(migrations).filter(([name]) => name < "0067");
  await migrate(db, Object.fromEntries(earlier));
  await aUser(db, { role: "guest" });
  await sql`UPDATE users SET deletion_notice_at = '2025-01-05'`.execute(db);
  await migrate(db, migrations);
  const { rows } = await sql`SELECT deletion_notice_mail, deletion_notice_at FROM users`.execute(db);
  expect(rows).toEqual([{ deletion_notice_mail: null, deletion_notice_at: null }]);
});
