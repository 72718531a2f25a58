import { type Kysely, sql } from "kysely";
import type { Migration } from "kysely/migration";

/** Organisations, people and their sessions; the catalogue; devices and their history. */
export const foundation: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `CREATE TABLE organizations (
    uuid uuid PRIMARY KEY,
    name text NOT NULL,
    timeout_inactivity integer NOT NULL DEFAULT 30 CHECK (timeout_inactivity >= 0),
    timeout_global integer NOT NULL DEFAULT 0 CHECK (timeout_global >= 0),
    supported_arch text[] NOT NULL DEFAULT '{arm64}',
    is_debtor boolean NOT NULL DEFAULT false,
    license_type text NOT NULL DEFAULT 'pending' CHECK (license_type IN ('metered', 'pending', 'fixed')),
    license_is_active boolean NOT NULL DEFAULT true,
    license_expires_at timestamptz,
    instances_max integer NOT NULL DEFAULT 2 CHECK (instances_max >= 0),
    zone text NOT NULL DEFAULT 'europe',
    zone_type text NOT NULL DEFAULT 'shared' CHECK (zone_type IN ('shared', 'dedicated')),
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE users (
    uuid uuid PRIMARY KEY,
    email text NOT NULL UNIQUE CHECK (email = lower(email)),
    first_name text NOT NULL DEFAULT '',
    last_name text NOT NULL DEFAULT '',
    password_hash text,
    organization_uuid uuid REFERENCES organizations,
    is_organization_manager boolean NOT NULL DEFAULT false,
    is_enabled boolean NOT NULL DEFAULT true,
    is_validated boolean NOT NULL DEFAULT false,
    tnc_accepted_at timestamptz,
    front_preferences jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    CHECK (organization_uuid IS NOT NULL OR NOT is_organization_manager)
  )`,
  `CREATE INDEX users_organization ON users (organization_uuid)`,
  `CREATE TABLE sessions (
    uuid uuid PRIMARY KEY,
    user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    ended_at timestamptz
  )`,
  `CREATE INDEX sessions_user ON sessions (user_uuid)`,
  `CREATE TABLE api_tokens (
    uuid uuid PRIMARY KEY,
    user_uuid uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    description text NOT NULL,
    token_hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    last_access timestamptz,
    UNIQUE (user_uuid, description)
  )`,
  `CREATE TABLE hardware_profiles (
    uuid uuid PRIMARY KEY,
    name text NOT NULL,
    is_official boolean NOT NULL,
    owner_uuid uuid REFERENCES users,
    organization_uuid uuid REFERENCES organizations,
    form_factor text NOT NULL CHECK (form_factor IN ('PHONE', 'TABLET', 'CAR', 'WATCH', 'TV')),
    display_mode text NOT NULL CHECK (display_mode IN ('REGULAR', 'FOLDABLE', 'MULTI_DISPLAY')),
    displays jsonb NOT NULL,
    hw_navigation_keys boolean NOT NULL,
    properties jsonb NOT NULL,
    cpu_count integer NOT NULL,
    ram_size integer NOT NULL,
    data_disk_size integer NOT NULL,
    position integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (is_official = (organization_uuid IS NULL))
  )`,
  `CREATE TABLE os_images (
    uuid uuid PRIMARY KEY,
    name text NOT NULL,
    is_official boolean NOT NULL,
    is_beta boolean NOT NULL DEFAULT false,
    owner_uuid uuid REFERENCES users,
    organization_uuid uuid REFERENCES organizations,
    status text NOT NULL CHECK (status IN ('CREATING', 'READY', 'UPDATING', 'ERROR')),
    arch text NOT NULL CHECK (arch IN ('arm64', 'x86', 'x86_64')),
    os_version text NOT NULL,
    sdk_version integer NOT NULL,
    image_version text NOT NULL,
    form_factors text[] NOT NULL,
    runtime text NOT NULL,
    artefact text NOT NULL,
    position integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (is_official = (organization_uuid IS NULL))
  )`,
  `CREATE TABLE recipes (
    uuid uuid PRIMARY KEY,
    name text NOT NULL,
    description text NOT NULL DEFAULT '',
    status text NOT NULL CHECK (status IN ('CREATING', 'READY', 'UPDATING', 'ERROR')),
    is_official boolean NOT NULL,
    owner_uuid uuid REFERENCES users,
    organization_uuid uuid REFERENCES organizations,
    hardware_profile_uuid uuid REFERENCES hardware_profiles ON DELETE SET NULL,
    os_image_uuid uuid REFERENCES os_images ON DELETE SET NULL,
    position integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (is_official = (organization_uuid IS NULL))
  )`,
  `CREATE INDEX recipes_organization ON recipes (organization_uuid)`,
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
  `CREATE TABLE secrets (name text PRIMARY KEY, value text NOT NULL)`,
];
