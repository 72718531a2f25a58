import { Email, Name, Password } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { isDuplicate } from "../../platform/db/database-errors.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { joinDefaultGroup } from "../groups/default-group.ts";
import { organizationNamed } from "../organizations/add-organization.ts";
import { refuseCommonPassword } from "./common-passwords.ts";
import type { ManageDeps } from "./manage-user.ts";
import { hashPassword } from "./passwords.ts";
import { insertUser } from "./users.store.ts";

const NewUser = z.object({
  email: Email,
  password: Password,
  organization: Name,
  manager: z.boolean(),
});

/**
 * Adds a person who can sign in at once, to the organization of that name or uuid; one of that name is created if there is none.
 * @throws ZodError that names the field; AppError PASSWORD_TOO_COMMON; Error if the address is taken, or it is not clear which organization is meant
 */
export async function addUser({ db, clock, audit, by }: ManageDeps, input: z.input<typeof NewUser>): Promise<string> {
  const { email, password, organization: name, manager } = NewUser.parse(input);
  await refuseCommonPassword(password);
  const uuid = randomUUID();
  const created_at = new Date(clock.now());
  const password_hash = await hashPassword(password);
  await transaction(db, async (trx) => {
    const organization = await organizationNamed(trx, name, created_at);
    await insertUser(trx, {
      uuid,
      email,
      password_hash,
      organization_uuid: organization.uuid,
      is_organization_manager: manager,
      is_validated: true,
      created_at,
    });
    await joinDefaultGroup(trx, { uuid, organization_uuid: organization.uuid });
    const where = { organization: organization.uuid };
    if (organization.isNew)
      await audit.record(trx, by, {
        action: "organization.create",
        subject: { kind: "organization", uuid: organization.uuid },
        ...where,
      });
    await audit.record(trx, by, {
      action: "user.create",
      subject: { kind: "user", uuid },
      details: { role: manager ? "manager" : "user" },
      ...where,
    });
  }).catch((error: unknown) => {
    throw isDuplicate(error, "users_email_key") ? new Error(`${email} is in use already.`, { cause: error }) : error;
  });
  return uuid;
}
