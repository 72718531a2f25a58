import type { PublicSettings } from "@terrarium/contract";
import { randomBytes } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { stableUuid } from "../../platform/ids.ts";
import type { Act, Audit } from "../audit/audit.ts";
import { type By, byService } from "../audit/by.ts";
import { joinDefaultGroup } from "../groups/default-group.ts";
import { addOrganization } from "../organizations/add-organization.ts";
import { deleteTokensOf, endSessionsOf } from "../sessions/end-all.ts";
import { hashPassword, passwordMatches } from "../users/passwords.ts";
import { findPasswordHashes, insertAccount, insertSharedRecipe, setEnabled, setPasswordHash } from "./demo.store.ts";
import type { FeatureDeps } from "../deps.ts";

/** The README has it: good only where nobody but the machine's own user can sign in. */
const PUBLISHED_PASSWORD = "terrarium1";

/** 80 bits. */
const RANDOM_PASSWORD_BYTES = 10;

const people = [
  { role: "manager", first_name: "Mara", last_name: "Lindqvist" },
  { role: "user", first_name: "Tomasz", last_name: "Wójcik" },
  { role: "guest", first_name: "Priya", last_name: "Raman" },
] as const;

const emailOf = (role: string) => `${role}@demo.test`;
const uuidOf = (role: string) => stableUuid(`user:demo:${role}`);
const demoOrganization = stableUuid("organization:demo");
/** The demo accounts, which come back when the server starts. */
export const demoAccounts = people.map(({ role }) => uuidOf(role));

type Account = PublicSettings["demo_accounts"][number];

/** The demo accounts whose passwords may be shown. */
export interface DemoAccounts {
  /** With the published password, for anyone who opens the sign-in page. */
  published: Account[];
  /** With a random password that was made just now, and is known to nobody else. */
  made: Account[];
}

type DemoDeps = FeatureDeps;

/**
 * Creates the demo organization and its accounts, the same on every installation, and enables those that `closeDemo` disabled. On a server
 * that others can reach, accounts with the published password get a random one, and whatever was opened with the published one ends. A
 * password that somebody has set stays. A recipe is shared with the guest, who could start nothing otherwise; the official catalogue must
 * be loaded before.
 */
export async function openDemo(
  { db, clock, audit }: DemoDeps,
  { isLocal }: { isLocal: boolean },
): Promise<DemoAccounts> {
  const created_at = new Date(clock.now());
  await addOrganization(db, {
    uuid: demoOrganization,
    name: "Northwind Mobile",
    supported_arch: ["arm64", "x86", "x86_64"],
    license_type: "metered",
    instances_max: 10,
    created_at,
  });
  const known = await findPasswordHashes(
    db,
    people.map(({ role }) => emailOf(role)),
  );
  const opened: DemoAccounts = { published: [], made: [] };
  for (const { role, first_name, last_name } of people) {
    const email = emailOf(role);
    const before = known.get(email);
    const isPublished = before !== undefined && (await passwordMatches(PUBLISHED_PASSWORD, before));
    if (before !== undefined && !isPublished) continue;
    const password = isLocal ? PUBLISHED_PASSWORD : randomPassword();
    opened[isLocal ? "published" : "made"].push({ role, email, password });
    if (isPublished && isLocal) continue;
    const password_hash = await hashPassword(password);
    if (isPublished) await replacePassword({ db, clock, audit }, byService, { role, password_hash });
    else {
      const organization_uuid = role === "guest" ? null : demoOrganization;
      await insertAccount(db, {
        uuid: uuidOf(role),
        email,
        first_name,
        last_name,
        password_hash,
        organization_uuid,
        is_organization_manager: role === "manager",
        is_validated: true,
        tnc_accepted_at: created_at,
        created_at,
      });
      await joinDefaultGroup(db, { uuid: uuidOf(role), organization_uuid });
    }
  }
  // Only once: it does not come back after somebody has deleted it.
  if (!known.has(emailOf("guest"))) await shareWithGuest(db, created_at);
  await setStatus(db, audit, true);
  return opened;
}

const shareWithGuest = (db: Database, now: Date): Promise<void> =>
  insertSharedRecipe(
    db,
    {
      uuid: stableUuid("recipe:demo"),
      name: "Northwind phone",
      owner: uuidOf("user"),
      organization: demoOrganization,
      now,
    },
    { uuid: stableUuid("share:demo"), message: "Start it and have a look around.", user: uuidOf("guest") },
  );

/** Gives the demo accounts random passwords, and ends what was opened with the old ones. Returns none where there is no demonstration. */
export async function resetDemoPasswords(deps: DemoDeps, by: By): Promise<Account[]> {
  const made: Account[] = [];
  for (const { role } of people) {
    const password = randomPassword();
    const password_hash = await hashPassword(password);
    if (await replacePassword(deps, by, { role, password_hash })) made.push({ role, email: emailOf(role), password });
  }
  return made;
}

/** Returns false if there is no such account. */
const replacePassword = (
  { db, clock, audit }: DemoDeps,
  by: By,
  { role, password_hash }: { role: Account["role"]; password_hash: string },
): Promise<boolean> =>
  transaction(db, async (trx) => {
    const user = await setPasswordHash(trx, emailOf(role), password_hash);
    if (user === undefined) return false;
    await endSessionsOf(trx, user, new Date(clock.now()));
    await deleteTokensOf(trx, user);
    await audit.record(trx, by, passwordReset(role));
    return true;
  });

/** Disables the accounts, where there is no demonstration. */
export const closeDemo = (db: Database, audit: Audit): Promise<void> => setStatus(db, audit, false);

const setStatus = (db: Database, audit: Audit, isEnabled: boolean): Promise<void> =>
  transaction(db, async (trx) => {
    const changed = await setEnabled(trx, demoAccounts, isEnabled);
    const acts = changed.map(({ uuid, organization_uuid }): Act => ({
      action: isEnabled ? "user.enable" : "user.disable",
      subject: { kind: "user", uuid },
      organization: organization_uuid,
      details: demoReason,
    }));
    await audit.record(trx, byService, ...acts);
  });

const demoReason = { reason: "demo" };

const passwordReset = (role: string): Act => ({
  action: "user.reset_password",
  subject: { kind: "user", uuid: uuidOf(role) },
  organization: role === "guest" ? null : demoOrganization,
  details: demoReason,
});

const randomPassword = (): string => randomBytes(RANDOM_PASSWORD_BYTES).toString("hex");
