import { type AuditRecord, listAudit } from "../features/audit/list-audit.ts";
import { type Command, onDatabase, print } from "./command.ts";

const DEFAULT_COUNT = 50;

/** A record as a line: when, what, who, about whom, from where, and the rest. */
function lineOf({ at, action, outcome, actor, subject, address, details }: AuditRecord): string {
  const rest = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const words = [at, action, outcome, `by ${actor}`, subject && `on ${subject}`, address && `from ${address}`, ...rest];
  return words.filter(Boolean).join(" ");
}

export const auditCommand: Command = {
  name: "audit",
  usage: "audit [COUNT] [--email EMAIL] [--json]",
  about: "who did what: the last 50 records, or COUNT",
  read: ({ words: [count, ...rest], options }) => {
    if ((count !== undefined && !/^[1-9]\d{0,5}$/.test(count)) || rest.length > 0) return undefined;
    return onDatabase(async ({ db }) => {
      const records = await listAudit(db, { count: Number(count ?? DEFAULT_COUNT), email: options.email });
      if (options.json) print(records, options);
      else for (const record of records) console.log(lineOf(record));
    });
  },
};
