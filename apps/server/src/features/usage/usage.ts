import {
  type Answer,
  AppError,
  type Contract,
  limits,
  type Period,
  type Span,
  type Usage,
  type UsageReport,
  type Use,
} from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { csvLine, csvMark } from "../../platform/csv.ts";
import { type Limit, MAX_WINDOW_MS } from "../../platform/rate-limits/database-rate-limiter.ts";
import { type Cell, writeXlsx } from "../../platform/spreadsheets/write-xlsx.ts";
import type { By } from "../audit/by.ts";
import { boundsOf, daysBetween, localTimesOf } from "./days.ts";
import { countRuns, findRuns, type RunFilter, type RunRow, sumUse, type UseRow } from "./usage.store.ts";
import type { LimitedDeps } from "../deps.ts";

export type UsageDeps = LimitedDeps;

export const usageExports: Limit = { name: "exports of usage", max: 20, windowMs: MAX_WINDOW_MS };
/** Runs that an export holds at once. */
const EXPORTED_AT_ONCE = 1_000;

/** How long the devices of an organization were online in a period, and how often one came online. What runs counts until now. */
export async function usageOf(
  { db, clock }: Pick<UsageDeps, "db" | "clock">,
  organization: string,
  { since, until, time_zone }: Period,
): Promise<Usage> {
  const days = daysBetween(since, until);
  const rows = await sumUse(db, { organization, now: new Date(clock.now()) }, boundsOf(days, time_zone));
  const of = <Kind extends UseRow["of"]>(kind: Kind) =>
    rows.filter((row): row is Extract<UseRow, { of: Kind }> => row.of === kind);
  const ofDays = of("day");
  const byDay = new Map(ofDays.map((row) => [row.day, row]));
  return {
    total: addUp(ofDays),
    days: days.map((day, index) => ({ day, ...whole(byDay.get(index + 1) ?? NONE) })),
    people: mostOf(of("person"), ({ uuid, email, first_name, last_name }) => ({
      person: { uuid, email, first_name, last_name },
    })),
    groups: mostOf(of("group"), ({ uuid, name }) => ({
      group: uuid === null || name === null ? null : { uuid, name },
    })),
    recipes: mostOf(of("recipe"), ({ uuid, name, is_deleted }) => ({
      recipe: uuid === null || name === null ? null : { uuid, name, is_deleted },
    })),
  };
}

/** How long the devices of each person were online in some time, and how often one came online: whoever had any, the most first. */
export async function reportOf(
  { db, clock }: Pick<UsageDeps, "db" | "clock">,
  organization: string,
  { from_date, to_date }: Span,
): Promise<UsageReport> {
  const asked = { organization, now: new Date(clock.now()) };
  const rows = await sumUse(db, asked, [new Date(from_date), new Date(to_date)]);
  const results = rows
    .filter((row) => row.of === "person")
    .map((row) => ({ email: row.email, instance_count: row.starts, duration_seconds: Math.round(row.seconds) }));
  return { count: results.length, results };
}

const NONE: Use = { seconds: 0, starts: 0 };
const whole = ({ seconds, starts }: Use): Use => ({ seconds: Math.round(seconds), starts });
/** Parts of seconds count in a sum. */
const addUp = (uses: readonly Use[]): Use =>
  whole({
    seconds: uses.reduce((sum, { seconds }) => sum + seconds, 0),
    starts: uses.reduce((sum, { starts }) => sum + starts, 0),
  });

/** The first of those that are ordered by their use, and the others together. */
function mostOf<Row extends Use, Item extends object>(rows: readonly Row[], itemOf: (row: Row) => Item) {
  const others = rows.slice(limits.usageShown);
  return {
    results: rows.slice(0, limits.usageShown).map((row) => ({ ...itemOf(row), ...whole(row) })),
    others: others.length === 0 ? null : { count: others.length, ...addUp(others) },
  };
}

const types = { csv: "text/csv", xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" } as const;

/**
 * Each run of a period as a line of a file, which is written as fast as it is read. That it was exported is recorded, before it begins.
 * @param most how many runs it may have
 * @throws AppError TOO_MANY_REQUESTS, USAGE_TOO_LARGE
 */
export async function exportUsage(
  { db, clock, audit, limiter }: UsageDeps,
  organization: string,
  { since, until, time_zone, format }: Period & { format: keyof typeof types },
  by: By,
  most: number = limits.usageRuns,
): Promise<Answer<Contract["usage"]["export"]>> {
  await limiter.take(usageExports, organization);
  const bounds = boundsOf(daysBetween(since, until), time_zone);
  const now = new Date(clock.now());
  const filter: RunFilter = { organization, since: bounds[0] ?? now, until: bounds.at(-1) ?? now, now };
  if ((await countRuns(db, filter, most + 1)) > most) throw new AppError("USAGE_TOO_LARGE");
  await audit.record(db, by, {
    action: "organization.export_usage",
    subject: { kind: "organization", uuid: organization },
    details: { format, since, until },
  });
  const columns = columnsIn(time_zone);
  const parts = runsOf(db, filter, columns);
  return {
    type: types[format],
    fileName: `usage-${since}-${until}.${format}`,
    content: format === "csv" ? csvOf(columns, parts) : writeXlsx("Usage", columns, parts),
  };
}

interface Column {
  title: string;
  /** In characters. */
  width: number;
  cell: (row: RunRow) => Cell;
}

function columnsIn(zone: string): Column[] {
  const local = localTimesOf(zone);
  return [
    { title: "Device", width: 32, cell: ({ device }) => device },
    { title: "Device ID", width: 38, cell: ({ device_uuid }) => device_uuid },
    { title: "Recipe", width: 32, cell: ({ recipe }) => recipe },
    { title: "Person", width: 32, cell: ({ email }) => email },
    { title: "Groups", width: 24, cell: ({ groups }) => groups },
    { title: `Online (${zone})`, width: 20, cell: ({ began_at }) => ({ time: local(began_at) }) },
    {
      title: `Ended (${zone})`,
      width: 20,
      cell: ({ ended_at }) => (ended_at ? { time: local(ended_at) } : null),
    },
    // To the second, as far as a fraction of a minute can say it.
    { title: "Minutes", width: 12, cell: ({ seconds }) => Number((Math.round(seconds) / 60).toFixed(4)) },
    { title: "Zone", width: 16, cell: ({ zone: place }) => place },
  ];
}

async function* runsOf(db: Database, filter: RunFilter, columns: readonly Column[]): AsyncGenerator<Cell[][]> {
  let after: RunRow["key"] | undefined;
  for (;;) {
    const rows = await findRuns(db, filter, { after, limit: EXPORTED_AT_ONCE });
    yield rows.map((row) => columns.map(({ cell }) => cell(row)));
    after = rows.at(-1)?.key;
    if (rows.length < EXPORTED_AT_ONCE) return;
  }
}

async function* csvOf(columns: readonly Column[], parts: AsyncIterable<Cell[][]>): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder();
  yield bytes.encode(csvMark + csvLine(columns.map(({ title }) => title)));
  for await (const rows of parts) yield bytes.encode(rows.map((cells) => csvLine(cells.map(textOf))).join(""));
}

const textOf = (cell: Cell): string => (cell === null ? "" : typeof cell === "object" ? cell.time : String(cell));
