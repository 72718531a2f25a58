import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aGroup, anOrganization } from "../../testing/factories.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { removeOrganizationProvider, setOrganizationProvider } from "./organization-provider.ts";
import { startOpenIdServer } from "./testing/openid-server.ts";

const publicUrl = "https://devices.example";
const redirect_uri = `${publicUrl}/signin/sso/oauth/organization/`;
const robin = { sub: "robin", email: "robin@moss.example", email_verified: true };

/** An organization whose provider names groups, of which two are mapped: `qa` and `lab`, both of them to Lab by another value too. */
async function company({ claim = "groups" }: { claim?: string | null } = {}) {
  const server = await startOpenIdServer(redirect_uri);
  const test = await createTestApp({ publicUrl });
  const { call, db, operator, as } = test;
  const organization = await anOrganization(db, { name: "Mossworks" });
  const given = {
    domain: "moss.example",
    issuer: server.issuer,
    clientId: server.client.id,
    clientSecret: server.client.secret,
  };
  await setOrganizationProvider(operator, "Mossworks", given);
  const manager = await as({ role: "manager", organization });
  const everybody = await aGroup(db, organization, { name: "Everybody", is_default: true });
  const [qa, lab, own] = [
    await aGroup(db, organization, { name: "QA" }),
    await aGroup(db, organization, { name: "Lab" }),
    await aGroup(db, organization, { name: "Own" }),
  ];
  const path = `/v1/organizations/${organization}/provisioning`;
  const groups = [
    { value: "qa", group_uuid: qa },
    { value: "lab", group_uuid: lab },
    { value: "7a1c", group_uuid: lab },
  ];
  const map = (body: object) => manager.put(`${path}/claim`, body);
  expect((await map({ claim, groups })).statusCode).toBe(200);
  return {
    ...test,
    organization,
    manager,
    path,
    map,
    groups,
    everybody,
    qa,
    lab,
    own,
    given,
    /** Signs in with these groups; returns the names of those that the reply says Robin is in. */
    async signIn(values: unknown, more: object = {}) {
      const query = new URLSearchParams({ provider: "organization", redirect_uri, email: robin.email });
      const { url } = (await call("GET", `/v1/sso/oauth/login-url/?${query}`)).json<{ url: string }>();
      const back = await server.visit(url, { ...robin, ...(values === undefined ? {} : { groups: values }), ...more });
      const answer = await call(
        "GET",
        `/v1/sso/oauth/callback/?${new URLSearchParams({ provider: "organization", ...back })}`,
      );
      expect(outcomeOf(answer)).toBe("200");
      const { user } = answer.json<{ user: { uuid: string; groups: { name: string }[] } }>();
      return { uuid: user.uuid, names: user.groups.map(({ name }) => name) };
    },
  };
}

