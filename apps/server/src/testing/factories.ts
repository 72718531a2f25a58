import { randomUUID } from "node:crypto";
import { hash } from "@node-rs/argon2";
import type { Insertable } from "kysely";
import type { Database, Schema } from "../database/schema.ts";

const PASSWORD = "correct horse 1";
/** With the cheapest parameters the library allows, as tests sign in hundreds of times. */
const passwordHash = hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });

const created_at = new Date("2026-01-05T08:00:00Z");

/** Creates an organization; returns its identifier. */
export async function anOrganization(
  db: Database,
  fields: Partial<Insertable<Schema["organizations"]>> = {},
): Promise<string> {
  const uuid = fields.uuid ?? randomUUID();
  await db
    .insertInto("organizations")
    .values({
      name: "Fernworks",
      supported_arch: ["arm64", "x86", "x86_64"],
      license_type: "metered",
      instances_max: 10,
      created_at,
      ...fields,
      uuid,
    })
    .execute();
  return uuid;
}

export interface UserOptions {
  role?: "manager" | "user" | "guest";
  /** A new organization by default. */
  organization?: string;
  fields?: Partial<Insertable<Schema["users"]>>;
}

/** Creates a user who can sign in; managers and users have an organization, guests have none. */
export async function aUser(db: Database, { role = "user", organization, fields = {} }: UserOptions = {}) {
  const uuid = randomUUID();
  const user = {
    uuid,
    email: `${role}-${uuid.slice(0, 8)}@fernworks.test`,
    first_name: "Robin",
    last_name: "Reed",
    organization_uuid: role === "guest" ? null : (organization ?? (await anOrganization(db))),
    is_organization_manager: role === "manager",
    is_validated: true,
    tnc_accepted_at: created_at,
    created_at,
    ...fields,
  };
  await db
    .insertInto("users")
    .values({ ...user, password_hash: await passwordHash })
    .execute();
  return { ...user, password: PASSWORD };
}

/** Creates a group of an organization with some of its people; returns its identifier. */
export async function aGroup(
  db: Database,
  organization_uuid: string,
  { people = [], ...fields }: Partial<Insertable<Schema["groups"]>> & { people?: { user: { uuid: string } }[] } = {},
): Promise<string> {
  const uuid = randomUUID();
  const name = `Group ${uuid.slice(0, 8)}`;
  await db
    .insertInto("groups")
    .values({ uuid, organization_uuid, parent_uuid: null, name, created_at, ...fields })
    .execute();
  for (const { user } of people)
    await db.insertInto("group_users").values({ group_uuid: uuid, user_uuid: user.uuid }).execute();
  return uuid;
}

export type OwnedTable = "recipes" | "hardware_profiles" | "os_images";

/** Creates a copy of a table's first official row that belongs to somebody; returns its identifier. */
export async function aCustom(
  db: Database,
  table: OwnedTable,
  owner: { uuid: string; organization_uuid: string | null },
  fields: object = {},
): Promise<string> {
  const row = await db
    .selectFrom(table)
    .selectAll()
    .where("is_official", "=", true)
    .orderBy("position")
    .executeTakeFirstOrThrow();
  const json = {
    ...("displays" in row && { displays: JSON.stringify(row.displays), properties: JSON.stringify(row.properties) }),
    // The database computes the sizes.
    ...("layers" in row && { layers: JSON.stringify(row.layers), saved_size: undefined, previous_size: undefined }),
  };
  const own = { is_official: false, owner_uuid: owner.uuid, organization_uuid: owner.organization_uuid };
  const uuid = randomUUID();
  await db
    .insertInto(table)
    .values({ ...row, ...json, ...own, uuid, ...fields })
    .execute();
  return uuid;
}
