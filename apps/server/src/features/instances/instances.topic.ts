import type { Database } from "../../database/schema.ts";
import { defineTopic } from "../../platform/topic.ts";
import type { Actor } from "../sessions/actor.ts";
import { listChangedSince, listSettledSince } from "./instances.store.ts";
import { INSTANCE_CHANGED } from "./move-instance.ts";
import { presentChange } from "./present-instance.ts";

type Change = Parameters<typeof presentChange>[0] & { organization_uuid: string };

/** Changes of a device go to its owner and to the managers of its organization. */
export const instanceTopic = defineTopic({
  notification: INSTANCE_CHANGED,
  subscriptions: ({ uuid, isManager, organization }: Pick<Actor, "uuid" | "isManager" | "organization">) => ({
    instances: [uuid],
    ...(isManager && organization && { "manager-instances": [organization] }),
  }),
  // `moveInstance` sends the row as JSON, with times as text.
  parse: (payload) =>
    JSON.parse(payload, (key, value: unknown) =>
      key.endsWith("_at") && typeof value === "string" ? new Date(value) : value,
    ) as Change,
  emit: (change) => {
    const data = presentChange(change);
    return [
      { channel: "instances", recipient: change.owner_uuid, data },
      { channel: "manager-instances", recipient: change.organization_uuid, data },
    ];
  },
  changedSince: (db: Database, time) => listChangedSince(db, time),
  settledSince: (db, time, { uuid, isManager, organization }) =>
    listSettledSince(db, time, { owner: uuid, organization: isManager ? organization : null }),
});
