import { contract, type Route } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { moveInstance } from "../features/instances/move-instance.ts";
import { createTestApp, type TestApp } from "../testing/app.ts";
import { anOrganization } from "../testing/factories.ts";

type Person = Awaited<ReturnType<TestApp["as"]>>;
const pathOf = (name: string) => routes.find((one) => one.name === name)?.route.path ?? "";
const routes = Object.entries(contract).flatMap(([noun, table]) =>
  Object.entries(table as Record<string, Route>).map(([verb, route]) => ({ name: `${noun}.${verb}`, noun, route })),
);
const guarded = routes.filter(({ route }) => route.access !== "public");
/** Those that are about one thing, which the address or the body names. */
const onOne = guarded.filter(({ name }) => name === "instances.accessToken" || /:uuid/.test(pathOf(name)));
const lists = guarded.filter(({ route }) => route.method === "GET" && !onOne.some((one) => one.route === route));
const bodyOf = (route: Route, uuid: string): object => {
  if (route.path.endsWith("/access-token")) return { instance_uuid: uuid };
  return route.path.endsWith("/start-disposable") ? { instance_name: "one", rename_on_conflict: true } : {};
};

/** What a person of the same organisation gets, by what the thing is to them: one's own, that of someone they manage, a colleague's. */
const within: Record<string, { own: number; managed: number; colleagues: number }> = {
  "users.get": { own: 200, managed: 200, colleagues: 200 },
  "organizations.get": { own: 200, managed: 200, colleagues: 200 },
  "recipes.get": { own: 200, managed: 200, colleagues: 200 },
  "recipes.start": { own: 201, managed: 201, colleagues: 201 },
  "hardwareProfiles.get": { own: 200, managed: 200, colleagues: 200 },
  "osImages.get": { own: 200, managed: 200, colleagues: 200 },
  "instances.get": { own: 200, managed: 200, colleagues: 403 },
  "instances.stop": { own: 200, managed: 200, colleagues: 403 },
  "instances.dismiss": { own: 204, managed: 204, colleagues: 403 },
  "instances.accessToken": { own: 200, managed: 403, colleagues: 403 },
  "apiTokens.revoke": { own: 204, managed: 404, colleagues: 404 },
};

async function call({ call: ask }: TestApp, person: Person | undefined, route: Route, uuid: string, query = "") {
  const body = route.method === "GET" ? undefined : bodyOf(route, uuid);
  const answer = await ask(route.method, route.path.replace(":uuid", uuid) + query, {
    ...(person ? { headers: person.headers } : {}),
    ...(body ? { body } : {}),
  });
  // Without what says the question again.
  const said = answer.body === "" ? {} : { ...answer.json<object>(), request_id: "", next: "", previous: "" };
  return { status: answer.statusCode, body: JSON.stringify(said) };
}

/** An organisation with a manager, two users and, of each kind, something that belongs to the first of them. */
async function aTenant(test: TestApp) {
  const { db, as, clock } = test;
  const organization = await anOrganization(db, { name: `Tenant ${randomUUID()}`, instances_max: 100 });
  const owner = await as({ organization });
  const manager = await as({ organization, role: "manager" });
  const colleague = await as({ organization });
  const own = { uuid: randomUUID(), is_official: false, owner_uuid: owner.user.uuid, organization_uuid: organization };
  const copy = async (table: "recipes" | "hardware_profiles" | "os_images", more: object = {}) => {
    const row = await db.selectFrom(table).selectAll().where("is_official", "=", true).executeTakeFirstOrThrow();
    const json = "displays" in row && {
      displays: JSON.stringify(row.displays),
      properties: JSON.stringify(row.properties),
    };
    const mine = { ...row, ...json, ...own, uuid: randomUUID(), ...more };
    await db.insertInto(table).values(mine).execute();
    return mine.uuid;
  };
  const hardware = await copy("hardware_profiles");
  const image = await copy("os_images");
  const instance = async (): Promise<string> => (await owner.start()).json<{ uuid: string }>().uuid;
  const end = async (uuid: string) => moveInstance(db, { uuid, event: "fail", now: new Date(clock.now()) });
  const token = async () =>
    (await owner.post("/v1/api-tokens", { description: randomUUID() })).json<{ uuid: string }>().uuid;
  const things: Record<string, () => Promise<string>> = {
    users: async () => owner.user.uuid,
    organizations: async () => organization,
    recipes: () => copy("recipes", { hardware_profile_uuid: hardware, os_image_uuid: image }),
    hardwareProfiles: () => copy("hardware_profiles"),
    osImages: () => copy("os_images"),
    instances: instance,
    apiTokens: token,
  };
  return { organization, owner, manager, colleague, things, end };
}

