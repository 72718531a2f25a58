import { DEFAULT_ADDRESS_NAME } from "@terrarium/contract";
import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

export const paymentMigrations: MigrationSteps = {
  "0097-sandbox-payments": statements(
    // Like a payment provider, it stores what it knows under its own names.
    `CREATE TABLE sandbox_cards (
      ref text PRIMARY KEY,
      customer text NOT NULL,
      name text NOT NULL
    )`,
    `CREATE TABLE sandbox_charges (
      ref text PRIMARY KEY,
      key text NOT NULL UNIQUE,
      customer text NOT NULL,
      card text NOT NULL,
      amount integer NOT NULL CHECK (amount > 0),
      currency text NOT NULL,
      outcome text NOT NULL CHECK (outcome IN ('accepted', 'refused', 'requires_action')),
      reason text NOT NULL,
      client_secret text NOT NULL UNIQUE
    )`,
    `CREATE TABLE sandbox_refunds (
      ref text PRIMARY KEY,
      key text NOT NULL UNIQUE,
      charge text NOT NULL REFERENCES sandbox_charges,
      amount integer NOT NULL CHECK (amount > 0)
    )`,
    `CREATE INDEX sandbox_refunds_of_charge ON sandbox_refunds (charge)`,
    `CREATE TABLE stripe_events (ref text PRIMARY KEY, at timestamptz NOT NULL)`,
    `CREATE INDEX stripe_events_by_age ON stripe_events (at)`,
  ),
  "0098-billing-addresses": statements(
    `ALTER TABLE billing_addresses ADD COLUMN is_default boolean NOT NULL DEFAULT false`,
    `CREATE UNIQUE INDEX billing_addresses_default ON billing_addresses (organization_uuid) WHERE is_default`,
    `INSERT INTO billing_addresses (uuid, organization_uuid, name, address, created_at, is_default)
      SELECT gen_random_uuid(), uuid, '${DEFAULT_ADDRESS_NAME}', address, created_at, true FROM organizations
      WHERE address IS NOT NULL`,
    // What invoices name is read with the organization. A trigger, so that there is one way to change it.
    `CREATE FUNCTION note_billing_address() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE billed uuid := CASE TG_OP WHEN 'DELETE' THEN OLD.organization_uuid ELSE NEW.organization_uuid END;
    BEGIN
      UPDATE organizations SET address = (
          SELECT address FROM billing_addresses WHERE organization_uuid = billed AND is_default)
        WHERE uuid = billed;
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER billing_address_changed AFTER INSERT OR UPDATE OR DELETE ON billing_addresses FOR EACH ROW
      EXECUTE FUNCTION note_billing_address()`,
  ),
};
