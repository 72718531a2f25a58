import type { OrganizationChange } from "@terrarium/contract";
import { refreshUser } from "../session/client.ts";
import type { LiveTopic } from "../shared/live-topic.ts";
import { organizationKey, signInRulesKey } from "../shared/organizations.queries.ts";

const keys = [organizationKey, signInRulesKey];

/** Something about the organization is different; its name is also a part of whoever is signed in. */
export const organizationTopic: LiveTopic<OrganizationChange> = {
  apply: (cache) => {
    void refreshUser();
    for (const queryKey of keys) void cache.invalidateQueries({ queryKey });
  },
  recount: [],
  refetch: keys,
  forget: () => undefined,
};
