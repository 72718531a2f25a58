import { sql } from "kysely";
import { expect, it } from "vitest";
import { migrations } from "../../database/schema.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { anOrganization } from "../../testing/factories.ts";
import { clientSecrets } from "./client-secrets.ts";

it("secrets that were stored as they are are sealed when they are migrated", async () => {
  const { db } = await createTestDatabase({ empty: true });
  const earlier = Object.entries(migrations).filter(([name]) => name < "0066");
  await migrate(db, Object.fromEntries(earlier));
  const organization = await anOrganization(db);
  await sql`
    INSERT INTO organization_providers (organization_uuid, domain, issuer, client_id, client_secret)
    VALUES (${organization}, 'moss.example', 'https://moss.example', 'us', 'correct horse')`.execute(db);
  await migrate(db, migrations);
  const [row] = await db.selectFrom("organization_providers").selectAll().execute();
  expect(row).toMatchObject({ domain: "moss.example", client_id: "us" });
  expect((await clientSecrets(db)).open(row?.sealed_secret ?? Buffer.of(), organization).toString()).toBe(
    "correct horse",
  );
});
