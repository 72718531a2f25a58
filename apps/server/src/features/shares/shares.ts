import { AppError, limits, type Share, type ShareBody, type ShareChange } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import type { By } from "../audit/by.ts";
import { checkRecipe } from "../recipes/recipe-rights.ts";
import { findRecipe, lockRecipe, type RecipeRow } from "../recipes/recipes.ts";
import type { Actor } from "../sessions/actor.ts";
import type { Reachable } from "../users/look-up.ts";
import { getUser } from "../users/users.ts";
import { checkOrganizations, countInvited, findPeople } from "./find-recipients.ts";
import { shareMail } from "./share-mail.ts";
import {
  addRecipients,
  deleteShare,
  findRecipients,
  findShare,
  insertShare,
  notifyShareChanged,
  type Recipients,
  type RecipientUuids,
  removeRecipients,
  type ShareRow,
  updateShare,
} from "./shares.store.ts";
import type { LinkingDeps } from "../deps.ts";

export type ShareDeps = LinkingDeps;

type Member = Actor & { organization: string };

/** @throws SHARE_NOT_FOUND, RECIPE_SHARE_NOT_ALLOWED */
export async function getShare({ db }: ShareDeps, actor: Member, uuid: string): Promise<Share> {
  const { share } = await findFor(db, actor, uuid, findRecipe);
  return presentShare(actor, share, await findRecipients(db, share.recipe_uuid));
}

/**
 * Shares a recipe, with more people and organizations if it is shared already. Each new person gets a mail.
 * @throws RECIPE_NOT_FOUND, RECIPE_SHARE_NOT_ALLOWED, RECIPIENTS_NOT_FOUND, ORGANIZATION_NOT_FOUND, TOO_MANY_RECIPIENTS, TOO_MANY_REQUESTS
 */
export async function shareRecipe(
  deps: ShareDeps,
  actor: Member,
  recipeUuid: string,
  { recipients, organizations, message }: ShareBody,
  by: By,
): Promise<Share> {
  if (recipients.users.length + organizations.length === 0)
    throw new AppError("invalid_request", { fields: [{ field: "recipients.users", message: "Required" }] });
  const { db, clock } = deps;
  checkRecipe(actor, "share", await findRecipe(db, actor, recipeUuid));
  const people = await invite(deps, actor, recipeUuid, recipients.users);
  await checkOrganizations(deps, organizations);
  const now = new Date(clock.now());
  return transaction(db, async (trx) => {
    const recipe = await lockRecipe(trx, actor, recipeUuid);
    checkRecipe(actor, "share", recipe);
    const share = await findShare(trx, "recipe_uuid", recipeUuid);
    const before = await findRecipients(trx, recipeUuid);
    const wanted = {
      users: [...new Set([...uuidsOf(before.users), ...uuidsOf(people)])],
      organizations: [...new Set([...uuidsOf(before.organizations), ...organizations])],
    };
    if (wanted.users.length > limits.shareRecipients || wanted.organizations.length > limits.shareOrganizations)
      throw new AppError("TOO_MANY_RECIPIENTS");
    const uuid = share?.uuid ?? randomUUID();
    if (!share)
      await insertShare(trx, {
        uuid,
        recipe_uuid: recipeUuid,
        message,
        shared_by: actor.uuid,
        created_at: now,
        updated_at: now,
      });
    else await updateShare(trx, uuid, message || share.message, now);
    return change({ ...deps, db: trx }, actor, { share: uuid, recipe, before, wanted, people, now, by });
  });
}

/**
 * Changes with whom a recipe is shared, and the message; what is undefined stays. New people get a mail. The share ends when nobody is
 * left.
 * @returns the share as it is now, or as it ended
 * @throws SHARE_NOT_FOUND, RECIPE_SHARE_NOT_ALLOWED, RECIPIENTS_NOT_FOUND, ORGANIZATION_NOT_FOUND, TOO_MANY_REQUESTS
 */
export async function changeShare(
  deps: ShareDeps,
  actor: Member,
  uuid: string,
  { recipients, organizations, message }: ShareChange,
  by: By,
): Promise<Share> {
  const { db, clock } = deps;
  const known = await findFor(db, actor, uuid, findRecipe);
  const people = recipients?.users && (await invite(deps, actor, known.recipe.uuid, recipients.users));
  if (organizations) await checkOrganizations(deps, organizations);
  const now = new Date(clock.now());
  return transaction(db, async (trx) => {
    const { share, recipe } = await findFor(trx, actor, uuid, lockRecipe);
    const before = await findRecipients(trx, recipe.uuid);
    const wanted = {
      users: uuidsOf(people ?? before.users),
      organizations: [...new Set(organizations ?? uuidsOf(before.organizations))],
    };
    await updateShare(trx, uuid, message ?? share.message, now);
    return change({ ...deps, db: trx }, actor, {
      share: uuid,
      recipe,
      before,
      wanted,
      people: people ?? [],
      now,
      by,
    });
  });
}

/**
 * Ends a share: the recipe is gone for its recipients at once. Devices that they have started run on until they are stopped.
 * @throws SHARE_NOT_FOUND, RECIPE_SHARE_NOT_ALLOWED
 */
