import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { UserRow } from "../users/user-row.ts";
import { countRecoveryCodes, findFactors, isRequiredOf } from "./second-factor.store.ts";
import type { Tickets } from "./tickets.ts";

interface AskDeps {
  tickets: Tickets;
  /** The origin of the service's pages. */
  pagesAt: () => string;
}

/**
 * Lets somebody pass who has proved who they are, and needs no second factor. Others get a ticket in place of a session.
 * @throws AppError SECOND_FACTOR_REQUIRED with a ticket, and the ways to confirm the sign-in; SECOND_FACTOR_SETUP_REQUIRED
 */
export async function askForSecondFactor(
  trx: Database,
  deps: AskDeps,
  user: UserRow,
  way: string | undefined,
): Promise<void> {
  const factors = await findFactors(trx, user.uuid, deps.pagesAt());
  if (factors.length === 0) return askToSetUp(trx, deps, user, way);
  const methods = [...factors, ...((await countRecoveryCodes(trx, user.uuid)) > 0 ? ["recovery"] : [])];
  const ticket = await deps.tickets.issue("confirm", user, { way });
  throw new AppError("SECOND_FACTOR_REQUIRED", { details: { ticket, methods: methods.join(" ") }, facts: about(user) });
}

/** For the record of the refusal. */
const about = ({ uuid, organization_uuid }: UserRow) => ({ owner: { uuid, organization_uuid } });

/**
 * Lets somebody pass unless their organization requires a second factor that they do not have.
 * @throws AppError SECOND_FACTOR_SETUP_REQUIRED, with a ticket for setting one up
 */
export async function askToSetUp(
  db: Database,
  { tickets, pagesAt }: AskDeps,
  user: UserRow,
  way: string | undefined,
): Promise<void> {
  if (!(await lacksFactor(db, user.uuid, pagesAt()))) return;
  const ticket = await tickets.issue("set-up", user, { way });
  throw new AppError("SECOND_FACTOR_SETUP_REQUIRED", { details: { ticket }, facts: about(user) });
}

/** Whether the organization of somebody requires a second factor that they do not have. */
export const lacksFactor = async (db: Database, user: string, pagesAt: string): Promise<boolean> =>
  (await isRequiredOf(db, user)) && (await findFactors(db, user, pagesAt)).length === 0;
