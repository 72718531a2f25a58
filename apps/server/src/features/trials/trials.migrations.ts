import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const trialMigrations: MigrationSteps = {
  "0102-plan-requests": statements(
    `CREATE TABLE plan_requests (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('enterprise', 'individual', 'premium')),
      state text NOT NULL DEFAULT 'REQUESTED' CHECK (state IN ('REQUESTED', 'APPROVED', 'REJECTED')),
      form jsonb NOT NULL,
      reason text NOT NULL DEFAULT '',
      requested_at timestamptz NOT NULL,
      decided_at timestamptz CHECK ((decided_at IS NULL) = (state = 'REQUESTED'))
    )`,
    // One trial and one Premium plan may wait at a time, and an organization has one trial, whatever is asked for at once.
    `CREATE UNIQUE INDEX plan_requests_pending ON plan_requests (organization_uuid, (kind = 'premium')) WHERE state = 'REQUESTED'`,
    `CREATE UNIQUE INDEX plan_requests_trial ON plan_requests (organization_uuid)
      WHERE state = 'APPROVED' AND kind <> 'premium'`,
    `CREATE INDEX plan_requests_of_user ON plan_requests (user_uuid)`,
    `CREATE INDEX plan_requests_latest ON plan_requests (requested_at DESC, uuid)`,
  ),
};
