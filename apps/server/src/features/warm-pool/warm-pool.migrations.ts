import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const warmPoolMigrations: MigrationSteps = {
  "0139-warm-pools": statements(
    `CREATE TABLE warm_pools (
      recipe_uuid uuid NOT NULL REFERENCES recipes ON DELETE CASCADE,
      zone text NOT NULL,
      least integer NOT NULL CHECK (least >= 0),
      most integer NOT NULL CHECK (most >= least AND most > 0),
      PRIMARY KEY (recipe_uuid, zone)
    )`,
  ),
};
