import type { User } from "@terrarium/contract";
import type { UserRow } from "./user-row.ts";

export const presentUser = (user: UserRow): User => ({
  uuid: user.uuid,
  genyid: user.uuid,
  email: user.email,
  first_name: user.first_name,
  last_name: user.last_name,
  is_organization_manager: user.is_organization_manager,
  is_enabled: user.is_enabled,
  is_validated: user.is_validated,
  tnc_accepted: user.tnc_accepted_at !== null,
  organization:
    user.organization_uuid === null ? null : { uuid: user.organization_uuid, name: user.organization_name ?? "" },
  groups: user.groups,
  front_preferences: user.front_preferences,
  ...(user.is_operator && { is_operator: true as const }),
  created_at: user.created_at.toISOString(),
});
