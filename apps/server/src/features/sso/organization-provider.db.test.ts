import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { setUpTotp } from "../../testing/second-factor.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { requireOfOrganization } from "../second-factor/for-operator.ts";
import { newLinkKey } from "../../platform/mail/mailed-link.ts";
import { removeOrganizationProvider, setOrganizationProvider } from "./organization-provider.ts";
import { insertIdentity } from "./sso.store.ts";
import { type Person, startOpenIdServer } from "./testing/openid-server.ts";

const publicUrl = "https://devices.example";
const redirect_uri = `${publicUrl}/signin/sso/oauth/organization/`;

/** An organization with a provider of its own, for moss.example. */
async function company() {
  const server = await startOpenIdServer(redirect_uri);
  const test = await createTestApp({ publicUrl });
  const { call, db, operator } = test;
  const organization = await anOrganization(db, { name: "Mossworks" });
  const given = {
    domain: "Moss.example",
    issuer: server.issuer,
    clientId: server.client.id,
    clientSecret: server.client.secret,
  };
  await setOrganizationProvider(operator, "Mossworks", given);
  const begin = (email: string) =>
    call("GET", `/v1/sso/oauth/login-url/?${new URLSearchParams({ provider: "organization", redirect_uri, email })}`);
  return {
    ...test,
    organization,
    given,
    begin,
    /** Begins with an address, and signs in as somebody. */
    async signIn(person: Person, email = person.email) {
      const back = await server.visit((await begin(email)).json<{ url: string }>().url, person);
      return call("GET", `/v1/sso/oauth/callback/?${new URLSearchParams({ provider: "organization", ...back })}`);
    },
  };
}
const robin = { sub: "robin", email: "robin@moss.example", email_verified: true };

