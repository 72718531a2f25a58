import type { Clock } from "@terrarium/clock";
import type { PublicSettings } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { stableUuid } from "../../platform/ids.ts";
import { hashPassword } from "../users/passwords.ts";

const PASSWORD = "terrarium1";

const people = [
  { role: "manager", first_name: "Mara", last_name: "Lindqvist" },
  { role: "user", first_name: "Tomasz", last_name: "Wójcik" },
  { role: "guest", first_name: "Priya", last_name: "Raman" },
] as const;

const emailOf = (role: string) => `${role}@demo.test`;

/** What the sign-in page and the first lines of a start tell of them. */
export const demoAccounts: PublicSettings["demo_accounts"] = people.map(({ role }) => ({
  role,
  email: emailOf(role),
  password: PASSWORD,
}));

/** Makes the demonstration's organisation and accounts, the same on every installation, and opens them again where they were closed. */
export async function openDemo(db: Database, clock: Clock): Promise<void> {
  const created_at = new Date(clock.now());
  const organization = stableUuid("organization:demo");
  await db
    .insertInto("organizations")
    .values({
      uuid: organization,
      name: "Northwind Mobile",
      supported_arch: ["arm64", "x86", "x86_64"],
      license_type: "metered",
      instances_max: 10,
      created_at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const known = await db
    .selectFrom("users")
    .select("email")
    .where(
      "email",
      "in",
      people.map(({ role }) => emailOf(role)),
    )
    .execute();
  for (const { role, first_name, last_name } of people) {
    if (known.some(({ email }) => email === emailOf(role))) continue;
    await db
      .insertInto("users")
      .values({
        uuid: stableUuid(`user:demo:${role}`),
        email: emailOf(role),
        first_name,
        last_name,
        password_hash: await hashPassword(PASSWORD),
        organization_uuid: role === "guest" ? null : organization,
        is_organization_manager: role === "manager",
        is_validated: true,
        tnc_accepted_at: created_at,
        created_at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await setEnabled(db, true);
}

/** Closes the accounts whose passwords the whole world knows. */
export const closeDemo = (db: Database): Promise<void> => setEnabled(db, false);

async function setEnabled(db: Database, is_enabled: boolean): Promise<void> {
  await db
    .updateTable("users")
    .set({ is_enabled })
    .where(
      "uuid",
      "in",
      people.map(({ role }) => stableUuid(`user:demo:${role}`)),
    )
    .where("is_enabled", "<>", is_enabled)
    .execute();
}
