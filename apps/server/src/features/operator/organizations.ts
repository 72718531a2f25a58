import { type Answer, AppError, type OperatedOrganization, type operator, type Received } from "@terrarium/contract";
import { pageOf, windowOf } from "../../platform/http/pages.ts";
import type { By } from "../audit/by.ts";
import { GIB } from "../organizations/set-limit.ts";
import { setTerms, type Terms } from "../organizations/set-terms.ts";
import { removeSecondFactors } from "../second-factor/for-operator.ts";
import type { Actor } from "../sessions/actor.ts";
import { disableUser, enableUser } from "../users/manage-user.ts";
import { proveSelf } from "../users/prove-self.ts";
import {
  findCustomer,
  findOperated,
  listOperated,
  listPeople as listPeopleRows,
  type OperatedRow,
} from "./organizations.store.ts";
import type { LinkingDeps } from "../deps.ts";

export type OperateDeps = LinkingDeps;

type Routes = typeof operator;

/** A page of all organizations. */
export async function listOrganizations(
  { db, clock }: OperateDeps,
  query: Received<Routes["organizations"]>["query"],
  url: string,
): Promise<Answer<Routes["organizations"]>> {
  const filter = { ...query, now: new Date(clock.now()) };
  const { count, results } = await listOperated(db, filter, windowOf(query));
  return pageOf({ count, results: results.map(listed) }, query, url);
}

/** @throws AppError ORGANIZATION_NOT_FOUND */
export async function operatedRow({ db }: Pick<OperateDeps, "db">, uuid: string): Promise<OperatedRow> {
  const row = (await findOperated(db, [uuid])).get(uuid);
  if (!row) throw new AppError("ORGANIZATION_NOT_FOUND");
  return row;
}

/** @throws AppError ORGANIZATION_NOT_FOUND */
export async function getOrganization(deps: Pick<OperateDeps, "db">, uuid: string): Promise<OperatedOrganization> {
  const row = await operatedRow(deps, uuid);
  return {
    ...listed(row),
    managers: row.managers,
    requires_second_factor: row.requires_second_factor,
    limits: {
      devices: row.instances_max,
      recipes: row.recipes_max,
      hardware_profiles: row.hardware_profiles_max,
      os_images: row.os_images_max,
      saved_gigabytes: row.saved_bytes_max / GIB,
    },
    zone: { name: row.zone, is_dedicated: row.zone_type === "dedicated" },
  };
}

const listed = (row: OperatedRow) => ({
  uuid: row.uuid,
  name: row.name,
  created_at: row.created_at.toISOString(),
  people: row.people,
  running_instances: row.running_instances,
  instances_max: row.instances_max,
  license: {
    type: row.license_type,
    is_active: row.license_is_active,
    is_unpaid: row.is_unpaid,
    expires_at: row.license_expires_at?.toISOString() ?? null,
  },
});

/**
 * Changes the license, the limits and the zone of an organization.
 * @throws AppError ORGANIZATION_NOT_FOUND, PLAN_RENEWS, PLAN_SUSPENDED
 */
export async function changeOrganization(
  deps: OperateDeps,
  uuid: string,
  { license, limits, zone }: Omit<Received<Routes["setTerms"]>["body"], "reason">,
  by: By,
): Promise<OperatedOrganization> {
  const { expires_at } = license ?? {};
  const wanted: Partial<{ [Name in keyof Terms]: Terms[Name] | undefined }> = {
    license_type: license?.type,
    license_is_active: license?.is_active,
    is_unpaid: license?.is_unpaid,
    license_expires_at: typeof expires_at === "string" ? new Date(expires_at) : expires_at,
    instances_max: limits?.devices,
    recipes_max: limits?.recipes,
    hardware_profiles_max: limits?.hardware_profiles,
    os_images_max: limits?.os_images,
    saved_bytes_max: limits?.saved_gigabytes === undefined ? undefined : limits.saved_gigabytes * GIB,
    zone: zone?.name,
    zone_type: zone && (zone.is_dedicated ? "dedicated" : "shared"),
  };
  await setTerms({ ...deps, by }, uuid, wanted);
  return getOrganization(deps, uuid);
}

/**
 * A page of the people of an organization.
 * @throws AppError ORGANIZATION_NOT_FOUND
 */
export async function listPeople(
  { db }: OperateDeps,
  organization: string,
  query: Received<Routes["people"]>["query"],
  url: string,
): Promise<Answer<Routes["people"]>> {
  await operatedRow({ db }, organization);
  const { count, results } = await listPeopleRows(db, { organization, ...query }, windowOf(query));
  const people = results.map((row) => ({ ...row, last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null }));
  return pageOf({ count, results: people }, query, url);
}

/**
 * Lets a customer's person in, or denies them access, as the operator tool does.
 * @throws AppError USER_NOT_FOUND
 */
export async function setStatus(deps: OperateDeps, uuid: string, isEnabled: boolean, by: By): Promise<void> {
  await (isEnabled ? enableUser : disableUser)({ ...deps, by }, await customer(deps, uuid));
}

/**
 * Removes the second factors of a customer's person. The operator proves who they are, as whoever finds their browser must not let strangers in.
 * @throws AppError USER_NOT_FOUND, SECOND_FACTOR_MISSING, what `proveSelf` throws
 */
export async function removeFactors(
  deps: OperateDeps,
  actor: Actor,
  { uuid, password }: { uuid: string; password?: string | undefined },
  by: By,
): Promise<void> {
  await proveSelf(deps, actor, password);
  if (!(await removeSecondFactors({ ...deps, by }, await customer(deps, uuid), deps.pagesAt())))
    throw new AppError("SECOND_FACTOR_MISSING");
}

/** Accounts of operators are for the operator tool alone. */
async function customer({ db }: OperateDeps, uuid: string): Promise<string> {
  const email = await findCustomer(db, uuid);
  if (email === undefined) throw new AppError("USER_NOT_FOUND");
  return email;
}
