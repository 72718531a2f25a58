import type { Clock } from "@terrarium/clock";
import { contract, type Route, socketPath } from "@terrarium/contract";
import type { FastifyInstance } from "fastify";
import { randomBytes } from "node:crypto";
import { Audit } from "./features/audit/audit.ts";
import { Refusals } from "./features/audit/refusals.ts";
import { currentOffer } from "./features/billing/prices.ts";
import { altcha } from "./features/bot-check/altcha.ts";
import { turnstile } from "./features/bot-check/turnstile.ts";
import { findGatewayOf } from "./features/instances/gateways.ts";
import { accessTokens } from "./features/instances/access-tokens.ts";
import type { TurnSettings } from "./features/instances/turn.ts";
import { proxyVisits } from "./features/instances/proxy-visits.ts";
import { visitPath } from "./features/instances/visit-path.ts";
import { PasskeyChallenges } from "./features/passkeys/challenges.ts";
import { Tickets } from "./features/second-factor/tickets.ts";
import type { Showcase } from "./features/showcase/showcase.ts";
import { showcaseTickets } from "./features/showcase/showcase-tickets.ts";
import { Sessions } from "./features/sessions/sessions.ts";
import { sessionTokens } from "./features/sessions/session-tokens.ts";
import type { InstallationSettings } from "./features/settings/settings.routes.ts";
import { serveStandIn, STAND_IN_PATH } from "./features/stand-in/stand-in.ts";
import { clientSecrets } from "./features/sso/client-secrets.ts";
import { Providers, type ProviderSettings } from "./features/sso/providers.ts";
import type { PaymentProvider } from "./features/payments/payment-provider.ts";
import type { TaxSettings } from "./features/payments/tax.ts";
import type { StripeSettings } from "./features/payments/stripe-api.ts";
import { InvoiceLinks } from "./features/invoices/invoice-links.ts";
import type { Seller } from "./features/invoices/print/printed.ts";
import type { SupportTarget } from "./features/support/support.ts";
import { KnownBrowsers } from "./features/users/known-browsers.ts";
import { Cleanup } from "./platform/clean-up.ts";
import type { Database } from "./database/schema.ts";
import { Reads } from "./platform/db/reads.ts";
import type { FileStore } from "./platform/files/file-store.ts";
import { addHttpMetrics } from "./platform/metrics/http-metrics.ts";
import type { Metrics } from "./platform/metrics/metrics.ts";
import { addHttpSpans } from "./platform/tracing/http-spans.ts";
import { clientAddresses } from "./platform/http/client-address.ts";
import { ConnectionLimits } from "./platform/http/connection-limits.ts";
import { createHttpServer } from "./platform/http/http-server.ts";
import { refuseOtherUpgrades } from "./platform/http/refuse-other-upgrades.ts";
import { currentSettings } from "./features/settings/settings.routes.ts";
import { PrerenderedPages } from "./platform/http/prerendered-pages.ts";
import { serveWebApp } from "./platform/http/static-files.ts";
import type { Logger } from "./platform/log.ts";
import type { Mailer } from "./platform/mail/mailer.ts";
import type { OutsidePolicy } from "./platform/outbound/post-outside.ts";
import { sealerFor } from "./platform/sealer.ts";
import { secretFor } from "./platform/secrets.ts";
import { DatabaseRateLimiter } from "./platform/rate-limits/database-rate-limiter.ts";
import { createSocketServer } from "./platform/socket-server.ts";
import { serveApi } from "./roles/api.ts";
import { startJobs } from "./roles/jobs.ts";
import { startRealtime } from "./roles/realtime.ts";
import type { Settings } from "./settings.ts";

