import type { Clock } from "@terrarium/clock";
import type { DeviceRuntime } from "@terrarium/runtime";
import { rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Audit } from "./features/audit/audit.ts";
import { loadCatalogue, officialCatalogue, readCatalogue } from "./features/catalogue/catalogue.ts";
import { closeDemo, type DemoAccounts, openDemo } from "./features/demo/demo.ts";
import { addServiceMetrics } from "./features/operator/service-metrics.ts";
import { startServerBeat } from "./features/operator/server-beat.ts";
import { providerOf } from "./features/payments/payments.ts";
import { findShowcase } from "./features/showcase/showcase.ts";
import { FileLayers } from "./features/layers/layer-store.ts";
import { Cleanup } from "./platform/clean-up.ts";
import { followShift } from "./platform/clock-shift.ts";
import type { Database, Schema } from "./database/schema.ts";
import { createDatabase } from "./platform/db/database.ts";
import { isUnavailable } from "./platform/db/database-errors.ts";
import { migrate } from "./platform/db/migrate.ts";
import { addPoolMetrics, addProcessMetrics } from "./platform/metrics/process-metrics.ts";
import { Metrics } from "./platform/metrics/metrics.ts";
import { startMetricsServer } from "./platform/metrics/metrics-server.ts";
import { openFileStore } from "./platform/files/open-file-store.ts";
import type { Logger } from "./platform/log.ts";
import { lookAtMachine } from "./platform/look-at-machine.ts";
import { messageOf } from "./platform/message-of.ts";
import { traceQuery } from "./platform/tracing/in-span.ts";
import { startTracing } from "./platform/tracing/start-tracing.ts";
import { rotateLogs } from "./platform/rotate-logs.ts";
import { startPostgres } from "./platform/postgres/start-postgres.ts";
import type { GatewayRole } from "./roles/gateway.ts";
import { startGatewayProcess } from "./roles/gateway-process.ts";
import type { ConfiguredRuntime } from "./runtimes.ts";
import { databaseUrlFile, gatewayEnvironment, helpWith, type Settings } from "./settings.ts";
import { VERSION } from "./version.ts";

const webRoot = fileURLToPath(new URL("../../web/dist", import.meta.url));

export interface Launch {
  settings: Settings;
  runtimes: readonly ConfiguredRuntime[];
  clock: Clock;
  log: Logger;
  /** Where numbers are collected for Prometheus; `launch` makes it if they are asked for. */
  metrics?: Metrics | undefined;
  /** The program and the environment for a separate gateway process. */
  program: string;
  env: Record<string, string | undefined>;
}

export interface Launched {
  /** Undefined for a process with only the gateway role. */
  port: number | undefined;
  /** Undefined without demo accounts. */
  demo: DemoAccounts | undefined;
  stop(options: { endDevices: boolean }): Promise<void>;
}

