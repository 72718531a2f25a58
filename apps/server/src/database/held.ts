import { type RawBuilder, sql } from "kysely";
import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { rankOf, type Schema } from "./schema.ts";

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

const folderOf = (file: string) => basename(dirname(file));

/** Each feature's `held.store.ts`, those first whose tables refer to others. */
const features: Held[] = await Promise.all(
  globSync("../features/*/held.store.ts", { cwd: import.meta.dirname })
    .toSorted((one, other) => rankOf(folderOf(other)) - rankOf(folderOf(one)) || one.localeCompare(other, "en"))
    .map((file) => import(new URL(file, import.meta.url).href) as Promise<Held>),
);

/** All that is held on a person. */
export const heldLists: HeldLists = Object.assign({}, ...features.map(({ held }) => held), ofMails) as HeldLists;

/** The tables whose rows end with their organization, in the order in which they can be deleted. */
export const endsWithOrganization = features.flatMap(({ endsWithOrganization: tables = [] }) => tables);
