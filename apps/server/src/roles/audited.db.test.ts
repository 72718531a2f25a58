import { basePath, type Contract, contract, type Route, routes } from "@terrarium/contract";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { type AuditedApp, anAuditedApp, auditedCalls, type Call } from "../testing/audited-calls.ts";
import { type Entry, make, tenancy } from "../testing/tenant.ts";

/** Every route that leaves something in the audit log, with the actions that the contract names. */
const audited = (Object.keys(contract) as (keyof Contract)[]).flatMap((noun) =>
  Object.entries<Route>(contract[noun]).flatMap(([verb, { audit, ...route }]) =>
    audit && "length" in audit ? [{ name: `${noun}.${verb}`, noun, verb, route, actions: [...audit] }] : [],
  ),
);
type Row = (typeof audited)[number];

/** The identifiers of calls that were made as `auditedCalls` or `tenancy` says; undefined if neither does. */
async function callsOf(app: AuditedApp, row: Row): Promise<string[] | undefined> {
  const { name } = row;
  const how = auditedCalls[name];
  const ids: string[] = [];
  for (const ask of Array.isArray(how) ? how : [oneOf(row) ?? createdBy(row)]) {
    const answer = await ask(app);
    if (!answer) return undefined;
    expect([name, answer.statusCode < 300, answer.body]).toEqual([name, true, answer.body]);
    ids.push(String(answer.headers["x-request-id"]));
  }
  return ids;
}

/** A call for one item, by somebody who may. */
function oneOf({ noun, verb, route }: Pick<Row, "noun" | "verb" | "route">): Call | undefined {
  const entries: Record<string, Entry> = tenancy[noun].routes;
  const entry = entries[verb];
  if (typeof entry !== "object" || !("own" in entry)) return undefined;
  const who = entry.own < 300 ? "owner" : entry.managed < 300 ? "manager" : undefined;
  if (!who) return undefined;
  return async ({ tenant, call }) => {
    const uuid = await make(tenant, noun);
    if (entry.ended) await tenant.end(uuid);
    const body = entry.body?.(uuid, tenant);
    return call(route.method, route.path.replaceAll(/:\w+/g, uuid), { headers: tenant[who].headers, body });
  };
}

/** The call of this route with which `tenancy` creates an item, if it makes one. */
function createdBy({ noun, route }: Row): (app: AuditedApp) => Promise<Awaited<ReturnType<Call>> | undefined> {
  return async ({ app, tenant }) => {
    if (typeof tenancy[noun].item !== "function") return undefined;
    const injected = vi.spyOn(app.http, "inject");
    await make(tenant, noun);
    const { calls, settledResults } = injected.mock;
    injected.mockRestore();
    const asked = calls as unknown as [{ method: string; url: string }][];
    const at = asked.findIndex(([{ method, url }]) => method === route.method && url === basePath + route.path);
    return settledResults[at]?.value;
  };
}

describe("every route that changes something", () => {
  it("leaves in the audit log what the contract says, and nothing else", { timeout: 120_000 }, async () => {
    const app = await anAuditedApp();
    const { db } = app;
    const here = audited.filter(({ name }) => !("shownIn" in (auditedCalls[name] ?? {})));
    const seen: Record<string, string[]> = {};
    for (const row of here) {
      const calls = await callsOf(app, row);
      expect(calls, `${row.name}: say in testing/audited-calls.ts how it is called`).toBeDefined();
      const records = await db
        .selectFrom("audit_records")
        .select("action")
        .distinct()
        .where("request_id", "in", calls ?? [])
        .where("outcome", "=", "done")
        .execute();
      seen[row.name] = records.map(({ action }) => action).toSorted();
    }
    expect(seen).toEqual(Object.fromEntries(here.map(({ name, actions }) => [name, actions.toSorted()])));
    console.info(`Audit: ${here.length} of ${audited.length} routes called`);
  });

  it("is shown by the test that is named, where it is not called here", () => {
    for (const { name, actions } of audited) {
      const how = auditedCalls[name];
      if (!how || !("shownIn" in how)) continue;
      const path = fileURLToPath(new URL(`../${how.shownIn}`, import.meta.url));
      expect([name, existsSync(path)]).toEqual([name, true]);
      const text = readFileSync(path, "utf8");
      expect([name, actions.filter((action) => !text.includes(`"${action}"`))]).toEqual([name, []]);
    }
    const names = new Set(audited.map(({ name }) => name));
    expect(Object.keys(auditedCalls).filter((name) => !names.has(name))).toEqual([]);
  });

  it("does not compile without saying what it leaves", () => {
    const route = { method: "POST", path: "/v1/things", summary: "", access: "user" } as const;
    // @ts-expect-error it says nothing
    const silent = routes({ change: route });
    // @ts-expect-error it names no action
    const empty = routes({ change: { ...route, audit: [] } });
    // @ts-expect-error there is no such action
    const unknown = routes({ change: { ...route, audit: ["thing.change"] } });
    const named = routes({
      change: { ...route, audit: ["recipe.edit"] },
      look: { ...route, audit: { none: "it asks" } },
    });
    const read = routes({ get: { ...route, method: "GET" } });
    expect([silent, empty, unknown, named, read]).toHaveLength(5);
  });
});
