import type { Clock } from "@terrarium/clock";
import { type PlatformStatus, type StatusComponent, statusComponents } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { FreshCache } from "../../platform/fresh-cache.ts";
import type { Logger } from "../../platform/log.ts";
import { limitStatements, transaction } from "../../platform/db/transaction.ts";
import { findOverdue } from "../../platform/jobs/operate-jobs.ts";
import { stuckSince } from "../../platform/mail/send-mail.ts";
import { listUnattended } from "../instances/gateways.ts";
import { listDraining, listServers } from "../operator/overview.ts";
import type { PaymentProvider } from "../payments/payment-provider.ts";
import { componentsOf, type Known } from "./components.ts";

export interface StatusDeps {
  db: Database;
  clock: Clock;
  log: Logger;
  payments: Pick<PaymentProvider, "answers">;
}

/** However many ask, the database is asked once in that time. */
const FRESH_MS = 15_000;
/** A database that takes longer is as good as away. */
const TIMEOUT_MS = 5_000;
/** The gateway that a server starts with itself is up by then. */
const START_MS = 30_000;

const names: Record<StatusComponent, string> = {
  api: "API",
  devices: "Devices",
  displays: "Displays",
  mail: "Mail",
  payments: "Payments",
  jobs: "Background work",
};

/** Says how the service is, from some of what the operator's console knows. It names nothing of anybody, and answers while the database does not. */
export function statusReader({ db, clock, log, payments }: StatusDeps): () => Promise<PlatformStatus> {
  const began = clock.monotonic();
  const cache = new FreshCache<PlatformStatus>({ clock, freshMs: FRESH_MS, maxEntries: 1 });
  /** One that does not end is not begun again: it would take the connections of others. */
  let reading: Promise<Known> | undefined;

  /** Those whom no gateway looked after at the last reading. One is over before a gateway has claimed a device that starts, or moves. */
  let unattended = new Set<string>();

  /** Whoever asks, it takes one connection, and none for long. */
  async function read(): Promise<Known> {
    const from = clock.monotonic();
    const facts = await transaction(db, async (trx) => {
      await limitStatements(trx, TIMEOUT_MS);
      return {
        servers: (await listServers(trx)).map(({ load, ...server }) => ({ ...server, ...load })),
        gateways: await listDraining(trx),
        late: (await findOverdue(trx, new Date(clock.now()))).since,
        stuck: await stuckSince(trx, 2),
        free: (await listUnattended(trx)).map(({ uuid, lease_epoch }) => `${uuid} ${lease_epoch}`),
      };
    });
    const before = unattended;
    unattended = new Set(facts.free);
    const secondsSince = (time: Date | null) => (time ? (clock.now() - time.getTime()) / 1000 : 0);
    return {
      servers: facts.servers,
      gateways: facts.gateways,
      late_seconds: secondsSince(facts.late),
      stuck_seconds: secondsSince(facts.stuck),
      unattended: facts.free.filter((lease) => before.has(lease)).length,
      tookMs: clock.monotonic() - from,
      charges: payments.answers?.(),
      isStarting: from - began < START_MS,
    };
  }

  async function look(): Promise<PlatformStatus> {
    reading ??= read().finally(() => (reading = undefined));
    const end = new AbortController();
    const known = await Promise.race([
      reading.catch((error: unknown) => {
        log.warn({ err: error }, "how the service is cannot be read");
      }),
      clock.sleep(TIMEOUT_MS, end.signal).catch(() => undefined),
    ]);
    end.abort();
    const states = componentsOf(known ?? null);
    const components = statusComponents.flatMap((id) => {
      const status = states[id];
      return status ? [{ id, name: names[id], status }] : [];
    });
    return { page: { updated_at: new Date(clock.now()).toISOString() }, status: inAll(components), components };
  }
  return () => cache.get("", look);
}

/** The words are those of common status pages. */
function inAll(components: PlatformStatus["components"]): PlatformStatus["status"] {
  const outages = components.filter(({ status }) => status === "major_outage");
  if (outages.some(({ id }) => id === "api")) return { indicator: "critical", description: "Major service outage" };
  if (outages.length > 0) return { indicator: "major", description: "Partial system outage" };
  return components.every(({ status }) => status === "operational")
    ? { indicator: "none", description: "All systems operational" }
    : { indicator: "minor", description: "Partially degraded service" };
}
