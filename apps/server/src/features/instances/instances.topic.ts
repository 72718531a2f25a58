import type { Database } from "../../database/schema.ts";
import { defineTopic } from "../../platform/topic.ts";
import type { Actor } from "../sessions/actor.ts";
import { listChangedSince, listEndedSince } from "./instances.store.ts";
import { INSTANCE_CHANGED } from "./move-instance.ts";
import { presentChange } from "./present-instance.ts";

type Change = Parameters<typeof presentChange>[0] & { organization_uuid: string };

/** A device's owner hears of it, and the managers of its organisation. */
export const instanceTopic = defineTopic({
  notification: INSTANCE_CHANGED,
  hears: ({ uuid, isManager, organization }: Pick<Actor, "uuid" | "isManager" | "organization">) => ({
    instances: uuid,
    ...(isManager && organization && { "manager-instances": organization }),
  }),
  // `moveInstance` tells the row as JSON, with times as text.
  read: (payload) =>
    JSON.parse(payload, (key, value: unknown) =>
      key.endsWith("_at") && typeof value === "string" ? new Date(value) : value,
    ) as Change,
  say: (change) => {
    const data = presentChange(change);
    return [
      { channel: "instances", whose: change.owner_uuid, data },
      { channel: "manager-instances", whose: change.organization_uuid, data },
    ];
  },
  changedSince: (db: Database, time) => listChangedSince(db, time),
  endedSince: (db, time, { uuid, isManager, organization }) =>
    listEndedSince(db, time, { owner: uuid, organization: isManager ? organization : null }),
});