describe("the groups that a provider names", () => {
  it("are joined at the sign-in that makes somebody a member, besides the default one", async () => {
    const { signIn, audited } = await company();
    expect((await signIn(["qa", "7a1c", "unknown"])).names).toEqual(["Everybody", "Lab", "QA"]);
    const records = (await audited()).filter(({ action }) => action === "group.add_user");
    expect(records.map(({ actor }) => actor)).toEqual(["service", "service"]);
  });

  it("are left when they are named no longer; others are left alone", async () => {
    const { signIn, manager, own } = await company();
    const { uuid } = await signIn(["qa", "lab"]);
    await manager.post(`/v1/groups/${own}/users`, { user_uuids: [uuid] });
    expect((await signIn(["lab"])).names).toEqual(["Everybody", "Lab", "Own"]);
    expect((await signIn([])).names).toEqual(["Everybody", "Own"]);
  });

  it("leave nobody without a group", async () => {
    const { signIn, manager, everybody } = await company();
    const { uuid } = await signIn(["qa"]);
    await manager.delete(`/v1/groups/${everybody}/users`, { user_uuids: [uuid] });
    expect((await signIn(["qa"])).names).toEqual(["QA"]);
    expect((await signIn([])).names).toEqual(["Everybody"]);
  });

  it.each([
    ["one value as text", "qa", ["Everybody", "QA"]],
    ["no claim", undefined, ["Everybody", "Lab"]],
    ["what are no names", { qa: true }, ["Everybody", "Lab"]],
    ["names in another case", ["QA"], ["Everybody"]],
  ])("take %s", async (_, values, names) => {
    const { signIn } = await company();
    await signIn(["lab"]);
    expect((await signIn(values)).names).toEqual(names);
  });

  it("are not asked for without a claim", async () => {
    const { signIn } = await company({ claim: null });
    expect((await signIn(["qa"])).names).toEqual(["Everybody"]);
  });

  it("go with the group that they are mapped to, and with the provider", async () => {
    const { signIn, manager, lab, qa, path, operator } = await company();
    expect((await manager.delete(`/v1/groups/${lab}`)).statusCode).toBe(204);
    expect((await signIn(["qa", "lab"])).names).toEqual(["Everybody", "QA"]);
    expect((await manager.get(path)).json()).toMatchObject({
      claim: "groups",
      groups: [{ value: "qa", group_uuid: qa }],
    });
    await removeOrganizationProvider(operator, "Mossworks");
    expect((await manager.get(path)).json()).toMatchObject({ own_provider: null, claim: null, groups: [] });
  });

  it("are each organization's own, as its provider is", async () => {
    const { db, operator, given, as, manager, map, path, groups } = await company();
    const organization = await anOrganization(db, { name: "Fernworks" });
    await setOrganizationProvider(operator, "Fernworks", { ...given, domain: "fern.example" });
    const kim = await as({ role: "manager", organization });
    const theirs = `/v1/organizations/${organization}/provisioning`;
    const mapped = {
      claim: "roles",
      groups: [{ value: "qa", group_uuid: await aGroup(db, organization, { name: "QA" }) }],
    };
    expect((await kim.put(`${theirs}/claim`, mapped)).statusCode).toBe(200);
    const fewer = { claim: "groups", groups: groups.slice(0, 1) };
    expect((await map(fewer)).statusCode).toBe(200);
    expect([(await manager.get(path)).json(), (await kim.get(theirs)).json()]).toMatchObject([fewer, mapped]);
    await removeOrganizationProvider(operator, "Fernworks");
    expect([(await manager.get(path)).json(), (await kim.get(theirs)).json()]).toMatchObject([
      fewer,
      { own_provider: null, claim: null, groups: [] },
    ]);
  });

  it("stay mapped when the operator renews the provider", async () => {
    const { signIn, operator, given } = await company();
    await setOrganizationProvider(operator, "Mossworks", given);
    expect((await signIn(["qa"])).names).toEqual(["Everybody", "QA"]);
  });

  it("are mapped by managers, to groups of theirs", async () => {
    const { map, as, db, qa, path, manager, groups, audited } = await company();
    const stranger = await as({ role: "manager" });
    const theirs = await aGroup(db, stranger.user.organization_uuid ?? "");
    const outcome = async (body: object) => outcomeOf(await map({ claim: "groups", ...body }));
    expect(await outcome({ groups: [{ value: "x", group_uuid: theirs }] })).toBe("404 GROUP_NOT_FOUND");
    const twice = [qa, qa].map((group_uuid) => ({ value: "x", group_uuid }));
    expect(await outcome({ groups: twice })).toBe("400 invalid_request");
    expect(await outcome({ groups: [{ value: "", group_uuid: qa }] })).toBe("400 invalid_request");
    const many = Array.from({ length: 101 }, (_, index) => ({ value: `${index}`, group_uuid: qa }));
    expect(await outcome({ groups: many })).toBe("400 invalid_request");
    expect((await manager.get(path)).json().groups).toEqual(groups);
    const none = `/v1/organizations/${stranger.user.organization_uuid}/provisioning/claim`;
    expect(outcomeOf(await stranger.put(none, { claim: "groups", groups: [] }))).toBe("409 NO_OWN_PROVIDER");
    expect((await audited()).filter(({ action }) => action === "organization.set_groups_claim")).toHaveLength(1);
  });
});
