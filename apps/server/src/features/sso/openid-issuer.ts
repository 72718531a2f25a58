import { z } from "zod";

const ENTRA = "https://login.microsoftonline.com";

/** Names for many tenants of Entra at once; the last is the tenant of personal accounts. */
const SHARED = /^(common|organizations|consumers|{tenantid}|9188040d-6c67-4c5b-b112-36a304b66dad)$/i;

function isShared(issuer: string): boolean {
  const { origin, pathname } = new URL(issuer);
  return origin === ENTRA && SHARED.test(decodeURI(pathname).split("/")[1] ?? "");
}

/**
 * The issuer of an OpenID provider that speaks for one company. Those that Entra shares are refused: whoever has a tenant of their own may
 * write any address into its accounts.
 */
export const OpenIdIssuer = z
  .url({ protocol: /^https?$/ })
  .refine(
    (issuer) => !isShared(issuer),
    `Accounts of every tenant could sign in: name the issuer of one tenant, ${ENTRA}/TENANT_ID/v2.0`,
  );
