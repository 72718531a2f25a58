import { z } from "zod";
import { Subscription } from "./billing.ts";
import { countries } from "./countries.ts";
import { Arch, ByUuid, Description, Email, Name, origins, Time, Uuid } from "./fields.ts";
import { inactivityOptions, limits, runDurationOptions, zones } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { Proof, proofFails } from "./proof.ts";
import { routes } from "./routes.ts";

export const Timeouts = z
  .object({ inactivity: z.int(), global: z.int() })
  .meta({ description: "Minutes; 0 means no timeout" });
export type Timeouts = z.infer<typeof Timeouts>;

const oneOf = (options: readonly number[]) =>
  z.union(
    options.map((minutes) => z.literal(minutes)),
    { error: `Must be one of ${options.join(", ")}` },
  );

/** A postal address. */
export const Address = z.object({
  street: Name,
  additional_info: Description.default(""),
  city: Name,
  state: Description.nullable().default(null),
  postcode: Name,
  country: z.enum(countries).meta({ description: "ISO 3166-1 alpha-2" }),
});
export type Address = z.output<typeof Address>;

/** An address in a reply: what was once accepted is shown as it is. */
export const ShownAddress = z.object({
  street: z.string(),
  additional_info: z.string(),
  city: z.string(),
  state: z.string().nullable(),
  postcode: z.string(),
  country: z.string(),
});

const zone = z.enum(zones).meta({ description: "Where devices that start from now on run" });

const embedOrigins = {
  description: "Origins of other services whose pages may show devices by a link that their owner makes",
};

const queued = { description: "Whether starts that do not say wait when nothing has room, instead of being refused" };

export const Organization = z.object({
  uuid: Uuid,
  name: z.string(),
  company_name: z.string().meta({ description: "As invoices name it; for its managers only, as all of an invoice" }),
  vat_number: z.string(),
  additional_billing_contact_email: z.string().nullable(),
  address: ShownAddress.nullable().meta({ description: "What invoices name: its default billing address" }),
  preferences: z.object({
    timeouts: Timeouts.extend({
      api: z.int().meta({
        description:
          "How long devices that are started with an API token run at most, where the request does not say; minutes, 0 means no limit",
      }),
    }),
    embed_origins: z.array(z.string()).meta(embedOrigins),
    queue: z.boolean().meta(queued),
  }),
  os_images_supported_arch: z.array(Arch),
  is_debtor: z.boolean(),
  tax_rate: z
    .object({ display_name: z.string(), jurisdiction: z.string(), percentage: z.number() })
    .nullable()
    .meta({ description: "By its address; null while there is none" }),
  license: z.object({
    type: z.enum(["metered", "pending", "fixed"]),
    is_active: z.boolean(),
    expires_at: Time.nullable().meta({ description: "No device starts from then on; null: it does not end" }),
    minuteBalance: z.int().meta({ description: "Free minutes that are left; told to managers, 0 to others" }),
    trial: z
      .object({
        requested_at: Time,
        kind: z.enum(["individual", "enterprise"]),
        state: z.enum(["REQUESTED", "APPROVED", "REJECTED"]),
        expires_at: Time.nullable(),
      })
      .nullable(),
    subscription: Subscription.nullable().meta({ description: "The plan that has not ended; told to managers" }),
    instances: z.object({ max: z.int(), zone, zone_type: z.enum(["shared", "dedicated"]) }),
  }),
  quotas: z.object({
    group_allocation: z.int().meta({ description: "How many devices can be allocated to groups" }),
    group_allocation_remaining: z.int().meta({ description: "How many of them are allocated to no group" }),
  }),
  requires_second_factor: z.boolean().meta({ description: "Whether its members sign in with a second factor" }),
  /** The number of running devices of all its users. */
  running_instances: z.int(),
});
export type Organization = z.infer<typeof Organization>;

/** Whether only the operator can change where the devices of an organization run, as machines stand there for it alone. */
export const isDedicatedZone = ({ license }: Pick<Organization, "license">): boolean =>
  license.instances.zone_type === "dedicated";

/** What managers may change. What is missing stays as it is; other fields of an organization are ignored. */
const EditOrganization = z.object({
  name: Name.optional(),
  company_name: Description.optional(),
  vat_number: Description.optional(),
  additional_billing_contact_email: Email.nullable().optional(),
  address: Address.nullable().optional(),
  preferences: z
    .object({
      timeouts: z
        .object({
          inactivity: oneOf(inactivityOptions).optional(),
          global: oneOf(runDurationOptions).optional(),
          api: oneOf(runDurationOptions).optional(),
        })
        .optional()
        .meta({ description: "Minutes, for devices that start from now on; 0 means no timeout" }),
      embed_origins: origins(limits.embedOrigins).meta(embedOrigins).optional(),
      queue: z.boolean().meta(queued).optional(),
    })
    .optional(),
  license: z.object({ instances: z.object({ zone: zone.optional() }).optional() }).optional(),
});

export const organizationsTag = tag("Your organization", "Organizations", "Its name, its defaults and its limits.");

export const organizations = routes({
  get: {
    method: "GET",
    path: "/v1/organizations/:uuid",
    summary: "Your organization",
    access: "signed-in",
    scope: "read",
    params: ByUuid,
    reply: Organization,
    fails: ["ORGANIZATION_NOT_FOUND"],
  },
  edit: {
    method: "PUT",
    path: "/v1/organizations/:uuid",
    summary: "Change your organization: its name, who is billed, where its devices run and when they stop",
    access: "manager",
    audit: ["organization.edit"],
    params: ByUuid,
    body: EditOrganization,
    reply: Organization,
    fails: [
      "BILLING_ADDRESS_IN_USE",
      "FORBIDDEN",
      "ORGANIZATION_NOT_FOUND",
      "VAT_NUMBER_INVALID",
      "ZONE_IS_DEDICATED",
      "ZONE_NOT_AVAILABLE",
    ],
  },
  requireSecondFactor: {
    method: "PUT",
    path: "/v1/organizations/:uuid/second-factor",
    summary:
      "Whether the members of your organization sign in with a second factor. When it is required, the sessions of those who have none end; API tokens continue to work. It takes your password, and all managers are told",
    access: "manager",
    audit: ["organization.require_second_factor"],
    ownPagesOnly: true,
    params: ByUuid,
    body: Proof.extend({ is_required: z.boolean() }),
    reply: Organization,
    fails: [...proofFails, "ORGANIZATION_NOT_FOUND", "SECOND_FACTOR_MISSING"],
  },
});
