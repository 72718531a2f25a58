import { type Access, type Contract, contract, type Route } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../testing/app.ts";
import { aTenant, type Entry, make, tenancy, type Tenant } from "../testing/tenant.ts";

interface Row {
  name: string;
  noun: keyof Contract;
  route: Route;
  entry: Entry | undefined;
}
const nouns = Object.keys(contract) as (keyof Contract)[];
const rows: Row[] = nouns.flatMap((noun) => {
  const entries: Record<string, Entry> = tenancy[noun].routes;
  return Object.entries<Route>(contract[noun]).map(([verb, route]) => ({
    name: `${noun}.${verb}`,
    noun,
    route,
    entry: entries[verb],
  }));
});
const onOne = rows.flatMap(({ entry, ...row }) =>
  typeof entry === "object" && "own" in entry ? [{ ...row, entry }] : [],
);
/** All routes that return data. */
const reads = rows.filter(({ route }) => route.method === "GET");

async function call({ call: ask }: TestApp, person: Person | undefined, route: Route, uuid: string, more: More = {}) {
  const answer = await ask(route.method, route.path.replaceAll(/:\w+/g, uuid) + (more.query ?? ""), {
    ...(person ? { headers: person.headers } : {}),
    ...(route.method === "GET" ? {} : { body: more.body ?? {} }),
  });
  return { status: answer.statusCode, body: withoutEcho(answer.body) };
}
type Person = Awaited<ReturnType<TestApp["as"]>>;
interface More {
  query?: string;
  body?: object | undefined;
}

/** What strangers of a role may not call at all: they are refused before anything is looked up. */
const refused: Partial<Record<string, Access[]>> = { guest: ["member", "manager"], user: ["manager"] };

/** A reply without the fields that repeat the request. */
function withoutEcho(body: string): string {
  const echoes = new Set(["request_id", "next", "previous"]);
  try {
    return JSON.stringify(JSON.parse(body, (key, value: unknown) => (echoes.has(key) ? undefined : value)));
  } catch {
    return body;
  }
}

/** Queries with every filter of a route, and with everything that a stranger might know. */
function queriesFor(route: Route, { organization, owner, marker }: Tenant): string[] {
  const filters = Object.keys(route.query?.shape ?? {});
  const all = filters.includes("page_size") ? "&page_size=-1" : "";
  const values = ["true", "all", organization, owner.user.uuid, owner.user.email, marker];
  const one = filters.flatMap((filter) => values.map((value) => `?${filter}=${encodeURIComponent(value)}${all}`));
  return ["", `?${all}`, ...one, ...(filters.includes("users") ? [`?field=uuid&users=${owner.user.uuid}`] : [])];
}

/** The rows that strangers must not be able to change. */
const rowsOf = async ({ db }: TestApp, { organization, owner }: Tenant) => ({
  instances: await db
    .selectFrom("instances")
    .select(["uuid", "state", "revision"])
    .where("organization_uuid", "=", organization)
    .orderBy("uuid")
    .execute(),
  invitations: await db
    .selectFrom("invitations")
    .select("uuid")
    .where("organization_uuid", "=", organization)
    .execute(),
  tokens: await db.selectFrom("api_tokens").select("uuid").where("user_uuid", "=", owner.user.uuid).execute(),
});

/** Creates one item of every noun that organizations can own. */
async function oneOfEach(tenant: Tenant): Promise<Map<keyof Contract, string>> {
  const made = new Map<keyof Contract, string>();
  for (const noun of nouns) if (typeof tenancy[noun].item === "function") made.set(noun, await make(tenant, noun));
  return made;
}

describe("what belongs to one organization", () => {
  it("looks to others as if it did not exist, on every route", async () => {
    const test = await createTestApp();
    const [tenant, other] = [await aTenant(test), await aTenant(test)];
    const strangers = {
      nobody: undefined,
      guest: await test.as({ role: "guest" }),
      user: other.owner,
      manager: other.manager,
    };
    const items = await oneOfEach(tenant);
    const before = await rowsOf(test, tenant);
    for (const { name, noun, route, entry } of onOne) {
      for (const [who, stranger] of Object.entries(strangers)) {
        const attempt = async (uuid: string) => call(test, stranger, route, uuid, { body: entry.body?.(uuid, tenant) });
        const theirs = await attempt(items.get(noun) ?? "");
        const status = who === "nobody" ? 401 : refused[who]?.includes(route.access) ? 403 : 404;
        expect([name, who, theirs.status]).toEqual([name, who, status]);
        expect([name, who, theirs.body]).toEqual([name, who, (await attempt(randomUUID())).body]);
      }
    }
    expect(await rowsOf(test, tenant)).toEqual(before);
  });

  it.each(reads)("is not in any reply of $name to others, whatever the query", async ({ name, noun, route, entry }) => {
    const test = await createTestApp();
    const [tenant, other] = [await aTenant(test), await aTenant(test)];
    const made = await oneOfEach(tenant);
    const secrets = [...made.values(), tenant.marker];
    const shown = (body: string) => secrets.filter((secret) => body.includes(secret));
    // A route with an identifier is called with one of the stranger's own.
    const own = (await oneOfEach(other)).get(noun) ?? "";
    for (const stranger of [undefined, await test.as({ role: "guest" }), other.owner, other.manager]) {
      for (const query of queriesFor(route, tenant)) {
        const { status, body } = await call(test, stranger, route, own, { query });
        expect([query, status < 500, shown(body)]).toEqual([query, true, []]);
      }
    }
    if (entry !== "list") return;
    const people = [tenant.owner, tenant.manager];
    const seen = await Promise.all(people.map((one) => call(test, one, route, made.get(noun) ?? "")));
    expect(
      seen.flatMap(({ body }) => shown(body)),
      `${name} shows it to its own organization`,
    ).not.toEqual([]);
  });

  it.each(onOne)("is available in $name to the right members", async ({ noun, route, entry }) => {
    const test = await createTestApp();
    const tenant = await aTenant(test);
    const rights = { own: tenant.owner, managed: tenant.manager, colleagues: tenant.colleague };
    for (const [right, person] of Object.entries(rights)) {
      const uuid = await make(tenant, noun);
      if (entry.ended) await tenant.end(uuid);
      const { status } = await call(test, person, route, uuid, { body: entry.body?.(uuid, tenant) });
      expect([right, status]).toEqual([right, entry[right as keyof typeof rights]]);
    }
  });
});
