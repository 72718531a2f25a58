import type { Contract } from "@terrarium/contract";
import fc from "fast-check";
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { createTestApp, type TestApp, testSettings } from "../testing/app.ts";
import { disagreements } from "../testing/openapi/agreement.ts";
import { document, type Operation, operations } from "../testing/openapi/document.ts";
import { type Request, requestsFor } from "../testing/openapi/requests.ts";
import type { Known } from "../testing/openapi/values.ts";
import { anOperator } from "../testing/operator.ts";
import { aTenant, make, tenancy, type Tenant } from "../testing/tenant.ts";

/** A long look: `FUZZ_RUNS=2000 FUZZ_SEED=7` sends so many requests to each operation. */
const runs = Number(process.env["FUZZ_RUNS"] ?? 6);
const seed = Number(process.env["FUZZ_SEED"] ?? 1);

/** A noun by the names that stand for it in paths and fields: `os-images`, `os_image_uuid`. */
const nounOf = (name: string) =>
  ({ invites: "invitation", transactions: "invoice", addresses: "billingaddress" })[name] ??
  name
    .replace(/_?uuids?$/, "")
    .replaceAll(/[-_]/g, "")
    .replace(/s$/, "")
    .toLowerCase();
const nouns = new Map((Object.keys(tenancy) as (keyof Contract)[]).map((noun) => [nounOf(noun), noun]));

/** What a tenant has; one of each noun that has been asked for. */
class Belongings {
  readonly #tenant: Tenant;
  readonly #made = new Map<keyof Contract, string>();
  readonly wanted = new Set<keyof Contract>();

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  get(name: string, of: string): string[] {
    const noun = nouns.get(nounOf(name)) ?? nouns.get(nounOf(of));
    if (noun === "users") return [this.#tenant.owner, this.#tenant.colleague].map(({ user }) => user.uuid);
    if (noun === "organizations") return [this.#tenant.organization];
    if (noun) this.wanted.add(noun);
    return noun && this.#made.has(noun) ? [this.#made.get(noun) ?? ""] : [];
  }

  /** Makes a new one of each. */
  async renew(): Promise<void> {
    for (const noun of this.wanted)
      if (typeof tenancy[noun].item === "function") this.#made.set(noun, await make(this.#tenant, noun));
    this.wanted.clear();
  }
}

/** Two organizations, and every kind of caller. */
async function callersIn(test: TestApp) {
  const [tenant, other] = [await aTenant(test), await aTenant(test)];
  const [operator, guest] = [await anOperator(test), await test.as({ role: "guest" })];
  const made = await tenant.owner.post("/v1/api-tokens", { description: "read", scope: "read" });
  const token = made.json<{ token: string }>().token;
  const callers: Record<string, { headers: Record<string, string>; is?: string }> = {
    owner: { headers: tenant.owner.headers, is: tenant.owner.user.uuid },
    manager: { headers: tenant.manager.headers, is: tenant.manager.user.uuid },
    operator: { headers: operator.headers, is: operator.user.uuid },
    guest: { headers: guest.headers, is: guest.user.uuid },
    stranger: { headers: other.manager.headers, is: other.manager.user.uuid },
    reader: { headers: { "x-api-token": token }, is: tenant.owner.user.uuid },
    nobody: { headers: {} },
    liar: { headers: { authorization: "Bearer nonsense" } },
    both: { headers: { ...tenant.owner.headers, "x-api-token": token } },
  };
  return { tenant, callers, own: new Belongings(tenant), theirs: new Belongings(other) };
}
type Callers = Awaited<ReturnType<typeof callersIn>>;

/** Somebody may have signed out, or have been removed. */
async function areAllSignedIn(test: TestApp, { callers }: Callers): Promise<boolean> {
  for (const { headers, is } of Object.values(callers))
    if (is && (await test.call("GET", "/v1/api-tokens", { headers })).statusCode === 401) return false;
  return true;
}

const weighted = (callers: Callers["callers"]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("owner", "manager") },
    { weight: 1, arbitrary: fc.constant("operator") },
    { weight: 2, arbitrary: fc.constantFrom(...Object.keys(callers)) },
  );

/** Requests for an operation, each by somebody, made anew of what there is. */
async function casesFor(operation: Operation, { tenant, callers, own, theirs }: Callers) {
  const knownTo =
    (is?: string): Known =>
    (name, format) => {
      if (name.includes("password")) return [tenant.owner.user.password];
      if (format === "email") return [tenant.owner.user.email, tenant.colleague.user.email];
      if (format !== "uuid") return [];
      const ours = own.get(name, operation.tags[0]);
      const self = is && nounOf(name) === "user" ? [is, is, is] : ours;
      return [...ours, ...self, ...theirs.get(name, operation.tags[0]), randomUUID()];
    };
  const cases = weighted(callers).chain((who) =>
    requestsFor(operation, knownTo(callers[who]?.is)).map((request) => ({ who, request })),
  );
  // What is asked for is known once it was asked for.
  fc.sample(cases, { seed, numRuns: runs });
  await own.renew();
  await theirs.renew();
  return fc.sample(cases, { seed, numRuns: runs });
}

describe("docs/openapi.json", () => {
  const seen = new Map<string, Set<string>>();
  let sent = 0;
  afterAll(() => {
    const unseen = operations.flatMap(({ operationId, responses }) => {
      const good = Object.keys(responses).filter((status) => /^[23]/.test(status));
      return good.filter((status) => !seen.get(operationId)?.has(status)).map((status) => `${operationId} ${status}`);
    });
    console.info(`OpenAPI: ${sent} requests, seed ${seed}. Documented, and not seen: ${unseen.join(", ")}`);
  });

  it.each(document.tags.map(({ name }) => name))(
    "says what is answered for %s",
    { timeout: 3_600_000 },
    async (tag) => {
      const test = await createTestApp({
        publicSettings: { ...testSettings, has_mailbox: true },
        support: { email: "help@fern.test", webhook: undefined },
        hasMovableClock: true,
      });
      let people = await callersIn(test);
      const ask = async ({ method }: Operation, who: string, { url, headers, payload }: Request) => {
        sent++;
        return test.app.http.inject({
          method,
          url,
          headers: { ...people.callers[who]?.headers, ...headers },
          ...(payload === undefined ? {} : { payload }),
          // Each from another, so that the limits of one do not hide what is answered; the mailbox is there for this machine alone.
          remoteAddress: tag === "mailbox" ? "127.0.0.1" : `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`,
        });
      };
      const found: Record<string, string> = {};
      for (const operation of operations.filter(({ tags }) => tags[0] === tag)) {
        if (!(await areAllSignedIn(test, people))) people = await callersIn(test);
        const statuses = new Set<string>();
        seen.set(operation.operationId, statuses);
        for (const { who, request } of await casesFor(operation, people)) {
          const answer = await ask(operation, who, request);
          statuses.add(String(answer.statusCode));
          for (const fault of disagreements(operation, request, answer)) {
            const { url, wrong, payload } = request;
            const example = {
              who,
              wrong,
              url,
              payload: String(payload).slice(0, 300),
              answer: answer.body.slice(0, 200),
            };
            found[`${operation.operationId} ${fault}`] ??= JSON.stringify(example);
          }
        }
      }
      expect(found).toEqual({});
    },
  );
});
