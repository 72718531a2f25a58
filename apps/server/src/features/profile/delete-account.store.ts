import { sql } from "kysely";
import { endsWithOrganization } from "../../database/held.ts";
import type { Database } from "../../database/schema.ts";

/** An account that is about to end. Neither it nor the roles in its organization change until the transaction ends. */
export interface EndingAccount {
  uuid: string;
  email: string;
  password_hash: string | null;
  is_organization_manager: boolean;
  organization: { uuid: string; name: string; others: number; otherManagers: number; hasPlan: boolean } | null;
}

/** Undefined if there is no such account. */
export async function lockAccount(trx: Database, uuid: string, now: Date): Promise<EndingAccount | undefined> {
  // First the organization: whoever else leaves it at this moment waits, and is then no longer counted.
  await sql`
    SELECT FROM organizations WHERE uuid = (SELECT organization_uuid FROM users WHERE uuid = ${uuid}) FOR UPDATE`.execute(
    trx,
  );
  await sql`
    SELECT FROM users WHERE uuid = ${uuid} OR (is_organization_manager AND
      organization_uuid = (SELECT organization_uuid FROM users WHERE uuid = ${uuid}))
    ORDER BY uuid FOR UPDATE`.execute(trx);
  return findAccount(trx, uuid, now);
}

/** As it is now; `now` decides whether a plan has expired. */
export async function findAccount(db: Database, uuid: string, now: Date): Promise<EndingAccount | undefined> {
  const { rows } = await sql<EndingAccount>`
    SELECT users.uuid, users.email, users.password_hash, users.is_organization_manager,
      CASE WHEN organizations.uuid IS NOT NULL THEN json_build_object(
        'uuid', organizations.uuid, 'name', organizations.name,
        'others', (SELECT count(*) FROM users AS other
          WHERE other.organization_uuid = organizations.uuid AND other.uuid <> users.uuid),
        'otherManagers', (SELECT count(*) FROM users AS other
          WHERE other.organization_uuid = organizations.uuid AND other.uuid <> users.uuid
            AND other.is_organization_manager AND other.is_enabled AND other.is_validated),
        'hasPlan', license_type = 'fixed' AND license_is_active AND NOT is_unpaid
          AND (license_expires_at IS NULL OR license_expires_at > ${now}::timestamptz)) END AS organization
    FROM users LEFT JOIN organizations ON organizations.uuid = users.organization_uuid
    WHERE users.uuid = ${uuid} AND users.deleted_at IS NULL`.execute(db);
  return rows[0];
}

/** What a person has: running devices, recipes they have made, API tokens. */
export async function countBelongings(db: Database, uuid: string, states: readonly string[]) {
  const devices = await db
    .selectFrom("instances")
    .select(["uuid", "name"])
    .where("owner_uuid", "=", uuid)
    .where("state", "in", states as never)
    .orderBy("created_at")
    .execute();
  const { rows } = await sql<{ recipes: number; api_tokens: number }>`
    SELECT (SELECT count(*)::integer FROM recipes WHERE owner_uuid = ${uuid}) AS recipes,
      (SELECT count(*)::integer FROM api_tokens WHERE user_uuid = ${uuid}) AS api_tokens`.execute(db);
  return { devices, ...(rows[0] ?? { recipes: 0, api_tokens: 0 }) };
}

/** The devices in these states of a person, and of all others in an organization if it is given. */
export const findDevices = (
  db: Database,
  { owner, organization }: { owner: string; organization: string | undefined },
  states: readonly string[],
): Promise<{ uuid: string }[]> =>
  db
    .selectFrom("instances")
    .select("uuid")
    .where((where) =>
      where.or([
        where("owner_uuid", "=", owner),
        ...(organization ? [where("organization_uuid", "=", organization)] : []),
      ]),
    )
    .where("state", "in", states as never)
    .orderBy("uuid")
    .execute();

/** The devices in these states whose owners have no account any more. */
export const findAbandonedDevices = (db: Database, states: readonly string[]): Promise<{ uuid: string }[]> =>
  db
    .selectFrom("instances")
    .innerJoin("users", "users.uuid", "instances.owner_uuid")
    .select("instances.uuid")
    .where("users.deleted_at", "is not", null)
    .where("instances.state", "in", states as never)
    .execute();

/**
 * Deletes what an organization has of its own, and the ways to join it or to sign in for it. What is left of its usage stays, without its
 * name and its billing details, which may be those of a person.
 */
export async function emptyOrganization(trx: Database, organization: string): Promise<void> {
  for (const table of endsWithOrganization)
    await sql`DELETE FROM ${sql.table(table)} WHERE organization_uuid = ${organization}`.execute(trx);
  await trx
    .updateTable("organizations")
    .set({
      name: "Deleted organization",
      instances_max: 0,
      company_name: "",
      vat_number: "",
      additional_billing_contact_email: null,
      allowed_origins: [],
      embed_origins: [],
      allowed_sign_ins: null,
    })
    .where("uuid", "=", organization)
    .execute();
}

/**
 * Deletes an account with all that belongs to the person alone: what refers to them either ends with them, as their sessions and
 * tokens do, or finds in their place a row that names nobody.
 */
export async function replaceByNobody(trx: Database, uuid: string, now: Date): Promise<void> {
  await sql`SET CONSTRAINTS ALL DEFERRED`.execute(trx);
  await trx.deleteFrom("users").where("uuid", "=", uuid).execute();
  await trx
    .insertInto("users")
    .values({
      uuid,
      // No server takes mail for it (RFC 2606).
      email: `deleted-${uuid}@deleted.invalid`,
      first_name: "Deleted",
      last_name: "user",
      is_enabled: false,
      created_at: now,
      deleted_at: now,
    })
    .execute();
  await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(trx);
}

/** Ends what others share with a person, and with an organization that ends with them. */
export async function endShares(
  trx: Database,
  { person, organization }: { person: string; organization: string | undefined },
): Promise<void> {
  const { rows: shared } = await sql<{ recipe_uuid: string }>`
    DELETE FROM share_recipients WHERE user_uuid = ${person} OR organization_uuid = ${organization ?? null}
    RETURNING recipe_uuid`.execute(trx);
  // A share with nobody is none.
  await sql`
    DELETE FROM shares WHERE recipe_uuid = ANY(${shared.map(({ recipe_uuid }) => recipe_uuid)}::uuid[])
      AND NOT EXISTS (SELECT FROM share_recipients WHERE share_recipients.recipe_uuid = shares.recipe_uuid)`.execute(
    trx,
  );
}

/**
 * Deletes what is held by an address alone: mails that were sent or wait to be sent to it, sign-ups with it, invitations to it, and work
 * that was done for it.
 */
export async function forgetAddress(trx: Database, email: string): Promise<void> {
  await sql`DELETE FROM mails WHERE to_address = ${email}`.execute(trx);
  await sql`DELETE FROM sso_flows WHERE invited_email = ${email}`.execute(trx);
  await sql`DELETE FROM jobs WHERE payload ->> 'email' = ${email} AND state <> 'waiting'`.execute(trx);
  for (const table of ["sign_up_links", "sign_ups", "invitations"] as const)
    await trx.deleteFrom(table).where("email", "=", email).execute();
}
