import { Email } from "@terrarium/contract";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { makePasswordLink } from "../passwords/make-link.ts";
import { findUserByEmail } from "../users/accounts.ts";
import { createUser } from "../users/create-user.ts";
import type { ManageDeps } from "../users/manage-user.ts";
import { listOperatorRows } from "./operators.store.ts";

/**
 * Makes an account for somebody who runs the service, and a link with which they set its password. They set up a second factor when they sign
 * in. Who is an operator already gets another link, until they have set a password.
 * @param origin of the service's pages
 * @throws ZodError for what is no address; Error if the address has an account, as nobody is both a customer and an operator
 */
export async function addOperator(
  { db, clock, audit, by }: ManageDeps,
  { email: given, origin }: { email: string; origin: string },
): Promise<string> {
  const { email } = z.object({ email: Email }).parse({ email: given });
  return transaction(db, async (trx) => {
    const known = await findUserByEmail(trx, email);
    if (known && (!known.is_operator || known.password_hash !== null))
      throw new Error(
        known.is_operator
          ? `${email} is an operator already. A forgotten password is replaced at ${origin}/password-reset.`
          : `${email} has an account of a customer. An operator needs an address of their own.`,
      );
    if (!known) {
      const created_at = new Date(clock.now());
      // The terms are between the operator and the customers.
      const { uuid } = await createUser(trx, { email, is_operator: true, tnc_accepted_at: created_at, created_at });
      await audit.record(trx, by, {
        action: "user.create",
        subject: { kind: "user", uuid },
        organization: null,
        details: { role: "operator" },
      });
    }
    const link = await makePasswordLink(trx, clock, { email, origin });
    if (!link) throw new Error(`${email} is disabled.`);
    return link.url;
  });
}

/** Who runs the service. */
export const listOperators = (db: Database) => listOperatorRows(db);
