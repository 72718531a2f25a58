import type { Database } from "../../database/schema.ts";
import { networkOf } from "../../platform/network-of.ts";
import type { Logger } from "../../platform/log.ts";
import type { Act } from "./audit.ts";
import { BoundedRecords } from "./bounded-records.ts";
import { type By, byService } from "./by.ts";
import type { FeatureDeps } from "../deps.ts";

/** In a minute. After ten wrong passwords sign-ins are limited, which should show too. */
const limits = { each: 15, all: 100, counted: 20 };

/** A request that was refused. */
export interface Refusal {
  action: "session.open" | "credential.use" | "route.use";
  by: By;
  /** Finds the user whom it concerns; called only if the refusal is recorded. */
  about?: (db: Database) => Promise<{ uuid: string; organization_uuid: string | null } | "" | undefined>;
  details: NonNullable<Act["details"]>;
}

export interface RefusalDeps extends FeatureDeps {
  log: Logger;
}

/**
 * Records refused requests. No reply waits for it. Of each action 15 of an address are recorded in a minute and 100 in all, the others are
 * counted (`BoundedRecords`). So refusals cause at most some 360 records a minute in each process.
 */
export class Refusals {
  readonly #deps: RefusalDeps;
  readonly #records: BoundedRecords;

  constructor(deps: RefusalDeps) {
    this.#deps = deps;
    const { db, audit } = deps;
    this.#records = new BoundedRecords({
      ...deps,
      limits,
      async writeSum(action, network, not_recorded) {
        const by = network === "" ? byService : { ...byService, address: network };
        await audit.record(db, by, { action, outcome: "refused", details: { not_recorded } });
      },
    });
  }

  note({ action, by, about, details }: Refusal): void {
    const { db, audit } = this.#deps;
    this.#records.add(action, networkOf(by.address ?? ""), async () => {
      const user = await about?.(db);
      const subject = user ? { kind: "user" as const, uuid: user.uuid } : undefined;
      const organization = user ? user.organization_uuid : undefined;
      await audit.record(db, by, { action, outcome: "refused", subject, organization, details });
    });
  }

  /** Resolves when everything noted so far is written, the sums of the running minute included. */
  stop(): Promise<void> {
    return this.#records.stop();
  }
}
