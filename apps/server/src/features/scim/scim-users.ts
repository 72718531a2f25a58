import { Email, limits } from "@terrarium/contract";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { isDuplicate } from "../../platform/db/database-errors.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { domainOf } from "../../platform/mail/domain-of.ts";
import { lockLimits } from "../organizations/limits.ts";
import { getClaim } from "../sso/groups-claim.ts";
import { updateUser } from "../users/accounts.ts";
import { createUser } from "../users/create-user.ts";
import { visibleName } from "../users/visible-name.ts";
import { disable, type Done, enable, giveRole } from "../users/user-acts.ts";
import {
  type Directory,
  type ListQuery,
  metaOf,
  type Resource,
  type Resources,
  type ScimDeps,
  USER,
  uuidOf,
} from "./directory.ts";
import { invalidValue, notFound, ScimError } from "./scim-error.ts";
import { matches } from "./scim-filter.ts";
import { foldNames, stepsOf } from "./scim-patch.ts";
import {
  type DirectoryUser,
  findDirectoryUser,
  findGroupsOf,
  hasOtherManager,
  isNameTaken,
  listDirectoryUsers,
  lockByEmail,
  upsertDirectoryUser,
} from "./scim.store.ts";

/** As `true`, or as text: Entra sends `"False"`. */
const Flag = z.union([z.boolean(), z.stringbool({ truthy: ["true"], falsy: ["false"] })], {
  error: "Must be true or false",
});

const hasNoNul = (text: string): boolean => !text.includes("\0");
export const Text = z.string().trim().max(limits.textLength).refine(hasNoNul, "Must not contain NUL");
const UserName = Text.min(1, "Required");
const PersonName = z
  .string()
  .nullish()
  .transform((name) => visibleName(name ?? ""));

/** What we read of a user; the names of attributes are in lower case. Everything else that directories send is ignored. */
const User = z.object({
  username: UserName,
  externalid: Text.nullish(),
  name: z.object({ givenname: PersonName.optional(), familyname: PersonName.optional() }).nullish(),
  active: Flag.nullish(),
  emails: z
    .array(z.object({ value: z.string(), primary: Flag.nullish(), type: z.string().nullish() }))
    .max(20)
    .nullish(),
});
type User = z.output<typeof User>;

/** What a directory wants to be different. What is undefined stays as it is. */
interface Change {
  userName?: string | undefined;
  externalId?: string | null | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  active?: boolean | undefined;
  email?: string | undefined;
}

const changeOf = ({ username, externalid, name, active, emails }: Partial<User>): Change => ({
  userName: username,
  externalId: externalid === undefined ? undefined : externalid || null,
  firstName: name?.givenname,
  lastName: name?.familyname,
  active: active ?? undefined,
  email: emails ? addressAmong(emails) : undefined,
});

/** The primary address, or that for work, or the first. */
function addressAmong(emails: NonNullable<User["emails"]>): string | undefined {
  const isWork = ({ type }: { type?: string | null | undefined }) => type?.toLowerCase() === "work";
  const chosen = emails.find(({ primary }) => primary) ?? emails.find(isWork) ?? emails[0];
  if (!chosen) return undefined;
  const { data } = Email.safeParse(chosen.value);
  if (data === undefined)
    throw invalidValue(`emails: “${chosen.value.slice(0, limits.emailLength)}” is no e-mail address.`);
  return data;
}

/** @throws ScimError invalidFilter */
export async function listUsers(
  { db, base }: ScimDeps,
  { organization }: Directory,
  { filter, ...page }: ListQuery,
): Promise<Resources> {
  const { count, results } = await listDirectoryUsers(db, organization, filter, page);
  return { count, results: await presentUsers(db, base(), results) };
}

/** @throws ScimError 404 */
export async function getUser({ db, base }: ScimDeps, { organization }: Directory, id: string): Promise<Resource> {
  const uuid = uuidOf(id);
  const user = uuid && (await findDirectoryUser(db, organization, uuid));
  const [shown] = user ? await presentUsers(db, base(), [user]) : [];
  if (!shown) throw notFound();
  return shown;
}

async function presentUsers(db: Database, base: string, users: readonly DirectoryUser[]): Promise<Resource[]> {
  const groups = Map.groupBy(
    await findGroupsOf(
      db,
      users.map(({ uuid }) => uuid),
    ),
    ({ user_uuid }) => user_uuid,
  );
  return users.map(({ uuid, user_name, external_id, first_name, last_name, email, is_enabled, ...times }) => ({
    schemas: [USER],
    id: uuid,
    ...(external_id !== null && { externalId: external_id }),
    userName: user_name,
    ...((first_name || last_name) && {
      name: { ...(first_name && { givenName: first_name }), ...(last_name && { familyName: last_name }) },
    }),
    active: is_enabled,
    emails: [{ value: email, type: "work", primary: true }],
    groups: (groups.get(uuid) ?? []).map((group) => ({
      value: group.uuid,
      display: group.name,
      $ref: `${base}/Groups/${group.uuid}`,
    })),
    meta: metaOf("User", base, { uuid, ...times }),
  }));
}

