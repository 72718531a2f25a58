import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { isDuplicate } from "../../platform/db/database-errors.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { organizationCalled } from "../organizations/organization-called.ts";
import { clientSecrets } from "./client-secrets.ts";
import { OpenIdIssuer } from "./openid-issuer.ts";
import { deleteProvider, upsertProvider } from "./sso.store.ts";

interface Deps {
  db: Database;
  audit: Audit;
  by: By;
}

const Given = z.object({
  domain: z.hostname().toLowerCase(),
  issuer: OpenIdIssuer,
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
});

/**
 * Gives an organization an OpenID provider of its own, for everybody with an address at the domain: whoever is new becomes a member.
 * @throws ZodError that names what is wrong; Error if it is not clear which organization is meant, or another has the domain
 */
export async function setOrganizationProvider(
  { db, audit, by }: Deps,
  name: string,
  given: z.input<typeof Given>,
): Promise<void> {
  const { domain, issuer, clientId: client_id, clientSecret } = Given.parse(given);
  await transaction(db, async (trx) => {
    const uuid = await organizationCalled(trx, name);
    const sealed_secret = (await clientSecrets(trx)).seal(Buffer.from(clientSecret), uuid);
    await upsertProvider(trx, { organization_uuid: uuid, domain, issuer, client_id, sealed_secret });
    const details = { domain, issuer };
    const subject = { kind: "organization", uuid } as const;
    await audit.record(trx, by, { action: "organization.set_provider", subject, organization: uuid, details });
  }).catch((error: unknown) => {
    throw isDuplicate(error, "organization_providers_domain_key")
      ? new Error(`Another organization has ${domain}.`, { cause: error })
      : error;
  });
}

/**
 * Takes an organization's provider away; returns false if it had none. What people linked stays, and works again with the same provider.
 * @throws Error if it is not clear which organization is meant
 */
export async function removeOrganizationProvider({ db, audit, by }: Deps, name: string): Promise<boolean> {
  return transaction(db, async (trx) => {
    const uuid = await organizationCalled(trx, name);
    if (!(await deleteProvider(trx, uuid))) return false;
    const subject = { kind: "organization", uuid } as const;
    await audit.record(trx, by, { action: "organization.remove_provider", subject, organization: uuid });
    return true;
  });
}
