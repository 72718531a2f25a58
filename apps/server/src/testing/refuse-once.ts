import { sql } from "kysely";
import type { Database } from "../database/schema.ts";

/** The next insert into the table fails as if another transaction had just inserted the same. */
export async function refuseOnce(db: Database, table: string, constraint: string): Promise<void> {
  const [sequence, refuse] = [sql.ref(`${constraint}_tries`), sql.ref(`refuse_${constraint}`)];
  await sql`CREATE SEQUENCE ${sequence}`.execute(db);
  // A sequence goes on although the transaction is rolled back.
  await sql`
    CREATE FUNCTION ${refuse}() RETURNS trigger AS ${sql.lit(`
      BEGIN
        IF nextval('${constraint}_tries') = 1 THEN
          RAISE EXCEPTION 'taken' USING ERRCODE = 'unique_violation', CONSTRAINT = '${constraint}';
        END IF;
        RETURN NEW;
      END`)} LANGUAGE plpgsql`.execute(db);
  await sql`
    CREATE TRIGGER refuse_once BEFORE INSERT ON ${sql.ref(table)} FOR EACH ROW EXECUTE FUNCTION ${refuse}()`.execute(
    db,
  );
}
