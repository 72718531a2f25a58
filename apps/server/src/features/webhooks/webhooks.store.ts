import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { WebhookEndpointTable } from "./webhooks.tables.ts";

export { findManagers } from "../organizations/organizations.store.ts";

export interface EndpointRow extends Omit<Selectable<WebhookEndpointTable>, "secret" | "former_secret"> {
  waiting: number;
  failed: number;
}

const countOf = (state: "waiting" | "failed") =>
  sql<number>`(SELECT count(*)::integer FROM webhook_deliveries
    WHERE endpoint_uuid = webhook_endpoints.uuid AND state = ${sql.lit(state)})`.as(state);

/** The endpoints of an organization, the oldest first, with how many of their deliveries wait and were given up. */
export const listEndpoints = (db: Database, organization: string): Promise<EndpointRow[]> =>
  db
    .selectFrom("webhook_endpoints")
    .select([
      "uuid",
      "organization_uuid",
      "url",
      "description",
      "events",
      "disabled_reason",
      "former_secret_until",
      "failing_since",
      "is_failing",
      "created_at",
    ])
    .select([countOf("waiting"), countOf("failed")])
    .where("organization_uuid", "=", organization)
    .orderBy("created_at")
    .orderBy("uuid")
    .execute();

/** Nobody else changes it until the transaction ends. */
export const lockEndpoint = (trx: Database, uuid: string): Promise<Selectable<WebhookEndpointTable> | undefined> =>
  trx.selectFrom("webhook_endpoints").selectAll().where("uuid", "=", uuid).forNoKeyUpdate().executeTakeFirst();

export const findOrganizationOf = async (db: Database, uuid: string): Promise<string | undefined> =>
  (await db.selectFrom("webhook_endpoints").select("organization_uuid").where("uuid", "=", uuid).executeTakeFirst())
    ?.organization_uuid;

/** Calls for one organization take turns from here to the end of the transaction. */
export async function lockOrganization(trx: Database, uuid: string): Promise<void> {
  await trx.selectFrom("organizations").select("uuid").where("uuid", "=", uuid).forNoKeyUpdate().execute();
}

export async function insertEndpoint(db: Database, row: Insertable<WebhookEndpointTable>): Promise<void> {
  await db.insertInto("webhook_endpoints").values(row).execute();
}

export async function updateEndpoint(
  db: Database,
  uuid: string,
  change: Updateable<WebhookEndpointTable>,
): Promise<void> {
  await db.updateTable("webhook_endpoints").set(change).where("uuid", "=", uuid).execute();
}

export async function deleteEndpoint(db: Database, uuid: string): Promise<void> {
  await db.deleteFrom("webhook_endpoints").where("uuid", "=", uuid).execute();
}
