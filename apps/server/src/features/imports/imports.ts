import {
  type Answer,
  AppError,
  type Contract,
  type ErrorCode,
  type ImportEvent,
  importKindOf,
  type ImportKind,
  type ImportResult,
  importTypes,
  limits,
  type ReceivedFile,
} from "@terrarium/contract";
import {
  type DatabaseRateLimiter,
  type Limit,
  MAX_WINDOW_MS,
} from "../../platform/rate-limits/database-rate-limiter.ts";
import type { Table } from "../../platform/spreadsheets/table.ts";
import { TableError, type TableProblem } from "../../platform/spreadsheets/table-error.ts";
import type { Tables } from "../../platform/spreadsheets/tables.ts";
import type { By } from "../audit/by.ts";
import type { GroupDeps, Manager } from "../groups/groups.ts";
import { groupsMade, groupsNamed, joinGroups } from "../groups/join-groups.ts";
import { checkLines, type ImportedLine, isRefused } from "./imported-line.ts";
import { findByAddress } from "./imports.store.ts";
import { reportOf } from "./report.ts";

export interface ImportDeps extends GroupDeps {
  limiter: DatabaseRateLimiter;
  tables: Tables;
}

interface ImportOptions {
  isTrial: boolean;
  createsGroups: boolean;
  by: By;
}

/** What is imported: a table of people and groups. */
interface Imported {
  name: string;
  kind: ImportKind;
  table: Table<"email" | "group">;
}

const importsOfOrganization: Limit = { name: "imports", max: 120, windowMs: MAX_WINDOW_MS };
/** Lines of one transaction, during which no device of the organization starts: some 30 ms. */
const LINES_AT_ONCE = 500;

const columns = {
  email: ["email", "mail", "emailaddress", "mailaddress"],
  group: ["group", "groupname"],
};
/** Longer than any address or name, so that what is cut is refused. */
const MAX_TEXT_LENGTH = 300;

/**
 * Puts the people of an organization whom a file lists into the groups that it names, beside those that they are in. The file is read whole before
 * anything is done; then its lines are done in batches, each as if somebody had added these people. Whoever leaves while the reply
 * is sent ends the import after a batch.
 * @param asLines replies with how far it is, and the result, instead of the report alone
 * @throws AppError ORGANIZATION_NOT_FOUND, TOO_MANY_REQUESTS, and what is wrong with the file (IMPORT_...)
 */
export async function importUsers(
  deps: ImportDeps,
  { organization }: Manager,
  { file, into, asLines, ...options }: ImportOptions & { file: ReceivedFile; into: string; asLines: boolean },
): Promise<Answer<Contract["imports"]["addUsersToGroups"]>> {
  if (into !== organization) throw new AppError("ORGANIZATION_NOT_FOUND");
  const kind = importKindOf(file.name);
  if (!kind) throw new AppError("IMPORT_FILE_TYPE");
  await deps.limiter.take(importsOfOrganization, organization);
  const wanted = { columns, maxRows: limits.importLines, maxTextLength: MAX_TEXT_LENGTH };
  const table = await deps.tables.read(organization, { kind, path: file.path }, wanted).catch((error: unknown) => {
    throw error instanceof TableError ? refusalOf(error) : error;
  });
  const events = runImport(deps, { organization }, { name: file.name, kind, table }, options);
  if (asLines) return { type: "application/jsonl", content: linesOf(events) };
  const result = await resultOf(events);
  return {
    type: importTypes[kind],
    fileName: result.report.name,
    headers: { "x-total-lines": String(result.total), "x-failed-lines": String(result.failed) },
    content: Buffer.from(result.report.base64, "base64"),
  };
}

const problems: Record<TableProblem, ErrorCode> = {
  unreadable: "IMPORT_FILE_UNREADABLE",
  tooLarge: "IMPORT_FILE_TOO_LARGE",
  tooManyRows: "IMPORT_TOO_MANY_LINES",
  empty: "IMPORT_FILE_EMPTY",
  columnTwice: "IMPORT_COLUMN_TWICE",
  missingColumn: "IMPORT_GROUP_COLUMN_MISSING",
};

function refusalOf({ reason, column, cause }: TableError): AppError {
  const isEmail = reason === "missingColumn" && column === "email";
  const code = isEmail ? "IMPORT_EMAIL_COLUMN_MISSING" : problems[reason];
  return new AppError(code, { details: reason === "columnTwice" && column ? { column } : undefined, cause });
}

async function* linesOf(events: AsyncIterable<ImportEvent>) {
  for await (const event of events) yield Buffer.from(`${JSON.stringify(event)}\n`);
}

async function resultOf(events: AsyncIterable<ImportEvent>): Promise<ImportResult> {
  let result: ImportResult | undefined;
  for await (const event of events) if ("result" in event) ({ result } = event);
  if (!result) throw new Error("An import ended without a result");
  return result;
}