/**
 * Creates a member with an address at the domain of the organization's own provider: only there it decides who has an address. Whoever the
 * directory had removed comes back as a user. They sign in with the provider, and accept the terms then.
 * @throws ScimError uniqueness if anybody has the address, invalidValue; ZodError
 */
export async function createDirectoryUser(deps: ScimDeps, directory: Directory, body: unknown): Promise<Resource> {
  const { db, clock } = deps;
  const { organization } = directory;
  const wanted = changeOf(User.parse(foldNames(body)));
  const { userName = "", active = true } = wanted;
  const email = wanted.email ?? Email.safeParse(userName).data;
  if (email === undefined) throw invalidValue("An e-mail address is needed, as userName or among the emails.");
  const uuid = await transaction(db, async (trx) => {
    await lockLimits(trx, organization);
    await checkDomain(trx, organization, email);
    const known = await lockByEmail(trx, email);
    // Nobody is moved from another organization, and no guest is made a member without their doing.
    if (known && (known.organization_uuid !== organization || known.removed_at === null || known.is_enabled))
      throw new ScimError(409, "uniqueness", `An account has the address ${email} already.`);
    await checkName(trx, organization, userName, known?.uuid);
    if (known) {
      // Back from before, perhaps for another job.
      await record(deps, trx, directory, known.uuid, await giveRole(trx, known, "user"));
      await apply(deps, trx, directory, known, { ...wanted, active });
      return known.uuid;
    }
    const { uuid: created } = await createUser(trx, {
      email,
      first_name: wanted.firstName ?? "",
      last_name: wanted.lastName ?? "",
      organization_uuid: organization,
      is_enabled: active,
      disabled_by: active ? null : "directory",
      created_at: new Date(clock.now()),
    });
    const details = { role: "user", by: "provisioning", is_enabled: active };
    await record(deps, trx, directory, created, { action: "user.create", details });
    const named = { user_name: userName, external_id: wanted.externalId ?? null };
    await note(deps, trx, { user_uuid: created, ...named });
    return created;
  }).catch((error: unknown) => {
    throw isDuplicate(error, "users_email_key")
      ? new ScimError(409, "uniqueness", `An account has the address ${email} already.`, error)
      : error;
  });
  return getUser(deps, directory, uuid);
}

async function checkDomain(trx: Database, organization: string, email: string): Promise<void> {
  const { domain } = await getClaim(trx, organization);
  if (domain === null)
    throw invalidValue(
      "People can be created when this organization has an OpenID provider of its own, which says whose e-mail domain it is. Ask the operator for one.",
    );
  if (domainOf(email) !== domain)
    throw invalidValue(`People can be created with addresses at ${domain} only: ${email} is not one.`);
}

async function checkName(trx: Database, organization: string, name: string, except?: string): Promise<void> {
  if (await isNameTaken(trx, organization, name, except))
    throw new ScimError(409, "uniqueness", `Somebody has the userName ${name} already.`);
}

/** Changes a user to what is sent whole. What is missing stays as it is. @throws what `changeUser` throws */
export const replaceUser = (deps: ScimDeps, directory: Directory, id: string, body: unknown): Promise<Resource> =>
  changeUser(deps, directory, id, () => changeOf(User.parse(foldNames(body))));

/** @throws what `changeUser` and `stepsOf` throw */
export const patchUser = (deps: ScimDeps, directory: Directory, id: string, body: unknown): Promise<Resource> =>
  changeUser(deps, directory, id, (user) => patched(user, body));

/**
 * Changes a member. Roles cannot be changed in this way, nor addresses: who has one signs in with it.
 * @throws ScimError 404, mutability for another address and for the last manager, uniqueness, invalidValue; ZodError; AppError
 *   DISABLED_BY_OPERATOR
 */
async function changeUser(
  deps: ScimDeps,
  directory: Directory,
  id: string,
  changeFor: (user: DirectoryUser) => Change,
): Promise<Resource> {
  const { organization } = directory;
  const uuid = uuidOf(id);
  await transaction(deps.db, async (trx) => {
    await lockLimits(trx, organization);
    const user = uuid && (await findDirectoryUser(trx, organization, uuid, { lock: true }));
    if (!user) throw notFound();
    const change = changeFor(user);
    if (change.email !== undefined && change.email !== user.email)
      throw new ScimError(400, "mutability", `The address of an account cannot be changed: it stays ${user.email}.`);
    if (change.userName !== undefined && change.userName !== user.user_name)
      await checkName(trx, organization, change.userName, user.uuid);
    await apply(deps, trx, directory, user, change);
  });
  return getUser(deps, directory, id);
}

