import type { Clock } from "@terrarium/clock";
import type { Database } from "../database/schema.ts";
import type { DatabaseRateLimiter } from "../platform/rate-limits/database-rate-limiter.ts";
import type { Audit } from "./audit/audit.ts";

/** What features that change something work with. */
export interface FeatureDeps {
  db: Database;
  clock: Clock;
  audit: Audit;
}

/** Of a feature with a rate limit. */
export interface LimitedDeps extends FeatureDeps {
  limiter: DatabaseRateLimiter;
}

/** Of one that says where the service is, in mails or in replies. */
export interface LinkingDeps extends LimitedDeps {
  /** Where links lead, and clients reach the service: never what a request says of itself. */
  pagesAt: () => string;
}
