import type { CatalogueChange } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { defineTopic } from "../../platform/topic.ts";
import type { Actor } from "../sessions/actor.ts";
import { listCatalogueChanges } from "./catalogue-changes.store.ts";

export interface ChangedRow extends CatalogueChange {
  table: "os_images" | "recipes";
  /** Null for official rows. */
  organization_uuid: string | null;
}

const channels = { os_images: "os-images-updates", recipes: "recipes-updates" } as const;

/** Who receives the changes of official rows, besides uuids of organizations. */
const EVERY_MEMBER = "official";

/** Changes of recipes and OS images go to whom `usableBy` shows the rows: official ones to all members, others to their organization. */
export const catalogueTopic = defineTopic({
  notification: "catalogue_changed",
  subscriptions: ({ organization }: Pick<Actor, "organization">) => {
    if (organization === null) return {};
    const recipients = [organization, EVERY_MEMBER];
    return { "recipes-updates": recipients, "os-images-updates": recipients };
  },
  parse: (payload) => JSON.parse(payload) as ChangedRow,
  emit: ({ table, organization_uuid: organization, ...data }) => [
    { channel: channels[table], recipient: organization ?? EVERY_MEMBER, data },
  ],
  changedSince: (db: Database, time) => listCatalogueChanges(db, time),
});
