import type { Address } from "@terrarium/contract";
import type { ColumnType, JSONColumnType } from "kysely";
import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

export interface OrganizationTable {
  uuid: string;
  name: string;
  /** Minutes; 0 is none. */
  timeout_inactivity: WithDefault<number>;
  timeout_global: WithDefault<number>;
  /** For devices that programs start without saying how long. */
  timeout_api: WithDefault<number>;
  supported_arch: WithDefault<string[]>;
  is_debtor: WithDefault<boolean>;
  license_type: WithDefault<"metered" | "pending" | "fixed">;
  license_is_active: WithDefault<boolean>;
  /** Whether its plan is suspended, or has ended, as it was not paid. Another fact than what the operator decides. */
  is_unpaid: WithDefault<boolean>;
  license_expires_at: OptionalTime;
  /** Until when the minutes of its devices are taken from its balance or billed; null for none yet. */
  minutes_settled_at: OptionalTime;
  instances_max: WithDefault<number>;
  /** How many it may have of its own. */
  recipes_max: WithDefault<number>;
  hardware_profiles_max: WithDefault<number>;
  os_images_max: WithDefault<number>;
  /** How much the saved states of its OS images may take up together. */
  saved_bytes_max: WithDefault<number>;
  zone: WithDefault<string>;
  zone_type: WithDefault<"shared" | "dedicated">;
  /** Whether its members sign in with a second factor. */
  requires_second_factor: WithDefault<boolean>;
  /** As invoices name it. */
  company_name: WithDefault<string>;
  vat_number: WithDefault<string>;
  /** Percent, as the operator has agreed, 0 of one that is exempt; null where its country decides. */
  tax_percentage: ColumnType<number | null, number | null | undefined, number | null>;
  additional_billing_contact_email: ColumnType<string | null, string | null | undefined, string | null>;
  /** The default of its billing addresses, copied here by a trigger. */
  address: JSONColumnType<Address | null, string | null | undefined, string | null>;
  /** How its members sign in; null for any way. */
  allowed_sign_ins: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  session_hours: WithDefault<number>;
  /** Origins of others whose pages may sign its members in. */
  allowed_origins: WithDefault<string[]>;
  /** Origins of others whose pages may show its devices by a link. */
  embed_origins: WithDefault<string[]>;
  /** Whether starts that do not say wait when nothing has room. */
  queues: WithDefault<boolean>;
  created_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    organizations: OrganizationTable;
  }
}
