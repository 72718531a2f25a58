import { TestClock } from "@terrarium/clock";
import { basePath, type Instance, type Route } from "@terrarium/contract";
import type { LightMyRequestResponse } from "fastify";
import { onTestFinished } from "vitest";
import { type AppDeps, createApp } from "../app.ts";
import { Audit } from "../features/audit/audit.ts";
import { byOperator } from "../features/audit/by.ts";
import { listAudit } from "../features/audit/list-audit.ts";
import type { PaymentProvider } from "../features/payments/payment-provider.ts";
import { loadCatalogue, officialCatalogue, readCatalogue } from "../features/catalogue/catalogue.ts";
import { FileLayers } from "../features/layers/layer-store.ts";
import { sandboxProvider } from "../features/payments/sandbox-provider.ts";
import type { InstallationSettings } from "../features/settings/settings.routes.ts";
import { MemoryFiles } from "../platform/files/testing/memory-files.ts";
import { createLog, type Logger } from "../platform/log.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { aUser } from "./factories.ts";

export const KEEP_DEVICES_MS = 300_000;
export const TEST_CAPTURE_BYTES = 64 * 1024 ** 2;

/** What a test app says about itself to anybody. */
export const testSettings: InstallationSettings = {
  version: "0.0.0",
  demo_accounts: [],
  has_mailbox: false,
  showcase: null,
  operator: { name: null, address: null, contact: null, court: null },
  turnstile_site_key: null,
  offer: {
    currency: "USD",
    minute_cents: 5,
    unlimited_monthly_cents: 20_600,
    annual_discount: 17,
    payg_threshold_cents: 5_000,
    card_hold_cents: 100,
    trial: { minutes: 60, days: 14 },
  },
  trial_review_days: 2,
  links: {
    documentation: "/docs",
    api_reference: "/docs/api",
    repository: null,
    feedback: "/feedback",
    support: "/docs",
  },
  has_support: false,
  status: null,
  analytics: null,
  banner_excluded_organization: null,
};

const testSeller = {
  name: "Fern & Glass SAS",
  address: "12 rue des Serres, 69002 Lyon, France",
  contact: "bills@fern.test",
  vatNumber: "FR40303265045",
};

interface CallOptions {
  body?: object;
  headers?: Record<string, string>;
  /** The address of the client; loopback by default. */
  from?: string;
}

interface TestAppOptions {
  runtimes?: string[];
  listen?: boolean;
  /** A new one by default. */
  database?: TestDatabase;
  /** The sandbox by default. */
  payments?: PaymentProvider;
  log?: Logger;
}

/** The whole service with its own database and a TestClock. Requests are injected; with `listen` it also has a port. */
export async function createTestApp({
  runtimes = ["simulator"],
  listen = false,
  database,
  log = createLog("silent", "test"),
  payments,
  ...more
}: TestAppOptions &
  Pick<
    Partial<AppDeps>,
    | "publicUrl"
    | "sso"
    | "standIn"
    | "showcase"
    | "publicSettings"
    | "botCheck"
    | "support"
    | "webhookTargets"
    | "stripe"
    | "taxes"
    | "hasMovableClock"
    | "allowedOrigins"
    | "trustedProxies"
    | "metrics"
    | "turn"
  > = {}) {
  const files = new MemoryFiles();
  const { db, url } = database ?? (await createTestDatabase({ hasCatalogue: true }));
  const clock = new TestClock();
  if (database) await loadCatalogue(db, clock, [await readCatalogue(officialCatalogue)]);
  const audit = new Audit({ clock, log });
  const app = await createApp({
    db,
    databaseUrl: url,
    clock,
    log,
    runtimes: new Set(runtimes),
    maxAppBytes: 64 * 1024 ** 2,
    maxCaptureBytes: TEST_CAPTURE_BYTES,
    publicSettings: testSettings,
    taxes: { sellerCountry: "FR" },
    // Puzzles of little work, so that tests solve them as browsers do.
    botCheck: { puzzleCost: 1 },
    seller: testSeller,
    retention: { auditDays: 365, historyDays: 548, accountDays: 548 },
    checkReplies: true,
    files,
    keepDevicesMs: KEEP_DEVICES_MS,
    payments: payments ?? sandboxProvider({ db, clock }),
    roles: { api: true, realtime: true, jobs: true },
    ...more,
  });
  await app.http.ready();
  const port = listen ? (await app.start({ host: "127.0.0.1", port: 0 })).port : 0;
  onTestFinished(async () => {
    await app.stop();
    await app.http.close();
  });

  const call = async (
    method: Route["method"],
    path: string,
    { body, headers, from }: CallOptions = {},
  ): Promise<LightMyRequestResponse> =>
    app.http.inject({
      method,
      url: basePath + path,
      headers,
      ...(body ? { payload: body } : {}),
      ...(from ? { remoteAddress: from } : {}),
    });

  return {
    app,
    db,
    url,
    clock,
    port,
    call,
    audit,
    files,
    /** The store of saved states. */
    layers: new FileLayers(files, db),
    /** What makes captures, as a gateway has it. */
    saving: { db, clock, audit, files, maxCaptureBytes: TEST_CAPTURE_BYTES },
    /** With this, the operator's functions can be called. */
    operator: { db, clock, audit, by: byOperator("root") },
    /** What has been recorded, without what differs from run to run. */
    async audited() {
      const records = await listAudit(db, { count: 1000 });
      return records.map(({ action, outcome, actor, subject, details }) => ({
        action,
        outcome,
        actor,
        subject,
        details,
      }));
    },
    /** Creates and signs in a user: `const { get, post, user } = await as({ role: "manager" })`. */
    async as(options: Parameters<typeof aUser>[1] = {}) {
      const user = await aUser(db, options);
      const login = await call("POST", "/v1/users/login", { body: { email: user.email, password: user.password } });
      const token: string = login.json().token;
      const headers = { authorization: `Bearer ${token}` };
      return {
        user,
        token,
        headers,
        get: (path: string) => call("GET", path, { headers }),
        post: (path: string, body?: object, more: Record<string, string> = {}) =>
          call("POST", path, { body, headers: { ...headers, ...more } }),
        put: (path: string, body?: object) => call("PUT", path, { body, headers }),
        delete: (path: string, body?: object) => call("DELETE", path, { body, headers }),
        /** Starts a device from the first recipe. */
        async start(body: object = {}, more: Record<string, string> = {}) {
          const recipes = await call("GET", "/v3/recipes?page_size=1", { headers });
          const recipe: string = recipes.json().results[0].uuid;
          return call("POST", `/v1/recipes/${recipe}/start-disposable`, {
            body: { instance_name: "one", rename_on_conflict: true, ...body },
            headers: { ...headers, ...more },
          });
        },
      };
    },
    /** The state of a device. */
    instance: async (uuid: string): Promise<Instance["state"] | undefined> =>
      (await db.selectFrom("instances").select("state").where("uuid", "=", uuid).executeTakeFirst())?.state,
  };
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>;