describe("an organization's own provider", () => {
  it("is found by the address, and makes whoever is new a member", async () => {
    const { signIn, organization, call } = await company();
    const answer = await signIn(robin);
    expect([answer.statusCode, answer.json().user]).toMatchObject([
      200,
      { email: robin.email, organization: { uuid: organization }, is_organization_manager: false },
    ]);
    expect((await call("GET", "/v1/settings")).json().sso_providers).toMatchObject([{ name: "organization" }]);
  });

  it("keeps our secret there where it can be read from no copy of its row", async () => {
    const { db, given, organization } = await company();
    const rows = await db.selectFrom("organization_providers").selectAll().execute();
    expect(rows).toMatchObject([{ organization_uuid: organization, client_id: given.clientId }]);
    expect(Buffer.from(JSON.stringify(rows)).includes(given.clientSecret)).toBe(false);
    expect(rows[0]?.sealed_secret.includes(given.clientSecret)).toBe(false);
  });

  it("signs in to accounts with its addresses, and moves nobody to the organization", async () => {
    const { signIn, as } = await company();
    const { user } = await as({ role: "guest", fields: { email: robin.email } });
    expect((await signIn(robin)).json().user).toMatchObject({ uuid: user.uuid, organization: null });
  });

  it("counts as both factors for members of the organization, and for nobody else", async () => {
    const { signIn, as, organization, operator, ...test } = await company();
    const member = await as({ organization, fields: { email: robin.email } });
    await setUpTotp(test, member);
    await requireOfOrganization(operator, "Mossworks", true, "https://devices.example");
    expect((await signIn(robin)).statusCode).toBe(200);
    const guest = await as({ role: "guest", fields: { email: "guest@moss.example" } });
    await setUpTotp(test, guest);
    const refused = await signIn({ sub: "guest", email: "guest@moss.example", email_verified: true });
    expect(refused.json().code).toBe("SECOND_FACTOR_REQUIRED");
  });

  it("keeps the sessions that it began when a second factor comes to be required, and no others", async () => {
    const { signIn, as, call, organization, operator } = await company();
    const member = await as({ organization, fields: { email: robin.email } });
    const { token } = (await signIn(robin)).json<{ token: string }>();
    await requireOfOrganization(operator, "Mossworks", true, "https://devices.example");
    const headers = { authorization: `Bearer ${token}` };
    expect((await call("GET", "/v2/instances", { headers })).statusCode).toBe(200);
    expect((await member.get("/v2/instances")).statusCode).toBe(401);
  });

  it("counts as one factor for a private account at the same issuer", async () => {
    const { signIn, as, given, organization, ...test } = await company();
    const member = await as({ organization, fields: { email: robin.email } });
    await setUpTotp(test, member);
    const own = { sub: "private", email: "robin@private.example", email_verified: true };
    const now = new Date(test.clock.now());
    await insertIdentity(test.db, {
      uuid: randomUUID(),
      user_uuid: member.user.uuid,
      issuer: given.issuer,
      subject: own.sub,
      provider: "google",
      label: "Google",
      email: own.email,
      created_at: now,
      last_used_at: now,
    });
    expect(outcomeOf(await signIn(own, robin.email))).toBe("403 SECOND_FACTOR_REQUIRED");
  });

  it("takes a guest with its address into the organization without another sign-in, and into no other", async () => {
    const { signIn, as, organization, db, call, operator } = await company();
    await as({ role: "guest", fields: { email: robin.email } });
    await requireOfOrganization(operator, "Mossworks", true, "https://devices.example");
    const other = await anOrganization(db, { name: "Fernworks" });
    await db
      .updateTable("organizations")
      .set({ allowed_sign_ins: ["organization"] })
      .execute();
    const join = async (where: string) => {
      const { key, hash: key_hash } = newLinkKey();
      const now = new Date("2026-03-02T09:00:00Z");
      await db
        .insertInto("invitations")
        .values({
          uuid: randomUUID(),
          organization_uuid: where,
          email: robin.email,
          inviter_uuid: null,
          message: "",
          key_hash,
          mail_uuid: randomUUID(),
          created_at: now,
          sent_at: now,
          expires_at: new Date("2026-04-01T09:00:00Z"),
        })
        .execute();
      const { token } = (await signIn(robin)).json<{ token: string }>();
      const headers = { authorization: `Bearer ${token}` };
      return outcomeOf(await call("POST", `/v2/accounts/invites/${key}`, { body: { tnc_accepted: true }, headers }));
    };
    expect(await join(other)).toBe("403 SIGN_IN_AGAIN");
    await db.updateTable("users").set({ organization_uuid: null }).where("email", "=", robin.email).execute();
    expect(await join(organization)).toBe("200");
  });

  it("has no say about other addresses", async () => {
    const { signIn, as } = await company();
    await as({ fields: { email: "kim@elsewhere.example" } });
    const kim = { sub: "kim", email: "kim@elsewhere.example", email_verified: true };
    expect(outcomeOf(await signIn(kim, robin.email))).toBe("403 SSO_EMAIL_NOT_VERIFIED");
    expect(outcomeOf(await signIn({ ...kim, email: "new@elsewhere.example" }, robin.email))).toBe(
      "403 SSO_EMAIL_NOT_VERIFIED",
    );
    expect(outcomeOf(await signIn({ ...robin, email_verified: false }))).toBe("403 SSO_EMAIL_NOT_VERIFIED");
  });

  it("is not there for other domains, or any longer when it was taken away", async () => {
    const { begin, operator, audited } = await company();
    for (const email of ["kim@elsewhere.example", "kim@moss.example.evil.example", "kim@sub.moss.example"])
      expect(outcomeOf(await begin(email))).toBe("404 SSO_PROVIDER_NOT_FOUND");
    expect(await removeOrganizationProvider(operator, "Mossworks")).toBe(true);
    expect(await removeOrganizationProvider(operator, "Mossworks")).toBe(false);
    expect(outcomeOf(await begin(robin.email))).toBe("404 SSO_PROVIDER_NOT_FOUND");
    expect((await audited()).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["organization.set_provider", "organization.remove_provider"]),
    );
  });

  it("is one, for a domain that no other organization has", async () => {
    const { operator, given, db } = await company();
    await anOrganization(db, { name: "Fernworks" });
    await setOrganizationProvider(operator, "Mossworks", { ...given, clientId: "another" });
    await expect(setOrganizationProvider(operator, "Fernworks", given)).rejects.toThrow(
      "Another organization has moss.example.",
    );
    await expect(setOrganizationProvider(operator, "Nobody", { ...given, domain: "n.example" })).rejects.toThrow(
      "called Nobody",
    );
    await expect(setOrganizationProvider(operator, "Fernworks", { ...given, domain: "not a domain" })).rejects.toThrow(
      "Invalid hostname",
    );
    const issuer = "https://login.microsoftonline.com/organizations/v2.0";
    await expect(setOrganizationProvider(operator, "Fernworks", { ...given, issuer })).rejects.toThrow("every tenant");
  });
});
