import type { Clock } from "@terrarium/clock";
import { activeStates } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { showcaseOwner } from "./showcase-owner.ts";
import { findDevice } from "./showcase.store.ts";
import type { ShowcaseTickets } from "./showcase-tickets.ts";

interface Deps {
  db: Database;
  clock: Clock;
}

interface ShowcaseGrant {
  instanceUuid: string;
  user: string;
  role: "participant";
  onlineAt: number | undefined;
}

/** Ends a device that strangers have touched; another takes its place. */
export async function replaceShowcase({ db, clock }: Deps, uuid: string): Promise<void> {
  await moveInstance(db, { uuid, event: "stop", reason: "showcase_touched", now: new Date(clock.now()) });
}

/** Reads the tickets for the device that is shown to everybody. */
export const showcaseAccess =
  (db: Database, tickets: ShowcaseTickets) =>
  async (ticket: string): Promise<ShowcaseGrant | "wrong" | "expired" | "ended"> => {
    const claims = await tickets.read(ticket);
    if (claims === "expired") return "expired";
    const row = claims && (await findDevice(db, showcaseOwner, claims.instance));
    if (!row) return "wrong";
    if (!activeStates.includes(row.state)) return "ended";
    const onlineAt = row.online_at?.getTime();
    return { instanceUuid: claims.instance, user: showcaseOwner, role: "participant", onlineAt };
  };
