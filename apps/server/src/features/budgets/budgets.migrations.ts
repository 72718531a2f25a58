import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const budgetMigrations: MigrationSteps = {
  "0103-budgets": statements(
    `CREATE TABLE budgets (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      group_uuid uuid REFERENCES groups ON DELETE CASCADE,
      user_uuid uuid REFERENCES users ON DELETE CASCADE,
      unit text NOT NULL CHECK (unit IN ('minutes', 'cents')),
      amount integer NOT NULL CHECK (amount > 0),
      stops boolean NOT NULL,
      stops_at timestamptz,
      looked_at timestamptz,
      created_at timestamptz NOT NULL,
      CHECK (group_uuid IS NULL OR user_uuid IS NULL),
      CONSTRAINT budgets_of UNIQUE NULLS NOT DISTINCT (organization_uuid, group_uuid, user_uuid)
    )`,
    `CREATE INDEX budgets_group ON budgets (group_uuid)`,
    `CREATE INDEX budgets_user ON budgets (user_uuid)`,
    `CREATE TABLE budget_notices (
      budget_uuid uuid NOT NULL REFERENCES budgets ON DELETE CASCADE,
      month timestamptz NOT NULL,
      threshold integer NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (budget_uuid, month, threshold)
    )`,
  ),
};
