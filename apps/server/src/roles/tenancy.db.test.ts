import {
  type Contract,
  contract,
  type ErrorCode,
  includesScope,
  type Route,
  type Scope,
  scopeOf,
  wireOf,
} from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../testing/app.ts";
import { anOperator } from "../testing/operator.ts";
import { aTenant, type Entry, listed, make, tenancy, type Tenant } from "../testing/tenant.ts";

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
  const wire = wireOf(route);
  const sends = wire.sends === "form" ? "multipart/form-data; boundary=a" : wire.sends;
  const answer = await ask(route.method, route.path.replaceAll(/:\w+/g, uuid) + (more.query ?? ""), {
    headers: { ...person?.headers, ...(sends && { "content-type": sends }) },
    ...(route.method !== "GET" && { body: sends ? Buffer.from("a file") : (more.body ?? {}) }),
  });
  return { status: answer.statusCode, body: withoutEcho(answer.body) };
}
interface Person {
  headers: Record<string, string>;
}
interface More {
  query?: string;
  body?: object | undefined;
}

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

/** Somebody who calls. */
interface Caller extends Partial<Person> {
  /** `nobody`: without credentials that count. `early`: has not accepted the terms. */
  is: "nobody" | "early" | "guest" | "user" | "manager" | "operator";
  /** Of an API token. */
  scope?: Scope;
  /** Whose items are their own. */
  of?: Tenant;
}

/** Every kind of caller: with sessions and with API tokens, of two organizations and of none. */
async function callersOf(test: TestApp, tenant: Tenant, other: Tenant): Promise<Record<string, Caller>> {
  const { as, call: ask, clock, db } = test;
  const operator = await anOperator(test);
  const [guest, early, gone, disabled] = [
    await as({ role: "guest" }),
    await as({ organization: tenant.organization, role: "manager", fields: { tnc_accepted_at: null } }),
    await as({ organization: tenant.organization, role: "manager" }),
    await as({ organization: tenant.organization, role: "manager" }),
  ];
  await gone.post("/v1/users/signout");
  await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", disabled.user.uuid).execute();
  const token = async (scope: Scope, more: object = {}) => {
    const body = { description: `${scope} ${randomUUID()}`, scope, ...more };
    const made = await ask("POST", "/v1/api-tokens", { body, headers: tenant.owner.headers });
    return { headers: { "x-api-token": made.json<{ token: string }>().token } };
  };
  const expired = await token("admin", { expires_at: new Date(clock.now() + 1000).toISOString() });
  await clock.advance(2000);
  return {
    nobody: { is: "nobody" },
    "whoever signed out": { is: "nobody", headers: gone.headers },
    "whoever was disabled": { is: "nobody", headers: disabled.headers },
    "an expired API token": { is: "nobody", ...expired },
    "a manager before the terms": { is: "early", headers: early.headers, of: tenant },
    "a guest": { is: "guest", headers: guest.headers },
    "an operator": { is: "operator", headers: operator.headers },
    "the owner": { is: "user", headers: tenant.owner.headers, of: tenant },
    "a colleague": { is: "user", headers: tenant.colleague.headers, of: tenant },
    "their manager": { is: "manager", headers: tenant.manager.headers, of: tenant },
    "another organization's user": { is: "user", headers: other.owner.headers, of: other },
    "another organization's manager": { is: "manager", headers: other.manager.headers, of: other },
    "a token to read": { is: "user", ...(await token("read")), scope: "read", of: tenant },
    "a token for devices": { is: "user", ...(await token("devices")), scope: "devices", of: tenant },
    "a token for everything": { is: "user", ...(await token("admin")), scope: "admin", of: tenant },
  };
}

/** What a caller is told by a route that is not for them, before anything is looked up; undefined if they may call it. */
function refusalOf(route: Route, { is, scope = "admin" }: Caller): ErrorCode | undefined {
  const { access } = route;
  if (access === "public") return undefined;
  if (is === "nobody") return "NOT_AUTHENTICATED";
  if (access === "operator") return is === "operator" ? undefined : "ROUTE_NOT_FOUND";
  if (!includesScope(scope, scopeOf(route))) return "API_TOKEN_NOT_SCOPED";
  if (access === "signed-in") return undefined;
  if (is === "operator") return "FORBIDDEN";
  if (is === "early") return "TERMS_NOT_ACCEPTED";
  if (access === "user") return undefined;
  return is === "guest" || (access === "manager" && is !== "manager") ? "FORBIDDEN" : undefined;
}
const refusals: (ErrorCode | undefined)[] = [
  "NOT_AUTHENTICATED",
  "API_TOKEN_NOT_SCOPED",
  "TERMS_NOT_ACCEPTED",
  "FORBIDDEN",
  "ROUTE_NOT_FOUND",
];
const codeOf = (body: string) => (body.startsWith("{") ? (JSON.parse(body) as { code?: ErrorCode }).code : undefined);