export interface AppDeps {
  db: Database;
  databaseUrl: string;
  clock: Clock;
  log: Logger;
  /** The names of the runtimes that this installation has. */
  runtimes: ReadonlySet<string>;
  /** The most that an app to install may have, in bytes. */
  maxAppBytes: number;
  /** Who relays video where no direct way is found; nobody by default. */
  turn?: TurnSettings | undefined;
  /** What the captures of an organization may have, in bytes. */
  maxCaptureBytes: number;
  /** Who signs up solves puzzles of our own, each of whose tries takes that many hashes, or what Turnstile sets them. */
  botCheck: { puzzleCost: number; turnstile?: { secretKey: string; url: string } | undefined };
  publicSettings: InstallationSettings;
  /** With whom people may sign in; nobody by default. */
  sso?: Omit<ProviderSettings, "standIn"> | undefined;
  /** Plays providers for a demonstration, and offers to be these people among others. */
  standIn?: { accounts: readonly { email: string }[] } | undefined;
  publicUrl?: string | undefined;
  /** See `HttpOptions`. */
  connectsTo?: readonly string[] | undefined;
  /** Where messages to support go; without it, none are accepted. */
  support?: SupportTarget | undefined;
  /** Whoever issues invoices. */
  seller: Omit<Seller, "country">;
  /** The device that the home page shows; without it, none. */
  showcase?: Showcase | undefined;
  /** See `Origins`. */
  allowedOrigins?: readonly string[] | undefined;
  trustedProxies?: string[];
  retention: Settings["retention"];
  /** Stores cards and charges them. */
  payments: PaymentProvider;
  /** If set, Stripe reports payments here, and pages load its card form. */
  stripe?: StripeSettings | undefined;
  taxes: TaxSettings;
  /** Whether the operator can move the clock; not by default. */
  hasMovableClock?: boolean | undefined;
  /** Where webhooks may lead: by default with https to public addresses. */
  webhookTargets?: OutsidePolicy | undefined;
  /** Without it, mails are only stored in the database. */
  mailer?: Mailer | undefined;
  /** Where files are stored, such as the layers of saved devices. */
  files: FileStore;
  /** The longest that a device runs without its gateway, in milliseconds. */
  keepDevicesMs: number;
  /** The folder of the built web app; without it only the API is served. */
  webRoot?: string | undefined;
  /** Counts requests. */
  metrics?: Metrics | undefined;
  /** Traces requests, once `startTracing` was called. */
  hasTracing?: boolean;
  /** Fails requests whose reply does not match the contract; for tests. */
  checkReplies?: boolean;
  roles: { api: boolean; realtime: boolean; jobs: boolean };
}

export interface App {
  http: FastifyInstance;
  /** Starts listening; returns the port. */
  start(listen: { host: string; port: number }): Promise<{ port: number }>;
  /** Accepts no new requests, finishes pending ones, and resolves when everything has stopped. */
  stop(): Promise<void>;
}

const allRoutes = Object.values(contract).flatMap((table): Route[] => Object.values(table));
const realtimePath = new RegExp(`^${socketPath}/`);

