import { z } from "zod";
import { Cents, Currency, Invoice } from "./billing.ts";
import { Time, Uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";
import { Person } from "./users.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const Day = z.iso
  .date({ error: "Must be a day, such as 2026-03-05", abort: true })
  .refine((day) => day >= "2000-01-01", {
    error: "Must not be before 2000-01-01",
  });

/** Whether there is a time zone of that name, such as `Europe/Paris`. */
function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}

const period = {
  since: Day.meta({ description: "The first day" }),
  until: Day.meta({ description: "The last day" }),
  time_zone: z
    .string()
    .max(limits.timeZoneLength)
    .refine(isTimeZone, { error: "There is no such time zone" })
    .default("UTC")
    .meta({ description: "Whose days they are, such as Europe/Paris" }),
};
const daysOf = ({ since, until }: { since: string; until: string }): number =>
  (Date.parse(until) - Date.parse(since)) / DAY_MS + 1;

/** Some days of a time zone, from the first to the last. */
const Period = z
  .object(period)
  .refine((given) => daysOf(given) >= 1, { path: ["until"], error: "Must not be before since" })
  .refine((given) => daysOf(given) <= limits.usageDays, {
    path: ["until"],
    error: `A period has at most ${limits.usageDays} days`,
  });
export type Period = z.output<typeof Period>;

/** How long devices were online, and how often one came online. */
const Use = z.object({
  seconds: z.int().meta({ description: "How long devices were online, added up" }),
  starts: z.int().meta({ description: "How many devices came online" }),
});
export type Use = z.infer<typeof Use>;

/** Those with the most use, and all others together. */
const mostOf = <Item extends z.ZodObject>(item: Item) =>
  z.object({ results: z.array(item), others: Use.extend({ count: z.int() }).nullable() });

export const Usage = z.object({
  total: Use,
  days: z.array(Use.extend({ day: z.iso.date() })),
  people: mostOf(Use.extend({ person: Person })),
  groups: mostOf(
    Use.extend({
      group: z.object({ uuid: Uuid, name: z.string() }).nullable().meta({ description: "Null for people in no group" }),
    }),
  ).meta({
    description:
      "A device counts for each group that its person is in now, and for all groups above these: the sum may be more than the total",
  }),
  recipes: mostOf(
    Use.extend({
      recipe: z
        .object({ uuid: Uuid, name: z.string(), is_deleted: z.boolean() })
        .nullable()
        .meta({ description: "Null where the recipe was deleted before its devices came online" }),
    }),
  ),
});
export type Usage = z.infer<typeof Usage>;

/** A device that runs for long, or that nobody has used for long. */
export const LeftOn = z.object({
  uuid: Uuid,
  name: z.string(),
  owner: Person,
  recipe_name: z.string().nullable(),
  created_at: Time,
  online_at: Time,
  idle_since: Time.meta({ description: "When somebody last used it" }),
  stops_at: Time.nullable().meta({ description: "When it stops by itself; null for never" }),
  minutes: z.int().meta({ description: "For how long it is online" }),
  amount: Cents.nullable().meta({ description: "What that costs without tax; null where devices are paid in advance" }),
  currency: Currency,
});
export type LeftOn = z.infer<typeof LeftOn>;

export const Overview = z.object({
  people: z.object({
    count: z.int(),
    without_second_factor: z
      .int()
      .meta({ description: "Those who have yet to set one up, if the organization requires it; otherwise 0" }),
  }),
  invitations: z.object({
    pending: z.int(),
    expiring: z.int().meta({ description: `Those of them that expire within ${limits.expiringDays} days` }),
    expired: z.int(),
    refused: z.int().meta({ description: "Those whose mail was refused" }),
  }),
  groups: z
    .array(z.object({ uuid: Uuid, name: z.string(), running: z.int(), allocation: z.int() }))
    .meta({ description: "Those that have used up most of their allocation" }),
  left_on: z.object({ count: z.int(), results: z.array(LeftOn) }),
  billing: z.object({
    spend: Cents.meta({
      description: "Of this month in UTC, without tax: what was billed in it, and what is not billed yet",
    }),
    unbilled: Cents.meta({ description: "Of that, what was used and is not billed yet" }),
    forecast: Cents.nullable().meta({
      description:
        "What the month comes to if devices run on as in the last seven days, of which free minutes are taken off; null where they are not paid by the minute",
    }),
    currency: Currency,
    last_invoice: Invoice.nullable(),
  }),
});
export type Overview = z.infer<typeof Overview>;

const Moment = z.iso.datetime({ error: "Must be a time in UTC, such as 2026-03-05T09:30:00Z", abort: true });
const from_date = Moment.meta({ description: "When it begins" });
const to_date = Moment.meta({ description: `When it ends; at most ${limits.usageDays} days later` });

/** Some time, as clients of other services ask for it. */
const Span = z
  .object({ from_date, to_date })
  .refine((given) => Date.parse(given.to_date) > Date.parse(given.from_date), {
    path: ["to_date"],
    error: "Must be after from_date",
  })
  .refine((given) => Date.parse(given.to_date) - Date.parse(given.from_date) <= limits.usageDays * DAY_MS, {
    path: ["to_date"],
    error: `A period has at most ${limits.usageDays} days`,
  });
export type Span = z.output<typeof Span>;

export const UsageReport = z.object({
  count: z.int(),
  results: z.array(
    z.object({
      email: z.string(),
      instance_count: z.int().meta({ description: "How many of their devices came online" }),
      duration_seconds: z.int().meta({ description: "How long these were online, added up" }),
    }),
  ),
});
export type UsageReport = z.infer<typeof UsageReport>;

export const usageTag = tag("Your organization", "Usage", "How long devices ran, by whom and of what.");

export const usage = routes({
  overview: {
    method: "GET",
    path: "/v1/usage/overview",
    summary:
      "What there is to decide in your organization: invitations, second factors, groups, devices that were left on",
    access: "manager",
    scope: "admin",
    reply: Overview,
  },
  get: {
    method: "GET",
    path: "/v1/usage",
    summary: "How long the devices of your organization were online: by day, person, group and recipe",
    access: "manager",
    scope: "admin",
    query: Period,
    reply: Usage,
  },
  report: {
    method: "GET",
    path: "/v1/reporting/usage",
    summary:
      "How long the devices of each person of your organization were online, as `gmsaas admin usage` asks for it",
    access: "manager",
    scope: "admin",
    query: Span,
    reply: UsageReport,
  },
  export: {
    method: "GET",
    path: "/v1/usage/export",
    summary: "Each run of a device in a period as a line of a file for spreadsheets",
    access: "manager",
    audit: ["organization.export_usage"],
    scope: "admin",
    query: Period.safeExtend({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    reply: { kind: "bytes", types: ["text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"] },
    fails: ["TOO_MANY_REQUESTS", "USAGE_TOO_LARGE"],
  },
});
