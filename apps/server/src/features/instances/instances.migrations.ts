import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const instanceMigrations: MigrationSteps = {
  "0001-foundation": statements(
    `CREATE TABLE instances (
      uuid uuid PRIMARY KEY,
      name text NOT NULL,
      owner_uuid uuid NOT NULL REFERENCES users,
      organization_uuid uuid NOT NULL REFERENCES organizations,
      recipe_uuid uuid REFERENCES recipes ON DELETE SET NULL,
      snapshot jsonb NOT NULL,
      state text NOT NULL,
      revision integer NOT NULL DEFAULT 1,
      reason text,
      boot integer NOT NULL DEFAULT 1,
      timeout_inactivity integer NOT NULL,
      timeout_global integer NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      state_since timestamptz NOT NULL,
      online_at timestamptz,
      last_active_at timestamptz,
      ended_at timestamptz,
      lease_holder text,
      lease_epoch integer NOT NULL DEFAULT 0,
      lease_expires_at timestamptz,
      machine jsonb
    )`,
    // Lists show what has not been deleted; few rows of a long history are that.
    `CREATE INDEX instances_owner_listed ON instances (owner_uuid, updated_at DESC) WHERE state <> 'DELETED'`,
    `CREATE INDEX instances_organization_listed ON instances (organization_uuid, updated_at DESC) WHERE state <> 'DELETED'`,
    `CREATE INDEX instances_to_look_after ON instances (lease_expires_at)
      WHERE state IN ('CREATING', 'STARTING', 'BOOTING', 'ONLINE', 'SAVING', 'SAVED', 'STOPPING', 'DELETING')`,
    `CREATE TABLE instance_events (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      instance_uuid uuid NOT NULL REFERENCES instances ON DELETE CASCADE,
      revision integer NOT NULL,
      event text NOT NULL,
      from_state text,
      to_state text NOT NULL,
      reason text,
      actor_uuid uuid,
      at timestamptz NOT NULL,
      UNIQUE (instance_uuid, revision)
    )`,
    `CREATE TABLE idempotency_keys (
      user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
      key text NOT NULL,
      request_hash bytea NOT NULL,
      reply jsonb,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (user_uuid, key)
    )`,
    `CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)`,
    `CREATE TABLE gateways (id text PRIMARY KEY, address text NOT NULL, expires_at timestamptz NOT NULL)`,
  ),
  "0004-instances-ended": statements(`CREATE INDEX instances_ended ON instances (ended_at)`),
  "0005-places-and-measured-time": statements(
    `ALTER TABLE instances
      ADD COLUMN place text,
      ADD COLUMN ran_ms bigint NOT NULL DEFAULT 0,
      ADD COLUMN idle_ms bigint NOT NULL DEFAULT 0,
      ADD COLUMN measured_at timestamptz`,
    `UPDATE instances SET ran_ms = 1000 * extract(epoch FROM last_active_at - online_at), measured_at = last_active_at
      WHERE state = 'ONLINE' AND last_active_at >= online_at`,
    // A gateway of an earlier version takes no device from a newer one, as its lease never expires.
    `UPDATE instances SET lease_expires_at = NULL`,
    `CREATE INDEX instances_supervised ON instances (lease_holder)
      WHERE state IN ('CREATING', 'STARTING', 'BOOTING', 'ONLINE', 'SAVING', 'SAVED', 'STOPPING', 'DELETING')`,
    `DROP INDEX instances_to_look_after`,
    `ALTER TABLE gateways ADD COLUMN beat uuid NOT NULL DEFAULT gen_random_uuid(), ALTER COLUMN expires_at DROP NOT NULL`,
    // Nothing reads instances.last_active_at, instances.lease_expires_at and gateways.expires_at. They are dropped once no server runs
    // any more that writes them.
  ),
  "0020-saving": statements(
    `ALTER TABLE instances ADD COLUMN can_save boolean NOT NULL DEFAULT false, ADD COLUMN save jsonb`,
  ),
  // With all that most lists are filtered and ordered by, so that only the rows of a page are read.
  "0051-lists-by-keys": statements(
    ...(["owner", "organization"] as const).flatMap((whose) => [
      `DROP INDEX instances_${whose}_listed`,
      `CREATE INDEX instances_${whose}_listed ON instances (${whose}_uuid, updated_at DESC, uuid)
        INCLUDE (${whose === "owner" ? "" : "owner_uuid, "}state, name, created_at) WHERE state <> 'DELETED'`,
    ]),
  ),
  // For devices that run already, whoever would be counted if they started now.
  "0069-allocations": statements(
    `ALTER TABLE instances ADD COLUMN allocated_to uuid`,
    `UPDATE instances SET allocated_to = coalesce(
      (SELECT uuid FROM users WHERE uuid = owner_uuid AND users.organization_uuid = instances.organization_uuid),
      (SELECT owner_uuid FROM recipes WHERE uuid = recipe_uuid))
      WHERE state IN ('CREATING', 'STARTING', 'BOOTING', 'ONLINE', 'SAVING', 'SAVED', 'STOPPING')`,
  ),
  "0072-organization-settings": statements(
    `ALTER TABLE instances ADD COLUMN zone text NOT NULL DEFAULT 'europe'`,
    `UPDATE instances SET zone = organizations.zone FROM organizations
      WHERE organizations.uuid = instances.organization_uuid AND organizations.zone <> 'europe'`,
    `ALTER TABLE gateways ADD COLUMN zones text[]`,
  ),
  "0103-budgets": statements(
    `ALTER TABLE instances ADD COLUMN kept_until_ms bigint NOT NULL DEFAULT 0, ADD COLUMN budget_stops_at timestamptz`,
    `CREATE INDEX instances_stopping_for_budgets ON instances (organization_uuid)
      WHERE budget_stops_at IS NOT NULL AND ended_at IS NULL`,
  ),
  "0106-uncovered-devices": statements(
    `ALTER TABLE instances ADD COLUMN cover_stops_at timestamptz, ADD COLUMN cover_stops_because text`,
    `CREATE INDEX instances_uncovered ON instances (organization_uuid) WHERE cover_stops_at IS NOT NULL AND ended_at IS NULL`,
  ),
  // Beside the gateways, whose rows come and go with them.
  "0114-draining-gateways": statements(`CREATE TABLE draining_gateways (id text PRIMARY KEY)`),
  "0116-found-devices": statements(
    `ALTER TABLE gateways ADD COLUMN found jsonb NOT NULL DEFAULT '{"machine": [], "devices": []}'`,
  ),
  "0125-newest-online": statements(
    `CREATE INDEX instances_online ON instances (online_at) WHERE online_at IS NOT NULL`,
  ),
  "0138-warm-devices": statements(
    `ALTER TABLE instances ADD COLUMN is_warm boolean NOT NULL DEFAULT false`,
    `CREATE INDEX instances_warm ON instances (recipe_uuid, zone) WHERE is_warm AND ended_at IS NULL`,
    `CREATE INDEX instances_started ON instances (recipe_uuid, zone, created_at) WHERE NOT is_warm`,
    // With every state that is supervised, or a question for all of them reads what has ended, too.
    `DROP INDEX instances_supervised`,
    `CREATE INDEX instances_supervised ON instances (lease_holder)
      WHERE state IN ('CREATING', 'CREATED', 'STARTING', 'BOOTING', 'ONLINE', 'SAVING', 'SAVED', 'STOPPING', 'DELETING')`,
  ),
  "0140-queue": statements(
    `ALTER TABLE instances
      ADD COLUMN may_queue boolean NOT NULL DEFAULT false,
      ADD COLUMN queued_at timestamptz,
      ADD COLUMN queue_place integer,
      ADD COLUMN queue_starts_at timestamptz`,
    `CREATE INDEX instances_queued ON instances (queued_at) WHERE queued_at IS NOT NULL`,
    `CREATE TABLE zone_limits (zone text PRIMARY KEY, devices_max integer NOT NULL CHECK (devices_max >= 0))`,
  ),
  // Those that are ready already are made anew: what they were made of is not known by it.
  "0153-warm-devices-by-hash": statements(
    `ALTER TABLE instances ADD COLUMN made_hash text`,
    `DROP INDEX instances_warm`,
    `CREATE INDEX instances_warm ON instances (recipe_uuid, zone, made_hash) WHERE is_warm AND ended_at IS NULL`,
  ),
  // Rows of devices that run are written every few seconds: with room beside them that touches no index.
  "0156-room-for-times": statements(`ALTER TABLE instances SET (fillfactor = 70)`),
  // Nothing reads it. It is dropped once no server runs any more that writes it.
  "0002-state-since-unused": statements(`ALTER TABLE instances ALTER COLUMN state_since DROP NOT NULL`),
};
