import { sql } from "kysely";
import type { Database } from "../../../database/schema.ts";

const keys = { instances: "uuid", runs: "instance_uuid" };

/** Gives an organization a copy of each row of a table that others have. */
export async function copyRows(db: Database, table: keyof typeof keys, organization: string): Promise<void> {
  await sql`INSERT INTO ${sql.table(table)} SELECT copy.* FROM ${sql.table(table)}, LATERAL jsonb_populate_record(${sql.table(table)},
    jsonb_build_object(${keys[table]}::text, gen_random_uuid(), 'organization_uuid', ${organization}::text)) AS copy`.execute(
    db,
  );
}

/** From now on a row of an organization cannot be written: the database says "broken". */
export async function refuseWrites(
  db: Database,
  table: "instances" | "invoices",
  when: "INSERT" | "UPDATE",
  organization: string,
): Promise<void> {
  const row = when === "INSERT" ? "NEW" : "OLD";
  await sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'broken'; END $$`.execute(db);
  await sql`CREATE TRIGGER refuse BEFORE ${sql.raw(when)} ON ${sql.table(table)} FOR EACH ROW
    WHEN (${sql.raw(row)}.organization_uuid = ${sql.lit(organization)}) EXECUTE FUNCTION refuse()`.execute(db);
}
