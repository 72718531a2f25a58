import { expect, it } from "vitest";
import { firstColumns } from "../../components/list/list-settings.ts";
import { columns } from "./columns.tsx";

const idsOf = (chosen: typeof columns) => chosen.map(({ id }) => id);

it("are twenty-three; four are always shown, and two more at first", () => {
  expect([columns.length, new Set(idsOf(columns)).size]).toEqual([23, 23]);
  expect(idsOf(columns.filter(({ shown }) => shown === "always"))).toEqual(["name", "state", "uuid", "recipeName"]);
  expect(firstColumns({ columns })).toEqual(["name", "state", "uuid", "recipeName", "owner", "updatedAt"]);
});

it("sort by five fields and no other, times with the newest first", () => {
  expect(columns.flatMap(({ sortBy, isNewestFirst }) => (sortBy ? [[sortBy, isNewestFirst ?? false]] : []))).toEqual([
    ["name", false],
    ["state", false],
    ["owner", false],
    ["updated_at", true],
    ["created_at", true],
  ]);
});
