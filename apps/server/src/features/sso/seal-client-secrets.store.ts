import { type Kysely, sql } from "kysely";
import type { Sealer } from "../../platform/sealer.ts";

/** Seals the secrets that an earlier version stored in plain text. For the migration that does so: the columns are those of its time. */
export async function sealClientSecrets(db: Kysely<unknown>, sealer: Sealer): Promise<void> {
  const { rows } = await sql<{ organization_uuid: string; client_secret: string }>`
    SELECT organization_uuid, client_secret FROM organization_providers`.execute(db);
  for (const { organization_uuid: uuid, client_secret } of rows)
    await sql`
      UPDATE organization_providers SET sealed_secret = ${sealer.seal(Buffer.from(client_secret), uuid)}
      WHERE organization_uuid = ${uuid}`.execute(db);
}
