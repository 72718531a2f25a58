import { type AuditRecord, listAudit } from "../features/audit/list-audit.ts";
import { type Verdict, verifyChain } from "../features/audit/chain.ts";
import { type Command, onDatabase, print } from "./command.ts";

const DEFAULT_COUNT = 50;

/** A record as a line: when, what, who, about whom, from where, and the rest. */
function lineOf({ at, action, outcome, actor, subject, address, details }: AuditRecord): string {
  const rest = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const words = [at, action, outcome, `by ${actor}`, subject && `on ${subject}`, address && `from ${address}`, ...rest];
  return words.filter(Boolean).join(" ");
}

export const auditCommands: readonly Command[] = [
  {
    name: "audit verify",
    usage: "audit verify [POSITION:HASH]",
    about: "whether a record was changed or deleted, also since an end that was noted",
    read: ({ words: [noted, ...rest], options }) => {
      const [, position, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(noted ?? "") ?? [];
      if (rest.length > 0 || (noted !== undefined && !hash)) return undefined;
      return onDatabase(async ({ db }) => {
        const verdict = await verifyChain(db, hash ? { position: Number(position), hash } : undefined);
        if (options.json) print([verdict], options);
        else for (const line of linesOf(verdict)) console.log(line);
        if (verdict.fault) process.exitCode = 1;
      });
    },
  },
  {
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
  },
];

const linesOf = ({ sealed, unsealed, end, fault }: Verdict): string[] => [
  fault ? `Not intact at position ${fault.position}: ${fault.says}.` : `Intact: ${sealed} records.`,
  ...(unsealed > 0 ? [`Not in the chain yet: ${unsealed}.`] : []),
  `It ends with ${end.position}:${end.hash}. Note that elsewhere, and verify it the next time.`,
];