interface Cell {
  caller: Caller;
  refusal: ErrorCode | undefined;
  isOnOne: boolean;
  route: Route;
}
function verdictOf({ status, body }: { status: number; body: string }, { caller, refusal, isOnOne, route }: Cell) {
  const code = codeOf(body);
  // What an installation has not is not there for anybody.
  if (code === "ROUTE_NOT_FOUND" && route.access === "public") return "admitted";
  // Some routes are for sessions alone, which their handlers say.
  const isForSessions = code === "FORBIDDEN" && !refusal && caller.scope !== undefined;
  if (refusals.includes(code) && !isForSessions) return code;
  if (isOnOne) return status === 404 ? "not found" : status;
  return status < 500 ? "admitted" : status;
}

/** After them, a caller is another: they come last. */
const changesCaller = ["users.acceptTerms", "users.signout"];

describe("what belongs to one organization", () => {
  it(
    "looks to others as if it did not exist, on every route, and who may not call is told so first",
    { timeout: 180_000 },
    async () => {
      const test = await createTestApp();
      const [tenant, other] = [await aTenant(test), await aTenant(test)];
      const callers = Object.entries(await callersOf(test, tenant, other));
      const items = [tenant, other].map(async (owner) => ({ owner, made: await oneOfEach(owner) }));
      const owned = await Promise.all(items);
      const before = [await rowsOf(test, tenant), await rowsOf(test, other)];
      const ordered = rows.toSorted((one, next) => changesCaller.indexOf(one.name) - changesCaller.indexOf(next.name));
      let cells = 0;
      for (const { name, noun, route, entry } of ordered) {
        for (const [who, caller] of callers) {
          const refusal = refusalOf(route, caller);
          const isOnOne = typeof entry === "object" && "own" in entry;
          const person = caller.headers && { headers: caller.headers };
          const ask = async (uuid: string, of: Tenant) =>
            call(test, person, route, uuid, { body: isOnOne ? entry.body?.(uuid, of) : undefined });
          const missing = await ask(randomUUID(), tenant);
          cells++;
          const expected = refusal ?? (isOnOne ? "not found" : "admitted");
          expect([name, who, verdictOf(missing, { caller, refusal, isOnOne, route })]).toEqual([name, who, expected]);
          if (!isOnOne) continue;
          for (const { owner, made } of owned) {
            // What members get is tried below.
            if (owner === caller.of && !refusal) continue;
            cells++;
            const theirs = await ask(made.get(noun) ?? "", owner);
            expect([name, who, theirs]).toEqual([name, who, missing]);
          }
        }
      }
      console.info(`Tenancy: ${rows.length} routes, ${callers.length} kinds of callers, ${cells} cells`);
      expect([await rowsOf(test, tenant), await rowsOf(test, other)]).toEqual(before);
    },
  );

  it("is not in any reply to others, whatever the query", async () => {
    const test = await createTestApp();
    const [tenant, other] = [await aTenant(test), await aTenant(test)];
    const [made, others] = [await oneOfEach(tenant), await oneOfEach(other)];
    const guest = await test.as({ role: "guest" });
    const secrets = [...made.values(), tenant.marker];
    const shown = (body: string) => secrets.filter((secret) => body.includes(secret));
    for (const { name, noun, route } of reads) {
      // A route with an identifier is called with one of the stranger's own.
      const own = others.get(noun) ?? "";
      for (const stranger of [undefined, guest, other.owner, other.manager]) {
        for (const query of queriesFor(route, tenant)) {
          const { status, body } = await call(test, stranger, route, own, { query });
          expect([name, query, status < 500, shown(body)]).toEqual([name, query, true, []]);
        }
      }
    }
  });

  it("is in lists for those of its organization who may see it, and for nobody else", async () => {
    const test = await createTestApp();
    const tenant = await aTenant(test);
    const made = await oneOfEach(tenant);
    for (const { name, noun, route, entry } of rows) {
      if (typeof entry !== "string") continue;
      const uuid = made.get(noun) ?? "";
      const seenBy: string[] = [];
      for (const one of ["owner", "manager", "colleague"] as const)
        for (const query of queriesFor(route, tenant)) {
          const { body } = await call(test, tenant[one], route, uuid, { query });
          if (!seenBy.includes(one) && body.includes(uuid)) seenBy.push(one);
        }
      expect([name, seenBy]).toEqual([name, listed[entry]]);
    }
  });

  it("is available to the right members, with a session and with an API token", async () => {
    const test = await createTestApp();
    const tenant = await aTenant(test);
    const { "a token for everything": token } = await callersOf(test, tenant, await aTenant(test));
    const rights = [
      ["own", tenant.owner],
      ["managed", tenant.manager],
      ["colleagues", tenant.colleague],
      ["program", { headers: token?.headers ?? {} }],
    ] as const;
    for (const { name, noun, route, entry } of onOne) {
      for (const [right, person] of rights) {
        const uuid = await make(tenant, noun);
        if (entry.ended) await tenant.end(uuid);
        const { status } = await call(test, person, route, uuid, { body: entry.body?.(uuid, tenant) });
        expect([name, right, status]).toEqual([name, right, entry[right] ?? entry.own]);
      }
    }
  });
});
