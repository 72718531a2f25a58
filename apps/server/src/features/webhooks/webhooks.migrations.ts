import { type MigrationSteps, statements } from "../../platform/db/migrations.ts";

/** SQL for a trigger that calls a function without arguments after each row of a kind of change. */
const after = (change: string, table: string, call: string) =>
  `CREATE TRIGGER ${table}_webhooks AFTER ${change} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${call}()`;

export const webhookMigrations: MigrationSteps = {
  "0080-webhooks": statements(
    `CREATE TABLE webhook_endpoints (
      uuid uuid PRIMARY KEY,
      organization_uuid uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
      url text NOT NULL,
      description text NOT NULL,
      events text[] NOT NULL,
      disabled_reason text CHECK (disabled_reason IN ('manager', 'failing', 'gone')),
      secret bytea NOT NULL,
      former_secret bytea,
      former_secret_until timestamptz,
      failing_since timestamptz,
      is_failing boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL
    )`,
    `CREATE INDEX webhook_endpoints_organization ON webhook_endpoints (organization_uuid)`,
    `CREATE TABLE webhook_deliveries (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      endpoint_uuid uuid NOT NULL REFERENCES webhook_endpoints ON DELETE CASCADE,
      uuid uuid NOT NULL,
      type text NOT NULL,
      data jsonb NOT NULL,
      at timestamptz,
      state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'failed')),
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL DEFAULT '-infinity',
      claim uuid,
      log jsonb NOT NULL DEFAULT '[]',
      UNIQUE (endpoint_uuid, uuid)
    )`,
    `CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (endpoint_uuid, id DESC)`,
    `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_uuid, due_at, id) WHERE state = 'waiting'`,
    `CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (endpoint_uuid) WHERE state = 'failed'`,
    `CREATE INDEX webhook_deliveries_age ON webhook_deliveries (at)`,
    // The transaction of a change adds its events: none is lost, and none is sent for what did not happen. A restore switches it off, as
    // its rows are no news.
    `CREATE FUNCTION add_webhook_event(organization uuid, event text, happened timestamptz, facts jsonb) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE message uuid := gen_random_uuid();
    BEGIN
      IF current_setting('terrarium.webhooks', true) = 'off' THEN RETURN; END IF;
      INSERT INTO webhook_deliveries (endpoint_uuid, uuid, type, data, at)
      SELECT uuid, message, event, facts, happened FROM webhook_endpoints
      WHERE organization_uuid = organization AND disabled_reason IS NULL AND event = ANY(events)
      -- One that is being deleted is waited for, and passed over then: its key would be missed, and the change fail.
      FOR KEY SHARE;
    END $$`,
    `CREATE FUNCTION add_instance_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      device record;
      facts jsonb;
      name text := CASE NEW.event WHEN 'ask' THEN 'created' WHEN 'booted' THEN 'started' WHEN 'saved' THEN 'saved'
        WHEN 'saveFailed' THEN 'save_failed' WHEN 'fail' THEN 'failed'
        WHEN 'deleted' THEN 'stopped' WHEN 'expire' THEN 'stopped' WHEN 'revoke' THEN 'stopped' END;
    BEGIN
      -- Its snapshot may be megabytes.
      SELECT organization_uuid, instances.name, owner_uuid, recipe_uuid, save ->> 'recipeUuid' AS saved INTO device
        FROM instances WHERE uuid = NEW.instance_uuid;
      facts := jsonb_build_object('uuid', NEW.instance_uuid, 'name', device.name, 'owner_uuid', device.owner_uuid,
        'recipe_uuid', device.recipe_uuid, 'state', NEW.to_state, 'previous_state', NEW.from_state,
        'reason', NEW.reason, 'revision', NEW.revision);
      PERFORM add_webhook_event(device.organization_uuid, 'instance.state_changed', NEW.at, facts);
      IF name IN ('saved', 'save_failed') THEN
        facts := facts || jsonb_build_object('saved_recipe_uuid', device.saved);
      END IF;
      IF name IS NOT NULL THEN
        PERFORM add_webhook_event(device.organization_uuid, 'instance.' || name, NEW.at, facts);
      END IF;
      RETURN NULL;
    END $$`,
    after("INSERT", "instance_events", "add_instance_webhooks"),
    // Of recipes, not of their shares, which count revisions as well.
    `CREATE FUNCTION add_recipe_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        PERFORM add_webhook_event(OLD.organization_uuid, 'recipe.deleted', NULL,
          jsonb_build_object('uuid', OLD.uuid, 'name', OLD.name));
      ELSIF TG_OP = 'INSERT' OR OLD.edited_revision <> NEW.edited_revision THEN
        PERFORM add_webhook_event(NEW.organization_uuid,
          CASE TG_OP WHEN 'INSERT' THEN 'recipe.created' ELSE 'recipe.changed' END, NEW.updated_at,
          jsonb_build_object('uuid', NEW.uuid, 'name', NEW.name, 'status', NEW.status, 'owner_uuid', NEW.owner_uuid,
            'revision', NEW.revision));
      END IF;
      RETURN NULL;
    END $$`,
    after("INSERT OR UPDATE OR DELETE", "recipes", "add_recipe_webhooks"),
    `CREATE FUNCTION add_invitation_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM add_webhook_event(NEW.organization_uuid, 'user.invited', NEW.created_at,
        jsonb_build_object('invitation_uuid', NEW.uuid, 'email', NEW.email));
      RETURN NULL;
    END $$`,
    after("INSERT", "invitations", "add_invitation_webhooks"),
    // Personal data ends with the account: deliveries about a person lose their name and address.
    `CREATE FUNCTION add_user_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      former uuid := CASE WHEN TG_OP <> 'INSERT' THEN OLD.organization_uuid END;
      present uuid := CASE WHEN TG_OP <> 'DELETE' THEN NEW.organization_uuid END;
    BEGIN
      IF present IS NOT NULL THEN
        PERFORM add_webhook_event(present, CASE WHEN present = former THEN 'user.changed' ELSE 'user.joined' END,
          CASE TG_OP WHEN 'INSERT' THEN NEW.created_at END,
          jsonb_build_object('uuid', NEW.uuid, 'email', NEW.email, 'first_name', NEW.first_name, 'last_name', NEW.last_name,
            'role', CASE WHEN NEW.is_organization_manager THEN 'manager' ELSE 'user' END,
            'status', CASE WHEN NOT NEW.is_validated THEN 'pending' WHEN NEW.is_enabled THEN 'enabled' ELSE 'disabled' END));
      END IF;
      IF TG_OP = 'DELETE' THEN
        UPDATE webhook_deliveries SET data = data - ARRAY['email', 'first_name', 'last_name']
          FROM webhook_endpoints AS endpoint
          WHERE endpoint.uuid = endpoint_uuid AND endpoint.organization_uuid = former AND data ->> 'email' = OLD.email;
      END IF;
      IF former IS NOT NULL AND former IS DISTINCT FROM present THEN
        PERFORM add_webhook_event(former, 'user.removed', NULL, jsonb_build_object('uuid', OLD.uuid));
      END IF;
      RETURN NULL;
    END $$`,
    after("INSERT OR DELETE", "users", "add_user_webhooks"),
    `CREATE TRIGGER users_changed_webhooks AFTER UPDATE ON users FOR EACH ROW
      WHEN ((OLD.organization_uuid, OLD.is_organization_manager, OLD.is_enabled, OLD.is_validated) IS DISTINCT FROM
        (NEW.organization_uuid, NEW.is_organization_manager, NEW.is_enabled, NEW.is_validated))
      EXECUTE FUNCTION add_user_webhooks()`,
  ),
  "0095-invoice-webhooks": statements(
    // A refund is announced once the money is on its way, with the invoice that it was for.
    `CREATE FUNCTION add_invoice_webhooks() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      issued invoices;
      told invoices;
      facts jsonb;
      name text;
      utc text := 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';
    BEGIN
      SELECT * INTO issued FROM invoices WHERE uuid = NEW.invoice_uuid;
      name := CASE WHEN issued.nature = 'CREDIT' THEN CASE NEW.status WHEN 'ACCEPTED' THEN 'refunded' END
        WHEN NEW.revision = 1 THEN 'created'
        ELSE CASE NEW.status WHEN 'ACCEPTED' THEN 'paid' WHEN 'FAILED' THEN 'payment_failed' END END;
      IF name IS NULL THEN RETURN NULL; END IF;
      SELECT * INTO told FROM invoices WHERE uuid = coalesce(issued.refunds_uuid, issued.uuid);
      facts := jsonb_build_object('uuid', told.uuid, 'amount', told.amount, 'currency', told.currency,
        'invoice_number', 'INV-' || lpad(told.number::text, greatest(6, length(told.number::text)), '0'),
        'state', CASE WHEN name <> 'refunded' THEN NEW.status WHEN -issued.amount < told.amount THEN 'PARTIALLY_REFUNDED' ELSE 'REFUNDED' END,
        'period_start', to_char(told.period_began_at AT TIME ZONE 'UTC', utc),
        'period_end', to_char(told.period_ended_at AT TIME ZONE 'UTC', utc),
        'due_at', to_char(told.due_at AT TIME ZONE 'UTC', utc));
      IF name = 'payment_failed' THEN facts := facts || jsonb_build_object('reason', NEW.reason); END IF;
      IF name = 'refunded' THEN
        facts := facts || jsonb_build_object('credit_note_uuid', issued.uuid, 'refunded', -issued.amount);
      END IF;
      PERFORM add_webhook_event(told.organization_uuid, 'invoice.' || name, NEW.at, facts);
      RETURN NULL;
    END $$`,
    after("INSERT", "invoice_statuses", "add_invoice_webhooks"),
  ),
};
