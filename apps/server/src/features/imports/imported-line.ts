import { Email, type ImportRefusal, importRefusals, Name } from "@terrarium/contract";

/** A line of a file, and its outcome. */
export interface ImportedLine {
  line: number;
  email: string;
  group: string;
  outcome: Outcome;
}

/** `waiting` until it is known; `repeated` if an earlier line says the same. */
export type Outcome = "waiting" | "added" | "unchanged" | "repeated" | ImportRefusal;

export const isRefused = (outcome: Outcome): outcome is ImportRefusal =>
  (importRefusals as readonly Outcome[]).includes(outcome);

/** Looks at lines as far as that is possible without the database. Addresses are as accounts have them. */
export function checkLines(rows: readonly { line: number; email: string; group: string }[]): ImportedLine[] {
  return rows.map(({ line, email, group }) => {
    const address = Email.safeParse(email);
    const name = Name.safeParse(group);
    const outcome = ((): Outcome => {
      if (email === "") return "EMAIL_MISSING";
      if (!address.success) return "EMAIL_INVALID";
      if (group === "") return "GROUP_MISSING";
      return name.success ? "waiting" : "GROUP_NAME_INVALID";
    })();
    return { line, email: address.data ?? email, group: name.data ?? group, outcome };
  });
}
