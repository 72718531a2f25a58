import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { UserRow } from "../users/accounts.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { countRecoveryCodes, findFactors, isRequiredOf, replaceRecoveryCodes } from "./second-factor.store.ts";

export interface ChangeDeps {
  clock: Clock;
  /** The origin of the service's pages. */
  pagesAt: () => string;
}

/** Call it when a second factor was added, in the same transaction. Returns recovery codes, shown only now, if its owner had none. */
export const factorAdded = async (trx: Database, { clock }: ChangeDeps, user: string): Promise<string[]> =>
  (await countRecoveryCodes(trx, user)) > 0 ? [] : renewCodes(trx, clock, user);

/**
 * Call it when a second factor was removed, in the same transaction. The recovery codes go with the last one. Returns whether the owner's
 * password alone signs them in from now on.
 * @throws AppError LAST_SECOND_FACTOR, which must undo it, if the organization of its owner requires one
 */
export async function factorRemoved(
  trx: Database,
  { clock, pagesAt }: ChangeDeps,
  { uuid, password_hash }: Pick<UserRow, "uuid" | "password_hash">,
): Promise<boolean> {
  if ((await findFactors(trx, uuid, pagesAt())).length > 0) return false;
  if (await isRequiredOf(trx, uuid)) throw new AppError("LAST_SECOND_FACTOR");
  await replaceRecoveryCodes(trx, uuid, [], new Date(clock.now()));
  return password_hash !== null;
}

/** Replaces the recovery codes of somebody, and returns the new ones. */
export async function renewCodes(trx: Database, clock: Clock, user: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(trx, user, codes.map(hashRecoveryCode), new Date(clock.now()));
  return codes;
}
