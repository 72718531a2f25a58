import type { CatalogueChange } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { defineTopic } from "../../platform/topic.ts";
import type { Actor } from "../sessions/actor.ts";
import { listCatalogueChanges } from "./catalogue-changes.store.ts";

export interface ChangedRow extends Omit<CatalogueChange, "is_gone"> {
  table: "os_images" | "recipes";
  /** Uuids of organizations and users, or `EVERY_MEMBER`. */
  recipients: string[];
  /** They can no longer use it. */
  is_gone?: boolean;
}

export const CATALOGUE_CHANGED = "catalogue_changed";

/** Who receives the changes of official rows. The trigger in the database knows this name, too. */
export const EVERY_MEMBER = "official";

/**
 * Changes of recipes and OS images go to whom `usableBy` shows the rows: official ones to all members, others to their organization, and
 * shared recipes to their recipients.
 */
export const catalogueTopic = defineTopic({
  notification: CATALOGUE_CHANGED,
  subscriptions: ({ uuid, organization }: Pick<Actor, "uuid" | "organization">) => {
    if (organization === null) return { "recipes-updates": [uuid] };
    const member = [organization, EVERY_MEMBER];
    return { "recipes-updates": [...member, uuid], "os-images-updates": member };
  },
  parse: (payload) => JSON.parse(payload) as ChangedRow,
  emit: ({ table, recipients, is_gone, ...change }) =>
    recipients.map((recipient) => ({
      channel: table === "recipes" ? "recipes-updates" : "os-images-updates",
      recipient,
      data: is_gone ? { ...change, is_gone } : change,
    })),
  changedSince: (db: Database, time) => listCatalogueChanges(db, time),
});
