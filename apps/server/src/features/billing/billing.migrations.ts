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
    // Invoices are kept when their organization is gone, as the law asks.
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
    `CREATE TABLE billing_addresses (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      name text NOT NULL,
      address jsonb NOT NULL,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX billing_addresses_of_organization ON billing_addresses (organization_uuid)`,
  ),
};
