import { type RawBuilder, sql } from "kysely";
import { featureModules } from "./feature-modules.ts";
import type { Schema } from "./schema.ts";

/** Whom rows are about. */
export interface Person {
  uuid: string;
  email: string;
}

export interface HeldRow {
  /** Unique in its list, which is ordered by it. */
  key: unknown;
  row: unknown;
}

/**
 * What a feature holds on a person, in lists. Each column is named: secrets, hashes of tokens and keys, and texts that contain links are not among
 * them.
 */
export type HeldLists = Record<string, (person: Person) => RawBuilder<HeldRow>>;

/** A table whose rows belong to organizations. */
export type OrganizationTable = {
  [Table in keyof Schema]: Schema[Table] extends { organization_uuid: unknown } ? Table : never;
}[keyof Schema];

/** What a feature's `held.store.ts` may export. */
interface Held {
  held?: HeldLists;
  /** Its tables whose rows end with an organization that nobody belongs to any more. */
  endsWithOrganization?: readonly OrganizationTable[];
}

const ofMails: HeldLists = {
  mails: ({ email }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'to', to_address, 'subject', subject,
      'created_at', created_at, 'sent_at', sent_at) AS row
    FROM mails WHERE to_address = ${email}`,
};

const features = await featureModules<Held>("held.store.ts");

/** All that is held on a person. */
export const heldLists: HeldLists = Object.assign({}, ...features.map(({ held }) => held), ofMails) as HeldLists;

/** The tables whose rows end with their organization. In any order: what refers to them ends with them, or no longer does. */
export const endsWithOrganization = features.flatMap(({ endsWithOrganization: tables = [] }) => tables);