async function* runImport(
  deps: ImportDeps,
  manager: Manager,
  imported: Imported,
  options: ImportOptions,
): AsyncGenerator<ImportEvent> {
  const lines = checkLines(imported.table.rows);
  const total = lines.length;
  const groups = new Map<string, ImportResult["groups"][number]>();
  const counts = () => {
    const failed = lines.filter(({ outcome }) => isRefused(outcome)).length;
    const added = lines.filter(({ outcome }) => outcome === "added").length;
    return { total, added, unchanged: total - waitingIn(lines) - added - failed, failed };
  };
  try {
    const joining = await findJoining(deps, manager, lines, options);
    for (let at = 0; at < joining.length; at += LINES_AT_ONCE) {
      yield { done: total - waitingIn(lines), total };
      const batch = joining.slice(at, at + LINES_AT_ONCE);
      await joinBatch(deps, manager, batch, options);
      for (const { line, group } of batch) {
        if (line.outcome !== "added") continue;
        const { name, isNew } = group;
        const row = groups.get(group.uuid) ?? { name, added: 0, is_new: isNew };
        groups.set(group.uuid, { ...row, added: row.added + 1 });
      }
    }
    yield { done: total, total };
    const result = { ...counts(), groups: [...groups.values()].toSorted((a, b) => a.name.localeCompare(b.name)) };
    yield { result: { ...result, ...(await detailsOf(deps, manager, imported, lines, options)) } };
  } finally {
    if (!options.isTrial)
      await deps.audit.record(deps.db, options.by, {
        action: "organization.import_users",
        subject: { kind: "organization", uuid: manager.organization },
        details: { ...counts(), not_reached: waitingIn(lines) },
      });
  }
}

const waitingIn = (lines: readonly ImportedLine[]) => lines.filter(({ outcome }) => outcome === "waiting").length;

/** A line whose person and group are known. */
interface Joining {
  line: ImportedLine;
  user: string;
  group: { uuid: string; name: string; isNew: boolean };
}

/** Finds people and groups of lines, all at once; what cannot be found is said in the line. Groups are created only for people who are there. */
async function findJoining(
  deps: ImportDeps,
  manager: Manager,
  lines: readonly ImportedLine[],
  { createsGroups, ...options }: ImportOptions,
): Promise<Joining[]> {
  const waiting = () => lines.filter(({ outcome }) => outcome === "waiting");
  const distinct = (texts: string[]) => [...new Set(texts)];
  const users = await findByAddress(deps.db, manager.organization, distinct(waiting().map(({ email }) => email)));
  for (const line of waiting()) if (!users.has(line.email)) line.outcome = "USER_NOT_FOUND";
  const names = distinct(waiting().map(({ group }) => group));
  const before = await groupsNamed(deps, manager, names);
  const isMissing = before.some(({ uuid }) => uuid === null);
  const now = createsGroups && isMissing ? await groupsMade(deps, manager, names, options) : before;
  const were = new Set(before.flatMap(({ uuid }) => uuid ?? []));
  const found = new Map(now.map((group) => [group.given, group]));
  const seen = new Set<string>();
  const joining: Joining[] = [];
  for (const line of waiting()) {
    const user = users.get(line.email);
    const { uuid, name } = found.get(line.group) ?? {};
    const key = `${user} ${uuid}`;
    if (!user || !uuid || !name) line.outcome = createsGroups ? "TOO_MANY_GROUPS" : "GROUP_NOT_FOUND";
    else if (seen.has(key)) line.outcome = "repeated";
    else joining.push({ line, user, group: { uuid, name, isNew: !were.has(uuid) } });
    seen.add(key);
  }
  return joining;
}

async function joinBatch(
  deps: ImportDeps,
  manager: Manager,
  batch: readonly Joining[],
  options: ImportOptions,
): Promise<void> {
  // Groups that a trial would create are not there.
  const isThere = ({ group }: Joining) => !(options.isTrial && group.isNew);
  const wanted = batch.filter(isThere).map(({ user, group }) => ({ user_uuid: user, group_uuid: group.uuid }));
  const joined = await joinGroups(deps, manager, wanted, options);
  for (const each of batch) each.line.outcome = isThere(each) ? said[joined.shift() ?? "stayed"] : "added";
}

const said = {
  joined: "added",
  stayed: "unchanged",
  USER_NOT_FOUND: "USER_NOT_FOUND",
  GROUP_NOT_FOUND: "GROUP_NOT_FOUND",
} as const;

async function detailsOf(
  { tables }: ImportDeps,
  { organization }: Manager,
  { name, kind, table }: Imported,
  lines: readonly ImportedLine[],
  options: ImportOptions,
): Promise<Pick<ImportResult, "failures" | "sheet" | "report">> {
  const content = await tables.write(organization, kind, "Report", reportOf(lines, options));
  const failures = lines.flatMap(({ outcome, ...line }) => (isRefused(outcome) ? [{ ...line, reason: outcome }] : []));
  return {
    failures: failures.slice(0, limits.importFailuresShown),
    sheet: table.sheet,
    report: {
      name: `${name.trim().slice(0, -kind.length - 1)} report.${kind}`,
      type: importTypes[kind],
      base64: Buffer.from(content).toString("base64"),
    },
  };
}
