import type { Clock } from "@terrarium/clock";
import { AppError, type Organization, type organizations, type Received } from "@terrarium/contract";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { setBilledAddress } from "../payments/billing-addresses.ts";
import type { TaxSettings } from "../payments/tax.ts";
import { readVatNumber } from "../payments/vat-number.ts";
import { checkZone } from "../instances/gateways.ts";
import type { Actor } from "../sessions/actor.ts";
import { getOrganization } from "./organizations.ts";
import { lockOrganization, updateOrganization } from "./organizations.store.ts";

type Edit = Received<typeof organizations.edit>["body"];

/**
 * Changes what managers may change of their organization. Devices that run keep their zone and timeouts.
 * @throws AppError BILLING_ADDRESS_IN_USE, ORGANIZATION_NOT_FOUND, VAT_NUMBER_INVALID, ZONE_IS_DEDICATED, ZONE_NOT_AVAILABLE
 */
export async function editOrganization(
  { db, clock, audit, taxes }: { db: Database; clock: Clock; audit: Audit; taxes: TaxSettings },
  actor: Actor,
  { uuid, ...wanted }: Edit & { uuid: string },
  by: By,
): Promise<Organization> {
  const before = await getOrganization({ db, clock, taxes }, actor, uuid);
  if (wanted.vat_number !== undefined) {
    const country = (wanted.address === undefined ? before.address : wanted.address)?.country;
    wanted.vat_number = await readVatNumber(taxes, wanted.vat_number, { country, before: before.vat_number });
  }
  await transaction(db, async (trx) => {
    const row = await lockOrganization(trx, uuid);
    if (!row) throw new AppError("ORGANIZATION_NOT_FOUND");
    const given = columnsOf(wanted);
    const changed = Object.entries(given).filter(
      ([column, value]) => value !== undefined && !isDeepStrictEqual(value, row[column as keyof typeof row]),
    );
    if (changed.length === 0) return;
    const news = Object.fromEntries(changed) as typeof given;
    if (news.zone !== undefined) {
      if (row.zone_type === "dedicated") throw new AppError("ZONE_IS_DEDICATED");
      await checkZone(trx, news.zone);
    }
    const { address, ...plain } = news;
    if (Object.keys(plain).length > 0) await updateOrganization(trx, uuid, plain);
    if (address !== undefined) await setBilledAddress(trx, clock, uuid, address);
    const { zone, timeout_inactivity, timeout_global, timeout_api, embed_origins, queues } = news;
    await audit.record(trx, by, {
      action: "organization.edit",
      subject: { kind: "organization", uuid },
      details: {
        fields: Object.keys(news).join(" "),
        ...(zone !== undefined && { zone }),
        ...(timeout_inactivity !== undefined && { timeout_inactivity }),
        ...(timeout_global !== undefined && { timeout_global }),
        ...(timeout_api !== undefined && { timeout_api }),
        ...(queues !== undefined && { queue: queues }),
        ...(embed_origins && { embed_origins: embed_origins.join(" ") }),
      },
    });
  });
  return getOrganization({ db, clock, taxes }, actor, uuid);
}

/** What was sent, by column; undefined for what was not. */
const columnsOf = ({ preferences, license, ...details }: Edit) => ({
  ...details,
  timeout_inactivity: preferences?.timeouts?.inactivity,
  timeout_global: preferences?.timeouts?.global,
  timeout_api: preferences?.timeouts?.api,
  embed_origins: preferences?.embed_origins,
  queues: preferences?.queue,
  zone: license?.instances?.zone,
});
