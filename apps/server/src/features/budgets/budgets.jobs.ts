import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import type { Logger } from "../../platform/log.ts";
import { lockLimits } from "../organizations/limits.ts";
import { listDue } from "./budgets.store.ts";
import { lookAtBudgets, type LookDeps } from "./look.ts";

/** Looks at the budgets of organizations whose devices ran since, or are to stop. */
export const watchBudgets: Periodic<LookDeps & { db: Database; log: Logger }> = {
  everyMs: 15_000,
  async run(deps) {
    for (const organization of await listDue(deps.db)) {
      try {
        await transaction(deps.db, async (trx) => {
          await lockLimits(trx, organization);
          await lookAtBudgets(trx, deps, organization);
        });
      } catch (error) {
        deps.log.error({ err: error, organization }, "budgets could not be looked at and will be tried again");
      }
    }
  },
};
