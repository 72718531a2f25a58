import { type Clock } from "@terrarium/clock";
import { AppError, type PublicSettings } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { networksOf } from "../../platform/network-of.ts";
import { takeNetworks } from "../../platform/rate-limits/count-networks.ts";
import type { DatabaseRateLimiter, Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import { showcasePathOf } from "../instances/visit-path.ts";
import { showcaseOwner } from "./showcase-owner.ts";
import { findRecipe, listDevices } from "./showcase.store.ts";
import type { ShowcaseTickets } from "./showcase-tickets.ts";

/** What the home page shows: a recipe's device, of this form. */
export interface Showcase {
  recipe: string;
  form: NonNullable<PublicSettings["showcase"]>;
}

/**
 * Finds what the operator's setting asks for: an official recipe, by its name or its uuid, or the first one for a simulated phone. Undefined where
 * this installation has no runtime for it.
 * @throws Error if there is no such recipe
 */
export async function findShowcase(
  db: Database,
  called: string | undefined,
  runtimes: ReadonlySet<string>,
): Promise<Showcase | undefined> {
  const row = await findRecipe(db, called);
  if (!row && called !== undefined) throw new Error(`TERRARIUM_SHOWCASE: there is no official recipe ${called}.`);
  if (!row || !runtimes.has(row.runtime)) return undefined;
  const { uuid, form_factor, display_mode, hw_navigation_keys } = row;
  const displays = row.displays.map(({ width, height, density }) => ({ width, height, density }));
  return { recipe: uuid, form: { form_factor, display_mode, display_settings: { displays, hw_navigation_keys } } };
}

export interface ShowcaseDeps {
  db: Database;
  clock: Clock;
  limiter: DatabaseRateLimiter;
  showcaseTickets: ShowcaseTickets;
  showcase?: Showcase | undefined;
}

const WINDOW_MS = 10 * 60_000;
/** Who touches it needs one to look and one to look again, so this is for some dozen people behind one address. */
const perClient: Limit = { name: "showcase: client", max: 40, windowMs: WINDOW_MS };
/** Whoever has many addresses does not make the service start devices all the time. */
const inAll: Limit = { name: "showcase: all", max: 1_200, windowMs: WINDOW_MS };

/**
 * Where the showcase is, with a ticket for it. While it starts, callers are to come back.
 * @throws AppError ROUTE_NOT_FOUND where there is none, TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE
 */
export async function openShowcase(
  { db, limiter, showcaseTickets, showcase }: ShowcaseDeps,
  { ip, origin }: { ip: string; origin: string },
) {
  if (!showcase) throw new AppError("ROUTE_NOT_FOUND");
  const counted = await takeNetworks(limiter, perClient, networksOf(ip));
  counted.push(await limiter.take(inAll, ""));
  const device = (await listDevices(db, showcaseOwner)).find(({ state }) => state === "ONLINE");
  if (!device) {
    // Who waits for it has seen nothing yet.
    await limiter.refund(counted);
    throw new AppError("SERVICE_UNAVAILABLE");
  }
  const url = origin.replace(/^http/, "ws") + showcasePathOf(device.uuid);
  return { url, ...(await showcaseTickets.issue(device.uuid)) };
}
