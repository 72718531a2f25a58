import type { Database } from "../../database/schema.ts";
import { defineTopic } from "../../platform/topic.ts";
import type { Actor } from "../sessions/actor.ts";
import { CATALOGUE_CHANGED, type ChangedRow, EVERY_MEMBER } from "./catalogue-change.ts";
import { listCatalogueChanges } from "./catalogue-changes.store.ts";

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