export async function endShare(deps: ShareDeps, actor: Member, uuid: string, by: By): Promise<void> {
  await changeShare(deps, actor, uuid, { recipients: { users: [] }, organizations: [] }, by);
}

/** A share whose recipe the actor may share; `find` finds or locks the recipe. */
async function findFor(
  db: Database,
  actor: Member,
  uuid: string,
  find: typeof findRecipe,
): Promise<{ share: ShareRow; recipe: RecipeRow }> {
  const known = await findShare(db, "uuid", uuid);
  const recipe = known && (await find(db, actor, known.recipe_uuid));
  // Once more: it may have ended before the recipe was locked.
  const share = recipe && (await findShare(db, "uuid", uuid));
  if (!share) throw new AppError("SHARE_NOT_FOUND");
  checkRecipe(actor, "share", recipe);
  return { share, recipe };
}

/** Finds the wanted people, and counts those who are new. */
async function invite(deps: ShareDeps, actor: Member, recipe: string, keys: readonly string[]): Promise<Reachable[]> {
  const before = new Set(uuidsOf((await findRecipients(deps.db, recipe)).users));
  const people = await findPeople(deps, actor, keys, before);
  await countInvited(
    deps.limiter,
    actor.uuid,
    people.filter(({ uuid }) => !before.has(uuid)),
  );
  return people;
}

interface Change {
  by: By;
  /** Its uuid. */
  share: string;
  recipe: RecipeRow;
  before: Recipients;
  wanted: RecipientUuids;
  /** The wanted people whose addresses were looked up. */
  people: readonly Reachable[];
  now: Date;
}

/** Brings the recipients in line with what is wanted, notifies them, and ends the share if nobody is left. */
async function change(
  { db: trx, clock, audit, pagesAt }: ShareDeps,
  actor: Member,
  { share: uuid, recipe, before, wanted, people, now, by }: Change,
): Promise<Share> {
  const had = { users: uuidsOf(before.users), organizations: uuidsOf(before.organizations) };
  const added = without(wanted, had);
  const removed = without(had, wanted);
  await removeRecipients(trx, recipe.uuid, removed);
  await addRecipients(trx, recipe.uuid, added);

  const subject = { kind: "recipe", uuid: recipe.uuid } as const;
  const acts = [
    { action: "recipe.share" as const, ...added },
    { action: "recipe.unshare" as const, ...removed },
  ].filter(({ users, organizations }) => users.length + organizations.length > 0);
  const organization = recipe.organization_uuid;
  for (const { action, users, organizations } of acts) {
    const details = { users: users.join(" "), organizations: organizations.join(" ") };
    await audit.record(trx, by, { action, subject, organization, details });
  }

  const share = await findShare(trx, "uuid", uuid);
  const from = await getUser({ db: trx }, actor, actor.uuid);
  if (!share) throw new Error("a share that was just changed is not there");
  const isOver = wanted.users.length + wanted.organizations.length === 0;
  const isReworded = share.message !== recipe.share?.message;
  if (isReworded && recipe.share && !isOver)
    await audit.record(trx, by, { action: "recipe.edit_share", subject, organization });
  // A new revision without a change would prevent whoever is editing the recipe from saving it.
  if (acts.length > 0 || isOver || isReworded)
    await notifyShareChanged(trx, recipe.uuid, goneFor(recipe, before, wanted, removed), now);
  for (const to of people.filter((person) => person.is_active && added.users.includes(person.uuid)))
    if (to.uuid !== actor.uuid) {
      const mail = shareMail({ to, from, recipe, message: share.message, pagesAt: pagesAt() });
      await sendMail(trx, clock, mail);
    }
  const recipients = await findRecipients(trx, recipe.uuid);
  if (isOver) await deleteShare(trx, uuid);
  return presentShare(actor, share, recipients);
}

/** Who may not use a recipe any longer, of those it is no longer shared with: members of its organization still may. */
function goneFor(recipe: RecipeRow, before: Recipients, wanted: RecipientUuids, removed: RecipientUuids): string[] {
  const open = new Set([recipe.organization_uuid, ...wanted.organizations]);
  const users = before.users.filter(
    ({ uuid, organization_uuid: organization }) =>
      removed.users.includes(uuid) && (organization === null || !open.has(organization)),
  );
  return [...uuidsOf(users), ...removed.organizations.filter((organization) => !open.has(organization))];
}

const uuidsOf = (rows: readonly { uuid: string }[]): string[] => rows.map(({ uuid }) => uuid);

const without = (some: RecipientUuids, others: RecipientUuids): RecipientUuids => ({
  users: some.users.filter((uuid) => !others.users.includes(uuid)),
  organizations: some.organizations.filter((uuid) => !others.organizations.includes(uuid)),
});

const presentShare = (actor: Actor, share: ShareRow, { users, organizations }: Recipients): Share => ({
  uuid: share.uuid,
  recipe_uuid: share.recipe_uuid,
  recipients: {
    users: users.map(({ organization_uuid: organization, ...person }) =>
      organization !== null && organization === actor.organization
        ? person
        : { ...person, first_name: "", last_name: "" },
    ),
  },
  organizations,
  message: share.message,
  shared_by: share.shared_by,
  created_at: share.created_at.toISOString(),
  updated_at: share.updated_at.toISOString(),
});
