import type { WebhookAttempt, WebhookEvent } from "@terrarium/contract";
import type { Generated, JSONColumnType } from "kysely";
import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

/** An address that an organization has registered for events. */
export interface WebhookEndpointTable {
  uuid: string;
  organization_uuid: string;
  url: string;
  description: string;
  events: WebhookEvent[];
  /** Why nothing is sent: a manager disabled it, it has failed for days, or it answered that it is gone. Null while it is enabled. */
  disabled_reason: WithDefault<"manager" | "failing" | "gone" | null>;
  /** Sealed, as the one before, which signs until then as well. */
  secret: Buffer;
  former_secret: WithDefault<Buffer | null>;
  former_secret_until: OptionalTime;
  /** The first failed attempt since the last success. */
  failing_since: OptionalTime;
  /** A delivery was given up since the last success. */
  is_failing: WithDefault<boolean>;
  created_at: Time;
}

/** An event for an endpoint, and how its delivery went. Triggers add the rows, in the transactions of the changes. */
export interface WebhookDeliveryTable {
  id: Generated<number>;
  endpoint_uuid: string;
  /** Of the event: the same for each endpoint. */
  uuid: string;
  type: string;
  data: JSONColumnType<Record<string, unknown>>;
  /** When it happened. Null until the first attempt if the changed row does not say. */
  at: OptionalTime;
  state: WithDefault<"waiting" | "delivered" | "failed">;
  /** Of this round: a replay begins anew. */
  attempts: WithDefault<number>;
  /** Before all time for at once. While it is claimed: when the claim lapses. */
  due_at: WithDefault<Date>;
  /** The attempt that is under way. */
  claim: WithDefault<string | null>;
  /** The last attempts, the latest last. */
  log: JSONColumnType<WebhookAttempt[], string | undefined>;
}

declare module "../../database/schema.ts" {
  interface Schema {
    webhook_endpoints: WebhookEndpointTable;
    webhook_deliveries: WebhookDeliveryTable;
  }
}
