import type { zones } from "@terrarium/contract";
import { AppError, type Organization, runningStates } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Actor } from "../sessions/actor.ts";
import { findOrganization } from "./organizations.store.ts";

export { findSupportedArch, foundingOf } from "./organizations.store.ts";

/** One's own organization; any other is unknown. */
export async function getOrganization(db: Database, actor: Actor, uuid: string): Promise<Organization> {
  const row = actor.organization === uuid ? await findOrganization(db, uuid, runningStates) : undefined;
  if (!row) throw new AppError("ORGANIZATION_NOT_FOUND");
  return {
    uuid: row.uuid,
    name: row.name,
    preferences: { timeouts: { inactivity: row.timeout_inactivity, global: row.timeout_global } },
    os_images_supported_arch: row.supported_arch as Organization["os_images_supported_arch"],
    is_debtor: row.is_debtor,
    license: {
      type: row.license_type,
      is_active: row.license_is_active,
      instances: { max: row.instances_max, zone: row.zone as (typeof zones)[number], zone_type: row.zone_type },
    },
    requires_second_factor: row.requires_second_factor,
    running_instances: row.running_instances ?? 0,
  };
}
