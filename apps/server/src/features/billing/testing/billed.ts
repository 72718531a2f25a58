import type { Balance, Instance, Organization, PlanUsage, Route, Subscription } from "@terrarium/contract";
import { sql } from "kysely";
import { expect } from "vitest";
import { JobWorker } from "../../../platform/jobs/worker.ts";
import { createLog } from "../../../platform/log.ts";
import { createTestApp, testSettings } from "../../../testing/app.ts";
import { anOrganization } from "../../../testing/factories.ts";
import { sealerFor } from "../../../platform/sealer.ts";
import { InvoiceLinks } from "../../invoices/invoice-links.ts";
import { moveInstance } from "../../instances/move-instance.ts";
import { addGrant } from "../minutes.ts";
import { chargeInvoice, confirmPayments, lookAtCharge, refundPayment, runBilling } from "../billing.jobs.ts";
import { mailPlanJob } from "../mail-plan.ts";
import { FakePayments } from "./fake-payments.ts";
import { makePayable } from "./plans.ts";

export const PLANS = "/v1/billing/subscriptions";

/** An organization without a plan, with free minutes, a manager, and a gateway that measures its devices. */
export async function billed({ minutes = 60, devices = 2, isPayable = true } = {}) {
  const payments = new FakePayments();
  const test = await createTestApp({ payments });
  const { db, clock, audit, as } = test;
  const organization = await anOrganization(db, { license_type: "pending", instances_max: devices });
  if (minutes > 0) await addGrant(db, organization, minutes, new Date(clock.now()));
  if (isPayable) await makePayable(db, organization);
  const { user } = await as({ organization, role: "manager" });
  let headers: Record<string, string> = {};
  /** Signs in when the last sign-in has ended, as time passes. */
  const asManager = async (method: Route["method"], path: string, body?: object) => {
    const first = await test.call(method, path, { body, headers });
    if (first.statusCode !== 401) return first;
    const login = { email: user.email, password: user.password };
    const { token } = (await test.call("POST", "/v1/users/login", { body: login })).json<{ token: string }>();
    headers = { authorization: `Bearer ${token}` };
    return test.call(method, path, { body, headers });
  };
  const manager = {
    email: user.email,
    get: (path: string) => asManager("GET", path),
    post: (path: string, body: object) => asManager("POST", path, body),
    put: (path: string, body: object) => asManager("PUT", path, body),
    delete: (path: string) => asManager("DELETE", path),
  };
  const recipe = (await manager.get("/v3/recipes?page_size=1")).json<{ results: { uuid: string }[] }>().results[0]
    ?.uuid;
  const log = createLog("silent", "test");
  const taxes = { sellerCountry: "FR" };
  const deps = { db, clock, audit, log, payments, taxes, offer: testSettings.offer };
  const worker = new JobWorker({ db, clock, log, jobs: [chargeInvoice, lookAtCharge, refundPayment], deps });

  /** What gateways do with every beat. */
  const measure = async () => {
    for (const [uuid, since] of online) {
      const ran_ms = Math.round(clock.monotonic() - since);
      await db
        .updateTable("instances")
        .set({ ran_ms, measured_at: new Date(clock.now()) })
        .where("uuid", "=", uuid)
        .execute();
    }
  };
  const online = new Map<string, number>();
  const start = async () =>
    manager.post(`/v1/recipes/${recipe}/start-disposable`, { instance_name: "one", rename_on_conflict: true });
  return {
    ...test,
    operator: { ...test.operator, taxes },
    payments,
    organization,
    manager,
    deps,
    start,
    async run() {
      const { uuid } = (await start()).json<{ uuid: string }>();
      for (const event of ["powered", "answered", "booted"] as const) {
        const machine = event === "powered" ? { adb: { host: "127.0.0.1", port: 1 }, canSave: true } : undefined;
        expect(await moveInstance(db, { uuid, event, now: new Date(clock.now()), machine })).toBeDefined();
      }
      online.set(uuid, clock.monotonic());
      return uuid;
    },
    async stop(uuid: string) {
      await measure();
      online.delete(uuid);
      await moveInstance(db, { uuid, event: "stop", now: new Date(clock.now()) });
    },
    /** Time passes, while gateways measure. */
    async pass(ms: number) {
      await clock.advance(ms);
      await measure();
    },
    /** The gateway is gone: time passes, and nobody measures. */
    passUnmeasured: (ms: number) => clock.advance(ms),
    async bill() {
      await runBilling.run(deps);
      await worker.runDue();
    },
    runJobs: () => worker.runDue(),
    confirm: () => confirmPayments.run(deps),
    subscribe: (body: object) => manager.post(PLANS, body),
    async plan(body: object = { plan: "payg" }) {
      const reply = await manager.post(PLANS, body);
      expect(reply.statusCode).toBe(201);
      return reply.json<Subscription>();
    },
    balance: async () => (await manager.get("/v1/billing/balance")).json<Balance>(),
    license: async () => (await manager.get(`/v1/organizations/${organization}`)).json<Organization>(),
    get: async (uuid: string) =>
      (await manager.get(PLANS)).json<{ results: Subscription[] }>().results.find((one) => one.uuid === uuid)!,
    stateOf: async (uuid: string) =>
      (await manager.get(PLANS))
        .json<{ results: Subscription[] }>()
        .results.find((one) => one.uuid === uuid)
        ?.status_history.at(-1)?.status,
    /** The announced stop of a device: in how long, and why. */
    announcedStop: async (uuid: string) => {
      const { stops_at, stops_because } = (await manager.get(`/v1/instances/${uuid}`)).json<Instance>();
      return [stops_at && Date.parse(stops_at) - clock.now(), stops_because];
    },
    /** What was mailed to whoever pays, but for the invoices. */
    async mails() {
      const links = new InvoiceLinks(await sealerFor(db, "invoice-links"), clock);
      const mailDeps = { ...deps, pagesAt: () => "https://fern.test", invoiceLinks: links };
      await new JobWorker({ ...deps, jobs: [mailPlanJob], deps: mailDeps }).runDue();
      const { rows } = await sql<{ to_address: string; subject: string; text: string }>`
        SELECT to_address, subject, text FROM mails WHERE subject NOT LIKE 'Invoice%' ORDER BY subject, to_address`.execute(
        db,
      );
      return rows;
    },
    usage: async (uuid: string) => (await manager.get(`${PLANS}/${uuid}/usage`)).json<PlanUsage>(),
    invoices: () =>
      db
        .selectFrom("invoices")
        .select(["uuid", "number", "net", "amount", "balance_used", "nature", "period_began_at", "period_ended_at"])
        .select(
          sql<string>`(SELECT string_agg(status, ' ' ORDER BY revision) FROM invoice_statuses WHERE invoice_uuid = uuid)`.as(
            "history",
          ),
        )
        .where("organization_uuid", "=", organization)
        .orderBy("number")
        .execute(),
    lines: (invoice: string) =>
      db.selectFrom("invoice_lines").selectAll().where("invoice_uuid", "=", invoice).orderBy("position").execute(),
  };
}