/** Wires up the roles api, realtime and jobs. The gateway is wired up in roles/gateway.ts and displays.ts. */
export async function createApp(deps: AppDeps): Promise<App> {
  const { db, clock, log, roles } = deps;
  const cleanup = new Cleanup();
  const secret = await secretFor(db, "session-tokens");
  const onConnectionLost = (error: Error) => log.warn({ err: error }, "a database connection was lost");
  const reads = new Reads(deps.databaseUrl, { max: 4, onConnectionLost });
  cleanup.add(() => reads.stop());
  const audit = new Audit({ clock, log });
  const refusals = new Refusals({ db, clock, log, audit });
  cleanup.add(() => refusals.stop());
  // Everybody waits for the check of their credential.
  const sessions = new Sessions({ db, reads: reads.first, clock, audit, tokens: sessionTokens(secret, clock) });
  const limiter = new DatabaseRateLimiter({ db, clock, secret: await secretFor(db, "attempts") });
  const invoiceLinks = new InvoiceLinks(await sealerFor(db, "invoice-links"), clock);
  const webhooks = {
    webhookSealer: await sealerFor(db, "webhooks"),
    webhookTargets: deps.webhookTargets ?? { allowsPrivate: false },
  };
  const clientAddress = clientAddresses(deps.trustedProxies ?? []);
  const http = await createHttpServer({
    clock,
    log,
    trustedProxies: deps.trustedProxies ?? [],
    publicUrl: deps.publicUrl,
    hasTurnstile: deps.botCheck.turnstile !== undefined,
    avatarUrl: deps.publicSettings.avatar_url,
    connectsTo: deps.connectsTo,
    hasStripe: deps.stripe !== undefined,
    routes: roles.api ? allRoutes : [],
  });
  if (deps.hasTracing) addHttpSpans(http);
  if (deps.metrics) addHttpMetrics(deps.metrics, http);
  let listensAt = 0;
  let prerendered: PrerenderedPages | undefined;
  // Without a public URL only this machine is certain to reach the service, whatever the requests say of the way they came.
  const pagesAt = () => new URL(deps.publicUrl ?? `http://localhost:${listensAt}`).origin;
  if (roles.api) {
    const { puzzleCost: cost, turnstile: account } = deps.botCheck;
    const botCheck = account ? turnstile(account) : altcha({ db, clock, secret: await secretFor(db, "puzzles"), cost });
    const standIn = deps.standIn && {
      url: () => pagesAt() + STAND_IN_PATH,
      client: { id: "terrarium", secret: randomBytes(32).toString("hex") },
    };
    const providers = new Providers({
      db,
      clock,
      settings: { ...deps.sso, standIn },
      secrets: await clientSecrets(db),
    });
    serveApi(http, {
      ...deps,
      ...webhooks,
      invoiceLinks,
      seller: { ...deps.seller, country: deps.taxes.sellerCountry },
      publicUrl: deps.publicUrl,
      pagesAt,
      providers,
      reads,
      sessions,
      audit,
      refusals,
      botCheck,
      accessTokens: accessTokens(await secretFor(db, "access-tokens"), clock),
      limiter,
      showcaseTickets: showcaseTickets(await secretFor(db, "showcase-tickets"), clock),
      passkeyChallenges: new PasskeyChallenges({ db, clock, secret: await secretFor(db, "passkeys") }),
      browsers: new KnownBrowsers(await secretFor(db, "known-browsers")),
      tickets: new Tickets(await secretFor(db, "second-factor-tickets"), clock),
      totpSealer: await sealerFor(db, "totp"),
    });
    if (deps.standIn && standIn) await serveStandIn(http, { clock, ...standIn, ...deps.standIn });
    if (deps.webRoot) {
      const settings = currentSettings({ ...deps, pagesAt, providers });
      const changing = () => currentOffer(db, deps.publicSettings.offer);
      prerendered = new PrerenderedPages({ root: deps.webRoot, settings, changing, clock, log });
      await serveWebApp(http, deps.webRoot, prerendered);
    }
    const proxy = proxyVisits(http.server, {
      find: (instance, signal) => findGatewayOf(db, clock, instance, signal),
      clientAddress,
      clock,
      log,
    });
    http.addHook("preClose", async () => proxy.stop());
  }
  refuseOtherUpgrades(http.server, [...(roles.api ? [visitPath] : []), ...(roles.realtime ? [realtimePath] : [])]);
  return {
    http,
    async start({ host, port }) {
      await http.listen({ host, port });
      const address = http.server.address();
      listensAt = typeof address === "object" && address ? address.port : port;
      cleanup.add(() => prerendered?.stop());
      await prerendered?.start();
      let realtime: { stop(): Promise<void> } | undefined;
      // Concurrently, since the HTTP server waits for the sockets to close, and Socket.IO for the HTTP server.
      cleanup.add(async () => {
        const ended = await Promise.allSettled([http.close(), realtime?.stop()]);
        for (const end of ended) if (end.status === "rejected") throw end.reason;
      });
      if (roles.realtime) {
        const io = createSocketServer(http.server, { clientAddress, limits: new ConnectionLimits(clock), clock });
        realtime = await startRealtime({ ...deps, io, sessions, refusals, clientAddress });
      }
      if (roles.jobs) {
        const jobs = startJobs({
          ...deps,
          ...webhooks,
          invoiceLinks,
          limiter,
          audit,
          pagesAt,
          mailer: deps.mailer,
          offer: deps.publicSettings.offer,
        });
        cleanup.add(() => jobs.stop());
      }
      return { port: listensAt };
    },
    stop: () => cleanup.run(),
  };
}
