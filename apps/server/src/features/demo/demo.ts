import type { Clock } from "@terrarium/clock";
import type { PublicSettings } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { stableUuid } from "../../platform/ids.ts";
import { addOrganization } from "../organizations/add-organization.ts";
import { hashPassword } from "../users/passwords.ts";
import { findEmails, insertAccount, setEnabled } from "./demo.store.ts";

const PASSWORD = "terrarium1";

const people = [
  { role: "manager", first_name: "Mara", last_name: "Lindqvist" },
  { role: "user", first_name: "Tomasz", last_name: "Wójcik" },
  { role: "guest", first_name: "Priya", last_name: "Raman" },
] as const;

const emailOf = (role: string) => `${role}@demo.test`;
const uuidOf = (role: string) => stableUuid(`user:demo:${role}`);
const accounts = people.map(({ role }) => uuidOf(role));

/** What the sign-in page and the first lines of a start tell of them. */
export const demoAccounts: PublicSettings["demo_accounts"] = people.map(({ role }) => ({
  role,
  email: emailOf(role),
  password: PASSWORD,
}));

/** Makes the demonstration's organization and accounts, the same on every installation, and opens them again where they were closed. */
export async function openDemo(db: Database, clock: Clock): Promise<void> {
  const created_at = new Date(clock.now());
  const organization = stableUuid("organization:demo");
  await addOrganization(db, {
    uuid: organization,
    name: "Northwind Mobile",
    supported_arch: ["arm64", "x86", "x86_64"],
    license_type: "metered",
    instances_max: 10,
    created_at,
  });
  const known = await findEmails(
    db,
    people.map(({ role }) => emailOf(role)),
  );
  for (const { role, first_name, last_name } of people) {
    if (known.has(emailOf(role))) continue;
    await insertAccount(db, {
      uuid: uuidOf(role),
      email: emailOf(role),
      first_name,
      last_name,
      password_hash: await hashPassword(PASSWORD),
      organization_uuid: role === "guest" ? null : organization,
      is_organization_manager: role === "manager",
      is_validated: true,
      tnc_accepted_at: created_at,
      created_at,
    });
  }
  await setEnabled(db, accounts, true);
}

/** Closes the accounts whose passwords the whole world knows. */
export const closeDemo = (db: Database): Promise<void> => setEnabled(db, accounts, false);
