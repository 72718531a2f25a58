import type { Clock } from "@terrarium/clock";
import type { zones } from "@terrarium/contract";
import { AppError, type Organization } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { usedMinutes } from "../billing/minutes.ts";
import { currentSubscription } from "../billing/subscriptions.ts";
import { taxOf, type TaxSettings } from "../payments/tax.ts";
import type { Actor } from "../sessions/actor.ts";
import { trialOf } from "../trials/trial-of.ts";
import { findOrganization } from "./organizations.store.ts";

export { findSupportedArch, foundingOf, updateOrganization as setOrganization, zoneOf } from "./organizations.store.ts";

const HIDDEN = { company_name: "", vat_number: "", additional_billing_contact_email: null, address: null };

/** One's own organization; any other is unknown. */
export async function getOrganization(
  { db, clock, taxes }: { db: Database; clock: Clock; taxes?: TaxSettings },
  actor: Actor,
  uuid: string,
): Promise<Organization> {
  const row = actor.organization === uuid ? await findOrganization(db, uuid) : undefined;
  if (!row) throw new AppError("ORGANIZATION_NOT_FOUND");
  // Only those who may pay see who is billed.
  const billed = actor.isManager ? row : HIDDEN;
  const [left, subscription] = actor.isManager
    ? [(await usedMinutes(db, row, new Date(clock.now()))).left, await currentSubscription(db, uuid)]
    : [0, null];
  return {
    uuid: row.uuid,
    name: row.name,
    company_name: billed.company_name,
    vat_number: billed.vat_number,
    additional_billing_contact_email: billed.additional_billing_contact_email,
    address: billed.address,
    preferences: {
      timeouts: { inactivity: row.timeout_inactivity, global: row.timeout_global, api: row.timeout_api },
      embed_origins: row.embed_origins,
      queue: row.queues,
    },
    os_images_supported_arch: row.supported_arch as Organization["os_images_supported_arch"],
    is_debtor: row.is_debtor,
    tax_rate: taxOf({ ...row, ...billed }, taxes?.sellerCountry),
    license: {
      type: row.license_type,
      is_active: row.license_is_active && !row.is_unpaid,
      expires_at: row.license_expires_at?.toISOString() ?? null,
      minuteBalance: left,
      trial: await trialOf(db, row.uuid),
      subscription,
      instances: { max: row.instances_max, zone: row.zone as (typeof zones)[number], zone_type: row.zone_type },
    },
    quotas: {
      group_allocation: row.instances_max,
      // An operator may have lowered the limit since it was allocated.
      group_allocation_remaining: Math.max(0, row.instances_max - (row.allocated ?? 0)),
    },
    requires_second_factor: row.requires_second_factor,
    running_instances: row.running_instances ?? 0,
  };
}