/** What a PATCH makes of a user. */
function patched(user: DirectoryUser, body: unknown): Change {
  const wanted: Record<string, unknown> = {};
  const name: Record<string, unknown> = {};
  const address = { type: "work", primary: true, value: user.email };
  for (const { op, attribute, part, filter, value } of stepsOf(body)) {
    const given = op === "remove" ? null : value;
    if (attribute === "name") {
      if (part !== undefined) name[part] = given;
      else Object.assign(name, given ?? { givenname: null, familyname: null });
    } else if (attribute === "emails") {
      // One address is stored, as the one for work; any others are ignored.
      const isOurs = !filter || matches(filter, address);
      if (op !== "remove" && isOurs && (part === undefined || part === "value"))
        wanted["emails"] = part === "value" ? [{ value: given }] : [given].flat();
    } else if (op === "remove" && (attribute === "username" || attribute === "active")) {
      throw new ScimError(400, "mutability", `A user always has “${attribute}”.`);
    } else if (op !== "remove" || attribute === "externalid") wanted[attribute] = given;
  }
  return changeOf(User.partial().parse({ ...wanted, ...(Object.keys(name).length > 0 && { name }) }));
}

/** Makes the change, and records what is different. */
async function apply(
  deps: ScimDeps,
  trx: Database,
  directory: Directory,
  user: DirectoryUser,
  change: Change,
): Promise<void> {
  const { uuid } = user;
  const { firstName = user.first_name, lastName = user.last_name } = change;
  const { userName = user.user_name, externalId = user.external_id, active = user.is_enabled } = change;
  const isRenamed = firstName !== user.first_name || lastName !== user.last_name;
  const isCalled = userName !== user.user_name || externalId !== user.external_id || user.removed_at !== null;
  const done =
    active === user.is_enabled
      ? undefined
      : await (active ? enable(trx, user, directory.by) : deactivate(deps, trx, directory, user));
  if (!isRenamed && !isCalled && !done) return;
  if (isRenamed) {
    await updateUser(trx, uuid, { first_name: firstName, last_name: lastName });
    await record(deps, trx, directory, uuid, { action: "user.rename" });
  }
  if (isCalled) await record(deps, trx, directory, uuid, { action: "user.provision", details: { is_removed: false } });
  await record(deps, trx, directory, uuid, done);
  await note(deps, trx, { user_uuid: uuid, user_name: userName, external_id: externalId });
}

/** What the directory calls somebody now, whom it has changed or, if so, removed. */
const note = (
  { clock }: ScimDeps,
  trx: Database,
  named: { user_uuid: string; user_name: string; external_id: string | null },
  { isRemoved = false } = {},
): Promise<void> => {
  const changed_at = new Date(clock.now());
  return upsertDirectoryUser(trx, { ...named, changed_at, removed_at: isRemoved ? changed_at : null });
};

/** Ends their sessions, and refuses new ones. @throws ScimError mutability for the last manager */
async function deactivate(
  deps: ScimDeps,
  trx: Database,
  { organization, by }: Directory,
  user: DirectoryUser,
): Promise<Done> {
  if (user.is_organization_manager && user.is_enabled && !(await hasOtherManager(trx, organization, user.uuid)))
    throw new ScimError(
      400,
      "mutability",
      "This is the only manager of the organization. Make somebody else a manager first.",
    );
  return disable(deps, trx, user, by);
}

/**
 * Removes a member as far as their directory is concerned: they are disabled, and it does not see them any more. What they have made stays, and
 * managers still find them among the users: only people themselves delete their accounts.
 * @throws ScimError 404, mutability for the last manager
 */
export async function removeUser(deps: ScimDeps, directory: Directory, id: string): Promise<void> {
  const { organization } = directory;
  const uuid = uuidOf(id);
  await transaction(deps.db, async (trx) => {
    await lockLimits(trx, organization);
    const user = uuid && (await findDirectoryUser(trx, organization, uuid, { lock: true }));
    if (!user) throw notFound();
    await record(deps, trx, directory, user.uuid, await deactivate(deps, trx, directory, user));
    const { user_name, external_id } = user;
    await note(deps, trx, { user_uuid: user.uuid, user_name, external_id }, { isRemoved: true });
    await record(deps, trx, directory, user.uuid, { action: "user.provision", details: { is_removed: true } });
  });
}

async function record({ audit }: ScimDeps, trx: Database, { by }: Directory, uuid: string, done: Done): Promise<void> {
  if (done) await audit.record(trx, by, { ...done, subject: { kind: "user", uuid } });
}
