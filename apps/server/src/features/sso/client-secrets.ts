import type { QueryExecutorProvider } from "kysely";
import { type Sealer, sealerFor } from "../../platform/sealer.ts";

/**
 * Seals the secrets with which organizations' providers know us. Each belongs to its organization. The purpose is fixed: installed databases
 * have secrets that were sealed for it, and a migration seals with it too.
 */
export const clientSecrets = (db: QueryExecutorProvider): Promise<Sealer> =>
  sealerFor(db, "clients at organizations' providers");
