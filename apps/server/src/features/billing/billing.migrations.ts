import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const billingMigrations: MigrationSteps = {
  "0093-billing": statements(
    `CREATE TABLE subscriptions (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      plan text NOT NULL CHECK (plan IN ('payg', 'monthly', 'annual')),
      quantity integer NOT NULL CHECK (quantity BETWEEN 1 AND 20),
      price integer NOT NULL CHECK (price >= 0),
      currency text NOT NULL,
      period_began_at timestamptz NOT NULL,
      period_ends_at timestamptz NOT NULL CHECK (period_ends_at > period_began_at),
      created_at timestamptz NOT NULL,
      ended_at timestamptz
    )`,
    // The rule that an organization has one plan holds whatever happens at once.
    `CREATE UNIQUE INDEX subscriptions_running ON subscriptions (organization_uuid) WHERE ended_at IS NULL`,
    `CREATE INDEX subscriptions_due ON subscriptions (period_ends_at) WHERE ended_at IS NULL`,
    `CREATE TABLE subscription_statuses (
      subscription_uuid uuid NOT NULL REFERENCES subscriptions ON DELETE CASCADE,
      revision integer NOT NULL CHECK (revision > 0),
      status text NOT NULL,
      cancel_at_period_end boolean NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (subscription_uuid, revision)
    )`,
    // Invoices are retained after their organization is deleted, as the law requires.
    `CREATE TABLE invoices (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL,
      subscription_uuid uuid,
      number integer NOT NULL UNIQUE CHECK (number > 0),
      nature text NOT NULL,
      refunds_uuid uuid REFERENCES invoices,
      usage_type text NOT NULL,
      period_began_at timestamptz NOT NULL,
      period_ended_at timestamptz NOT NULL,
      currency text NOT NULL,
      net integer NOT NULL,
      tax integer NOT NULL,
      amount integer NOT NULL CHECK (amount = net + tax),
      tax_rate jsonb,
      balance_used integer NOT NULL CHECK (balance_used >= 0),
      bill_to jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      due_at timestamptz NOT NULL
    )`,
    // A period is billed once, whoever runs at once or again.
    `CREATE UNIQUE INDEX invoices_of_period ON invoices (subscription_uuid, period_began_at) WHERE nature = 'SUBSCRIPTION'`,
    `CREATE UNIQUE INDEX invoices_refunding ON invoices (refunds_uuid) WHERE refunds_uuid IS NOT NULL`,
    `CREATE INDEX invoices_of_organization ON invoices (organization_uuid, created_at)`,
    `CREATE TABLE invoice_statuses (
      invoice_uuid uuid NOT NULL REFERENCES invoices,
      revision integer NOT NULL CHECK (revision > 0),
      status text NOT NULL,
      reason text NOT NULL DEFAULT '',
      at timestamptz NOT NULL,
      PRIMARY KEY (invoice_uuid, revision)
    )`,
    `CREATE TABLE invoice_lines (
      invoice_uuid uuid NOT NULL REFERENCES invoices,
      position integer NOT NULL,
      description text NOT NULL,
      began_at timestamptz NOT NULL,
      ended_at timestamptz NOT NULL,
      quantity integer NOT NULL,
      price integer NOT NULL,
      amount integer NOT NULL CHECK (amount = quantity * price),
      PRIMARY KEY (invoice_uuid, position)
    )`,
    `CREATE TABLE cards (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      ref text NOT NULL UNIQUE,
      brand text NOT NULL,
      last4 text NOT NULL,
      expiry_month integer NOT NULL,
      expiry_year integer NOT NULL,
      is_default boolean NOT NULL,
      created_at timestamptz NOT NULL
    )`,
    `CREATE UNIQUE INDEX cards_default ON cards (organization_uuid) WHERE is_default`,
    `CREATE INDEX cards_of_organization ON cards (organization_uuid)`,
    `CREATE TABLE payments (
      uuid uuid PRIMARY KEY,
      invoice_uuid uuid NOT NULL REFERENCES invoices,
      card_uuid uuid,
      card_ref text NOT NULL,
      ref text UNIQUE,
      outcome text NOT NULL DEFAULT 'unknown',
      amount integer NOT NULL CHECK (amount > 0),
      created_at timestamptz NOT NULL,
      answered_at timestamptz
    )`,
    // At most one attempt at a time, and none after one that was accepted.
    `CREATE UNIQUE INDEX payments_open ON payments (invoice_uuid) WHERE outcome <> 'refused'`,
    `CREATE INDEX payments_of_invoice ON payments (invoice_uuid)`,
    `CREATE TABLE customers (
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      provider text NOT NULL,
      ref text NOT NULL,
      PRIMARY KEY (organization_uuid, provider)
    )`,
    // The numbers of invoices have no gaps: whoever takes one makes others wait until the invoice is written.
    `CREATE TABLE invoice_numbers (last integer NOT NULL CHECK (last >= 0))`,
    `INSERT INTO invoice_numbers VALUES (0)`,
    `CREATE TABLE billing_addresses (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      name text NOT NULL,
      address jsonb NOT NULL,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX billing_addresses_of_organization ON billing_addresses (organization_uuid)`,
  ),
  "0094-metering": statements(
    // Until now nothing was limited by minutes, and it stays so for those who are here.
    `UPDATE organizations SET license_type = 'metered' WHERE license_type = 'pending'`,
    `ALTER TABLE organizations ADD COLUMN minutes_settled_at timestamptz`,
    `CREATE TABLE minute_entries (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      kind text NOT NULL CHECK (kind IN ('grant', 'use')),
      minutes integer NOT NULL CHECK (CASE kind WHEN 'grant' THEN minutes > 0 ELSE minutes < 0 END),
      at timestamptz NOT NULL
    )`,
    `CREATE INDEX minute_entries_of_organization ON minute_entries (organization_uuid) INCLUDE (minutes)`,
    `CREATE UNIQUE INDEX minute_entries_settled ON minute_entries (organization_uuid, at) WHERE kind = 'use'`,
    `ALTER TABLE subscriptions ADD COLUMN devices_before integer NOT NULL DEFAULT 2`,
    `ALTER TABLE runs
      ADD COLUMN is_metered boolean NOT NULL DEFAULT false,
      ADD COLUMN ran_from_ms bigint NOT NULL DEFAULT 0,
      ADD COLUMN used_ms bigint,
      ADD COLUMN billed_minutes integer NOT NULL DEFAULT 0,
      ADD COLUMN billed_until timestamptz`,
    `UPDATE runs SET used_ms = round(1000 * extract(epoch FROM ended_at - began_at)) WHERE ended_at < 'infinity'`,
    // What is not settled yet outlives its device. Settling deletes it.
    `ALTER TABLE runs DROP CONSTRAINT runs_instance_uuid_fkey`,
    `CREATE FUNCTION forget_runs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE runs SET ended_at = greatest(coalesce(OLD.measured_at, began_at), began_at), used_ms = greatest(0, OLD.ran_ms - ran_from_ms)
        WHERE instance_uuid = OLD.uuid AND ended_at = 'infinity';
      DELETE FROM runs USING (SELECT max(minutes_settled_at) AS at, count(*) AS count FROM organizations WHERE uuid = OLD.organization_uuid) AS settled
        WHERE instance_uuid = OLD.uuid AND (NOT is_metered OR settled.count = 0 OR ended_at <= settled.at);
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER runs_forgotten AFTER DELETE ON instances FOR EACH ROW EXECUTE FUNCTION forget_runs()`,
    // How long a device runs is measured by its gateway; since then it can have run for seconds only, whatever the clock says. What began or
    // ended by a clock that was set back is as late as what is settled, so that nothing falls into a period that is over.
    `CREATE OR REPLACE FUNCTION note_run() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE payer organizations; metered boolean; settled timestamptz;
    BEGIN
      IF NEW.state = 'ONLINE' THEN
        SELECT * INTO payer FROM organizations WHERE uuid = NEW.organization_uuid;
        metered := payer.license_type = 'pending' OR EXISTS (SELECT FROM subscriptions
          WHERE organization_uuid = NEW.organization_uuid AND plan = 'payg' AND ended_at IS NULL);
        settled := CASE WHEN metered THEN payer.minutes_settled_at + interval '1 microsecond' END;
        INSERT INTO runs (instance_uuid, revision, organization_uuid, owner_uuid, counted_for, recipe_uuid, recipe_name,
            began_at, continues, is_metered, ran_from_ms)
          VALUES (NEW.uuid, NEW.revision, NEW.organization_uuid, NEW.owner_uuid, coalesce(NEW.allocated_to, NEW.owner_uuid),
            NEW.recipe_uuid, (SELECT name FROM recipes WHERE uuid = NEW.recipe_uuid), greatest(NEW.updated_at, settled),
            OLD.state = 'SAVING', metered, NEW.ran_ms)
          ON CONFLICT DO NOTHING;
      ELSE
        UPDATE runs SET ended_at = greatest(NEW.updated_at, began_at, billed_until + interval '1 microsecond'),
            used_ms = greatest(0, NEW.ran_ms - ran_from_ms + since_measured(NEW.measured_at, NEW.updated_at))
          WHERE instance_uuid = NEW.uuid AND ended_at = 'infinity';
      END IF;
      RETURN NULL;
    END $$`,
    `CREATE FUNCTION since_measured(measured_at timestamptz, now timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
      SELECT least(10000, greatest(0, coalesce(round(1000 * extract(epoch FROM now - measured_at)), 0)))::bigint
    $$`,
  ),
  // Lines are written by the thousand, in the transaction that writes their invoice, whose number is taken last as others wait for it.
  "0096-lines-before-invoices": statements(`ALTER TABLE invoice_lines DROP CONSTRAINT invoice_lines_invoice_uuid_fkey`),
  "0105-prices": statements(
    `CREATE TABLE prices (
      minute_cents integer,
      unlimited_monthly_cents integer,
      annual_discount integer,
      payg_threshold_cents integer,
      trial_minutes integer,
      trial_days integer
    )`,
    `INSERT INTO prices DEFAULT VALUES`,
  ),
  "0109-what-is-owed": statements(
    // A charge may pay for smaller invoices, too, which could not be charged alone.
    `ALTER TABLE payments ADD COLUMN also_pays uuid[] NOT NULL DEFAULT '{}'`,
    `CREATE INDEX payments_also ON payments USING gin (also_pays)`,
    `ALTER TABLE invoice_statuses ADD COLUMN waits boolean NOT NULL DEFAULT false`,
    `CREATE INDEX invoice_statuses_waiting ON invoice_statuses (invoice_uuid) WHERE waits`,
    // After a renewal was called off, the same period can be renewed again.
    `ALTER TABLE invoices ADD COLUMN called_off_at timestamptz`,
    `DROP INDEX invoices_of_period`,
    `CREATE UNIQUE INDEX invoices_of_period ON invoices (subscription_uuid, period_began_at)
      WHERE nature = 'SUBSCRIPTION' AND called_off_at IS NULL`,
    `ALTER TABLE subscriptions ADD COLUMN license_ends_before timestamptz`,
    // Until now one column said both what the operator has taken away and what is not paid.
    `ALTER TABLE organizations ADD COLUMN is_unpaid boolean NOT NULL DEFAULT false`,
    `UPDATE organizations SET is_unpaid = true, license_is_active = true WHERE NOT license_is_active AND (
      SELECT string_agg(status, ' ' ORDER BY revision) FROM subscription_statuses WHERE subscription_uuid = (
        SELECT uuid FROM subscriptions WHERE organization_uuid = organizations.uuid AND EXISTS (
          SELECT FROM subscription_statuses WHERE subscription_uuid = subscriptions.uuid AND status = 'ACTIVE')
        ORDER BY created_at DESC LIMIT 1)) ~ 'SUSPENDED( CANCELLED)?$'`,
  ),
  // Until now a plan whose price was written off counted as paid, so that it could be paid back.
  "0117-written-off": statements(`INSERT INTO invoice_statuses (invoice_uuid, revision, status, reason, at)
    SELECT invoice_uuid, revision + 1, 'VOID', reason, at FROM invoice_statuses AS last
    WHERE status = 'ACCEPTED' AND reason = 'It is less than can be charged, and was written off.'
      AND revision = (SELECT max(revision) FROM invoice_statuses WHERE invoice_uuid = last.invoice_uuid)
      AND NOT EXISTS (SELECT FROM invoices WHERE refunds_uuid = invoice_uuid)`),
  "0126-told-prices": statements(`ALTER TABLE subscriptions ADD COLUMN told_price integer`),
};