/** Starts what the settings ask for, beginning with the database. If something fails, everything started before is stopped. */
export async function launch(options: Launch): Promise<Launched> {
  const { settings, log } = options;
  const cleanup = new Cleanup();
  const metrics = settings.metrics && new Metrics();
  try {
    // A gateway's files are in the folder of the server that started it.
    if (!settings.gateway.isChild) rotateLogFiles(options, cleanup);
    if (settings.tracing)
      cleanup.add(
        await startTracing(settings.tracing, { role: settings.roles.join(), version: VERSION, clock: options.clock }),
      );
    const url = await openDatabase(options, cleanup);
    // A gateway's server has done it before it started this process.
    if (!settings.gateway.isChild) await migrateDatabase(url);
    const db = createDatabase<Schema>(url, {
      onConnectionLost: (error) => log.warn({ err: error }, "a database connection was lost"),
      onPool: (use) => metrics && addPoolMetrics(metrics, use),
      onQuery: settings.tracing && traceQuery,
    });
    cleanup.add(() => db.destroy());
    const moving = { ...(await movingClock(options, db, url, cleanup)), metrics };
    const roles = settings.embedded ? settings.roles.filter((role) => role !== "gateway") : settings.roles;
    const beat = await startServerBeat({ db, clock: options.clock, log, roles, version: VERSION });
    cleanup.add(() => beat.stop());
    if (metrics) await serveMetrics(moving, metrics, db, cleanup);
    return settings.embedded
      ? await launchEmbedded(moving, db, url, cleanup)
      : await launchRoles(moving, db, url, cleanup);
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** Serves Prometheus the metrics of this process, and those of the whole service if it serves the API or runs jobs. */
async function serveMetrics(
  { settings, clock, log }: Launch,
  metrics: Metrics,
  db: Database,
  cleanup: Cleanup,
): Promise<void> {
  if (!settings.metrics) return;
  cleanup.add(addProcessMetrics(metrics));
  if (settings.roles.some((role) => role === "api" || role === "jobs")) addServiceMetrics(metrics, { db, clock });
  const server = await startMetricsServer(metrics, settings.metrics);
  cleanup.add(() => server.stop());
  log.info({ ...settings.metrics, port: server.port }, "metrics are served");
}

/** An operator can move the clock of a server with an embedded database, and so that of its gateway. */
async function movingClock(options: Launch, db: Database, url: string, cleanup: Cleanup): Promise<Launch> {
  const { settings, log } = options;
  if (!settings.embedded && !settings.gateway.isChild) return options;
  const onConnectionLost = (error: unknown) => log.warn({ err: error }, "the clock's shift could not be read");
  const { clock, stop } = await followShift({ db, url, clock: options.clock, onConnectionLost });
  cleanup.add(stop);
  return { ...options, clock };
}

async function migrateDatabase(url: string): Promise<void> {
  const { migrations } = await import("./database/schema.ts");
  // A migration may take longer than any other query.
  const db = createDatabase<Schema>(url, { max: 1, answerTimeoutMs: 0 });
  try {
    await migrate(db, migrations);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new Error(`The database cannot be reached: ${messageOf(error)}.`, { cause: error });
  } finally {
    await db.destroy();
  }
}

/** Rotates the logs of the processes that outlive this one: the database and simulated devices. */
function rotateLogFiles({ settings, clock, log }: Launch, cleanup: Cleanup): void {
  const end = new AbortController();
  const rotating = rotateLogs(settings.dataDir, { clock, log, signal: end.signal });
  cleanup.add(() => {
    end.abort();
    return rotating;
  });
}

/** Returns the URL of the configured database, or starts the embedded one. */
async function openDatabase({ settings, log }: Launch, cleanup: Cleanup): Promise<string> {
  if (settings.databaseUrl) return settings.databaseUrl;
  const postgres = await startPostgres({
    dataDir: settings.dataDir,
    onCrash: (outcome) => log.error({ outcome }, "the database ended unexpectedly"),
  });
  cleanup.add(() => postgres.stop());
  // The operator tool finds the database with it.
  const file = databaseUrlFile(settings.dataDir);
  await writeFile(file, postgres.url, { mode: 0o600 });
  cleanup.add(() => rm(file, { force: true }));
  return postgres.url;
}

/** Everything on one machine: the gateway in a separate process, everything else in this one. */
async function launchEmbedded(options: Launch, db: Database, url: string, cleanup: Cleanup): Promise<Launched> {
  const { settings, clock, log, env, program } = options;
  const demo = await fillDatabase(options, db);
  const gatewayEnv = gatewayEnvironment(env, { host: settings.host, databaseUrl: url });
  const starting = startGatewayProcess(program, gatewayEnv, { clock, log });
  // If the rest fails, the gateway must stop before its database does, even if it is still starting.
  cleanup.add(() => starting.then((gateway) => gateway.stop({ endDevices: false })).catch(() => undefined));
  const served = new Cleanup();
  cleanup.add(() => served.run());
  const [gateway, port] = await Promise.all([starting, serve(options, db, url, served, demo)]);
  return {
    port,
    demo,
    async stop({ endDevices }) {
      // No device may be asked for after the last one has ended.
      if (endDevices) await served.run().catch(() => undefined);
      await gateway.stop({ endDevices });
      await cleanup.run();
    },
  };
}

/** The configured roles in one process, on an external database. */
async function launchRoles(options: Launch, db: Database, url: string, cleanup: Cleanup): Promise<Launched> {
  const { settings } = options;
  const has = (role: Settings["roles"][number]) => settings.roles.includes(role);
  if (has("api")) await fillDatabase(options, db);
  const serves = has("api") || has("realtime") || has("jobs");
  const port = serves ? await serve(options, db, url, cleanup) : undefined;
  const gateway = has("gateway") ? await serveDevices(options, db, url) : undefined;
  return {
    port,
    demo: undefined,
    async stop({ endDevices }) {
      await gateway?.stop({ endDevices });
      await cleanup.run();
    },
  };
}

// What serves devices, and what serves pages, is imported by the process that does: it takes a part of a second, and memory.

async function serveDevices(options: Launch, db: Database, databaseUrl: string): Promise<GatewayRole> {
  const { settings, clock, log, metrics, env } = options;
  const [{ startGateway }, { displayHostOf }] = await Promise.all([
    import("./roles/gateway.ts"),
    import("./displays.ts"),
  ]);
  return startGateway({
    db,
    databaseUrl,
    clock,
    log,
    runtimes: await createRuntimes(options, db),
    ...settings.gateway,
    keepDevicesMs: settings.keepDevicesMs,
    lookAtMachine: () => lookAtMachine({ env, helpWith: (runtime, more) => helpWith(runtime, settings, more) }),
    displays: (onUse) => displayHostOf({ settings, db, clock, log, metrics, onUse }),
  });
}

async function createRuntimes({ runtimes, settings, clock, log }: Launch, db: Database): Promise<DeviceRuntime[]> {
  const layers = new FileLayers(await openFileStore(settings), db);
  return runtimes.map(({ create }) =>
    create({ dataDir: settings.dataDir, keepMs: settings.keepDevicesMs, layers, clock, log }),
  );
}

/** Loads the catalogue, and creates or disables the demo accounts. */
async function fillDatabase({ settings, clock, log }: Launch, db: Database): Promise<DemoAccounts | undefined> {
  const files = [officialCatalogue, ...(settings.catalogue ? [settings.catalogue] : [])];
  await loadCatalogue(db, clock, await Promise.all(files.map(readCatalogue)));
  const audit = new Audit({ clock, log });
  if (settings.demo) return openDemo({ db, clock, audit }, settings);
  await closeDemo(db, audit);
  return undefined;
}

async function serve(
  { settings, clock, log, metrics }: Launch,
  db: Database,
  databaseUrl: string,
  cleanup: Cleanup,
  demo?: DemoAccounts,
): Promise<number> {
  const { createApp } = await import("./app.ts");
  const runtimes = new Set(settings.runtimes);
  const showcase = settings.showcase && (await findShowcase(db, settings.showcase.recipe, runtimes));
  const app = await createApp({
    db,
    databaseUrl,
    clock,
    log,
    runtimes,
    showcase,
    maxAppBytes: settings.maxAppBytes,
    turn: settings.media.turn,
    maxCaptureBytes: settings.maxCaptureBytes,
    publicSettings: {
      version: VERSION,
      demo_accounts: demo?.published ?? [],
      has_mailbox: settings.hasMailbox,
      showcase: showcase?.form ?? null,
      turnstile_site_key: settings.botCheck.turnstile?.siteKey ?? null,
      stripe_publishable_key: settings.payments.stripe?.publishableKey,
      offer: settings.offer,
      trial_review_days: settings.trialReviewDays,
      avatar_url: settings.avatarUrl,
      ...settings.operator.shown,
    },
    botCheck: settings.botCheck,
    payments: providerOf(settings.payments, { db, clock }),
    stripe: settings.payments.stripe,
    taxes: settings.taxes,
    hasMovableClock: settings.embedded,
    sso: settings.sso,
    standIn: settings.hasStandIn ? { accounts: demo?.published ?? [] } : undefined,
    support: settings.operator.support,
    seller: settings.operator.seller,
    webhookTargets: settings.webhookTargets,
    connectsTo: settings.operator.connectsTo,
    publicUrl: settings.publicUrl,
    allowedOrigins: settings.allowedOrigins,
    trustedProxies: settings.trustedProxies,
    keepDevicesMs: settings.keepDevicesMs,
    retention: settings.retention,
    mailer: settings.mail && (await import("./platform/mail/mailer.ts")).smtpMailer(settings.mail),
    files: await openFileStore(settings),
    metrics,
    hasTracing: settings.tracing !== undefined,
    webRoot,
    roles: {
      api: settings.roles.includes("api"),
      realtime: settings.roles.includes("realtime"),
      jobs: settings.roles.includes("jobs"),
    },
  });
  cleanup.add(() => app.stop());
  const { port } = await app.start({ host: settings.host, port: settings.port });
  return port;
}
