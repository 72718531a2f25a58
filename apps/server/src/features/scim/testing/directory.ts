import type { Provisioning } from "@terrarium/contract";
import type { LightMyRequestResponse } from "fastify";
import { createTestApp } from "../../../testing/app.ts";
import { aGroup, anOrganization } from "../../../testing/factories.ts";
import { SCIM_PATH } from "../../provisioning/provisioning.ts";
import { setOrganizationProvider } from "../../sso/organization-provider.ts";

export type ScimReply = Record<string, unknown> & { id: string };
type Test = Awaited<ReturnType<typeof createTestApp>>;

/** Calls the SCIM service with a token: `await scim("POST", "/Users", {...})`. */
export const scimWith =
  ({ app }: Pick<Test, "app">, token: string | undefined) =>
  async (
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
    path: string,
    body?: object | string,
  ): Promise<LightMyRequestResponse> =>
    app.http.inject({
      method,
      url: SCIM_PATH + path,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/scim+json" }),
      },
      ...(body !== undefined && { payload: typeof body === "string" ? body : JSON.stringify(body) }),
    });

/** An organization with a provider of its own, at a domain; its manager and a token for its directory. */
export async function aDirectoryOf(test: Test, domain: string) {
  const { as, db, operator } = test;
  const organization = await anOrganization(db, { name: `Works of ${domain}` });
  const everybody = await aGroup(db, organization, { name: "Everybody", is_default: true });
  const manager = await as({
    role: "manager",
    organization,
    fields: { email: `maria@${domain}`, first_name: "Maria" },
  });
  const given = { domain, issuer: `https://id.${domain}`, clientId: "terrarium", clientSecret: "secret" };
  await setOrganizationProvider(operator, organization, given);
  const path = `/v1/organizations/${organization}/provisioning`;
  const created = await manager.post(`${path}/tokens`, { password: manager.user.password });
  const { token, uuid } = created.json<{ token: string; uuid: string }>();
  return {
    organization,
    everybody,
    manager,
    path,
    token,
    tokenUuid: uuid,
    scim: scimWith(test, token),
    settings: async () => (await manager.get(path)).json<Provisioning>(),
  };
}

/** The directory of moss.example, in a service of its own. */
export async function withDirectory() {
  const test = await createTestApp({ publicUrl: "https://devices.example" });
  return { ...test, ...(await aDirectoryOf(test, "moss.example")) };
}

/** A user as directories send one. */
export const aPerson = (name: string, more: object = {}) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName: `${name}@moss.example`,
  name: { givenName: name, familyName: "Reed" },
  emails: [{ primary: true, value: `${name}@moss.example`, type: "work" }],
  active: true,
  ...more,
});

export const patchOf = (...Operations: object[]) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations,
});

/** The status of a reply, and how the protocol names a refusal: `400 invalidFilter`. */
export function said(reply: LightMyRequestResponse): string {
  const { scimType } = reply.body === "" ? { scimType: undefined } : reply.json<{ scimType?: string }>();
  return `${reply.statusCode}${scimType ? ` ${scimType}` : ""}`;
}
