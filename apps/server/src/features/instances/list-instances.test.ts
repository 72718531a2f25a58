import { expect, it } from "vitest";
import type { Lists, ListStatement } from "../../platform/db/lists.ts";
import { listInstances } from "./list-instances.store.ts";

it("reads lists of one kind by one statement, and keeps no more statements than are of use", async () => {
  const read: ListStatement[] = [];
  const lists = {
    read: async (statement: ListStatement) => {
      read.push(statement);
      return { count: 0, results: [] };
    },
  } as unknown as Lists;
  const statementOf = async (kind: number, owner = "robin") => {
    const ordering = Array.from({ length: kind }, () => ({ field: "name", descending: false }) as const);
    await listInstances(lists, { of: { owner }, ordering }, { limit: 10, offset: 0 });
    return read.at(-1);
  };
  const kinds = Array.from({ length: 150 }, (_, kind) => kind);
  const statements: unknown[] = [];
  for (const kind of kinds) statements.push(await statementOf(kind));
  for (const kind of [148, 149]) expect(await statementOf(kind, "kim")).toBe(statements[kind]);
  expect(await statementOf(0)).not.toBe(statements[0]);
});
