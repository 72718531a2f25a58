import { type Address, AppError, type BillingAddress, DEFAULT_ADDRESS_NAME, limits } from "@terrarium/contract";
import type { Clock } from "@terrarium/clock";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import type { PaymentDeps } from "./payments.ts";
import {
  type BillingAddressRow,
  deleteAddress,
  hasRunningPlan,
  insertAddress,
  listAddresses,
  lockOrganization,
  setDefault,
  updateAddress,
} from "./payments.store.ts";

type Deps = Pick<PaymentDeps, "db" | "clock" | "audit">;

export const getAddresses = async (db: Database, organization: string): Promise<BillingAddress[]> =>
  (await listAddresses(db, organization)).map(presentAddress);

/**
 * Adds a billing address. The first is the default, which invoices name.
 * @throws AppError TOO_MANY_BILLING_ADDRESSES
 */
export async function addAddress(
  { db, clock, audit }: Deps,
  organization: string,
  { name, is_default, ...address }: Address & { name: string; is_default: boolean },
  by: By,
): Promise<BillingAddress> {
  const uuid = randomUUID();
  return transaction(db, async (trx) => {
    await lockOrganization(trx, organization);
    const held = await listAddresses(trx, organization);
    if (held.length >= limits.billingAddresses) throw new AppError("TOO_MANY_BILLING_ADDRESSES");
    const created_at = new Date(clock.now());
    await insertAddress(trx, { uuid, organization_uuid: organization, name, address, created_at });
    if (is_default || !held.some((other) => other.is_default))
      await setDefault(trx, "billing_addresses", { organization, uuid });
    await audit.record(trx, by, { action: "billing_address.add", subject: { kind: "billing_address", uuid } });
    return ownAddress(trx, organization, uuid);
  });
}

/** @throws AppError BILLING_ADDRESS_NOT_FOUND */
export async function editAddress(
  { db, audit }: Deps,
  { organization, uuid }: { organization: string; uuid: string },
  { name, is_default, ...address }: Address & { name?: string | undefined; is_default?: true | undefined },
  by: By,
): Promise<BillingAddress> {
  return transaction(db, async (trx) => {
    await lockOrganization(trx, organization);
    await ownAddress(trx, organization, uuid);
    await updateAddress(trx, uuid, { address, name });
    if (is_default) await setDefault(trx, "billing_addresses", { organization, uuid });
    await audit.record(trx, by, { action: "billing_address.edit", subject: { kind: "billing_address", uuid } });
    return ownAddress(trx, organization, uuid);
  });
}

/**
 * Sets the address that invoices name, which is the default of the billing addresses, in a transaction that has locked the organization; null
 * takes it away.
 * @throws AppError BILLING_ADDRESS_IN_USE
 */
export async function setBilledAddress(
  trx: Database,
  clock: Clock,
  organization: string,
  address: Address | null,
): Promise<void> {
  const present = (await listAddresses(trx, organization)).find(({ is_default }) => is_default);
  if (address && present) await updateAddress(trx, present.uuid, { address });
  else if (address) {
    await insertAddress(trx, {
      uuid: randomUUID(),
      organization_uuid: organization,
      name: DEFAULT_ADDRESS_NAME,
      address,
      is_default: true,
      created_at: new Date(clock.now()),
    });
  } else if (present) {
    if (await hasRunningPlan(trx, organization)) throw new AppError("BILLING_ADDRESS_IN_USE");
    await deleteAddress(trx, present.uuid);
  }
}

async function ownAddress(db: Database, organization: string, uuid: string): Promise<BillingAddress> {
  const address = (await getAddresses(db, organization)).find((held) => held.uuid === uuid);
  if (!address) throw new AppError("BILLING_ADDRESS_NOT_FOUND");
  return address;
}

const presentAddress = ({ uuid, name, address, is_default, created_at }: BillingAddressRow): BillingAddress => ({
  uuid,
  name,
  ...address,
  is_default,
  created_at: created_at.toISOString(),
});