type Tenant = Awaited<ReturnType<typeof aTenant>>;
const makeOf = (tenant: Tenant, noun: string) => tenant.things[noun] as () => Promise<string>;

/** What must not change when strangers try. */
const rowsOf = async ({ db }: TestApp, { organization, owner }: Tenant) => ({
  instances: await db
    .selectFrom("instances")
    .select(["uuid", "state", "revision"])
    .where("organization_uuid", "=", organization)
    .orderBy("uuid")
    .execute(),
  tokens: await db.selectFrom("api_tokens").select("uuid").where("user_uuid", "=", owner.user.uuid).execute(),
});

describe("what belongs to one organization", () => {
  it("is to everybody else as if it did not exist, on every route", async () => {
    const test = await createTestApp();
    const [tenant, other] = [await aTenant(test), await aTenant(test)];
    const strangers = {
      nobody: undefined,
      guest: await test.as({ role: "guest" }),
      user: other.owner,
      manager: other.manager,
    };
    const things = new Map<string, string>();
    for (const { noun } of onOne) things.set(noun, things.get(noun) ?? (await makeOf(tenant, noun)()));
    const before = await rowsOf(test, tenant);
    for (const { name, noun, route } of onOne) {
      for (const [who, stranger] of Object.entries(strangers)) {
        const theirs = await call(test, stranger, route, things.get(noun) ?? "");
        const nothing = await call(test, stranger, route, randomUUID());
        const kind = who === "nobody" ? 401 : who === "guest" && route.access === "member" ? 403 : 404;
        expect([name, who, theirs.status]).toEqual([name, who, kind]);
        expect([name, who, theirs.body]).toEqual([name, who, nothing.body]);
      }
    }
    expect(await rowsOf(test, tenant)).toEqual(before);
  });

  it("is in no list of anybody else, however it is asked for", async () => {
    const test = await createTestApp();
    const [tenant, other] = [await aTenant(test), await aTenant(test)];
    const uuids = await Promise.all(Object.values(tenant.things).map((make) => make()));
    const secrets = [...uuids, tenant.manager.user.email, tenant.colleague.user.email];
    const queries = ["", "?page_size=-1", "?organization_wide=true&page_size=-1", "?source=all&page_size=-1"];
    const asked = [
      `?organization_uuid=${tenant.organization}`,
      `?search=${tenant.colleague.user.email}`,
      `?field=uuid&users=${tenant.owner.user.uuid}`,
      `?users=${tenant.manager.user.email}`,
    ];
    for (const { name, route } of lists) {
      for (const stranger of [undefined, await test.as({ role: "guest" }), other.owner, other.manager]) {
        for (const query of [...queries, ...asked]) {
          const answer = await call(test, stranger, route, "", query);
          expect([name, query, answer.status < 500]).toEqual([name, query, true]);
          expect([name, query, secrets.filter((secret) => answer.body.includes(secret))]).toEqual([name, query, []]);
        }
      }
    }
  });

  it.each(onOne)("is its people's as far as $name goes", async ({ name, noun, route }) => {
    const test = await createTestApp();
    const tenant = await aTenant(test);
    const rights = { own: tenant.owner, managed: tenant.manager, colleagues: tenant.colleague };
    const seen: Record<string, number> = {};
    for (const [right, person] of Object.entries(rights)) {
      const uuid = await makeOf(tenant, noun)();
      if (name === "instances.dismiss") await tenant.end(uuid);
      seen[right] = (await call(test, person, route, uuid)).status;
    }
    expect(seen).toEqual(within[name]);
  });
});
