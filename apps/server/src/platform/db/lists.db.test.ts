import { type Kysely, sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../database/schema.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { Lists, type ListStatement, readPage } from "./lists.ts";
import { Reads } from "./reads.ts";

const plants: ListStatement = {
  columns: { name: "plants.name", height: "plants.height", sown_at: "plants.sown_at", note: "plants.note" },
  key: "plants.name",
  shown: "plants",
  found: "plants",
  where: "(given.v1 IS NULL OR plants.bed = given.v1::int)",
  orderBy: "plants.name",
};
interface Plant {
  name: string;
}

async function aGarden() {
  const { db, url } = await createTestDatabase();
  await sql`CREATE TABLE plants (bed int, name text, height bigint, sown_at timestamptz, note text)`.execute(db);
  const reads = new Reads(url, { max: 1 });
  onTestFinished(() => reads.stop());
  const sent: string[] = [];
  let last: unknown[] = [];
  const lists = new Lists({
    query: (text, values) => {
      sent.push(text);
      return reads.query(text, () => (last = typeof values === "function" ? values() : values));
    },
  });
  const names = async (bed: number | string | null, page = { limit: 10, offset: 0 }) => {
    const { count, results } = await lists.read<Plant>(plants, [bed], page);
    return [count, ...results.map(({ row }) => row.name)];
  };
  /** The values of the last query, a list for each parameter. */
  const given = () => last;
  return { db, sent, lists, names, given };
}

const plant = (db: Database, bed: number, ...names: string[]) =>
  Promise.all(names.map((name) => sql`INSERT INTO plants VALUES (${bed}, ${name})`.execute(db)));

describe("Lists", () => {
  it("reads rows with their types, however odd their text", async () => {
    const { db, lists } = await aGarden();
    const rows = [
      { name: 'a "fern", (tall) \\', height: 30, sown_at: new Date("2026-03-02T07:00:00.250Z"), note: "" },
      { name: "moss\n🌿", height: null, sown_at: null, note: null },
      { name: "山田　太郎", height: null, sown_at: null, note: "\u00a0\u3000" },
    ];
    for (const { name, height, sown_at, note } of rows)
      await sql`INSERT INTO plants VALUES (1, ${name}, ${height}, ${sown_at}, ${note})`.execute(db);
    const { results } = await lists.read(plants, [null], { limit: 10, offset: 0 });
    expect(results.map(({ row }) => row)).toEqual(rows);
  });

  it("counts all pages on each, also past the last", async () => {
    const { db, names } = await aGarden();
    await plant(db, 1, "fern", "ivy", "moss");
    expect(await names(1, { limit: 2, offset: 0 })).toEqual([3, "fern", "ivy"]);
    expect(await names(1, { limit: 2, offset: 2 })).toEqual([3, "moss"]);
    expect(await names(1, { limit: 2, offset: 4 })).toEqual([3]);
    expect(await names(2)).toEqual([0]);
  });

  it("sends lists that are read at once in one query, and gives each its own rows in order", async () => {
    const { db, sent, names } = await aGarden();
    await plant(db, 1, "ivy", "fern");
    await plant(db, 2, "palm", "moss");
    await names(1);
    sent.length = 0;
    const found = await Promise.all([names(2), names(3), names(1), names(null), names(1, { limit: 1, offset: 1 })]);
    expect(found).toEqual([
      [2, "moss", "palm"],
      [0],
      [2, "fern", "ivy"],
      [4, "fern", "ivy", "moss", "palm"],
      [2, "ivy"],
    ]);
    expect(sent).toHaveLength(1);
    await Promise.all(Array.from({ length: 17 }, (_, bed) => names(bed)));
    expect(sent).toHaveLength(3);
  });

  it("reads a list once for all who ask for it at once", async () => {
    const { db, sent, names, given } = await aGarden();
    await plant(db, 1, "fern");
    await names(1);
    sent.length = 0;
    const found = await Promise.all([...Array.from({ length: 40 }, () => names(1)), names(2)]);
    expect(found).toEqual([...Array.from({ length: 40 }, () => [1, "fern"]), [0]]);
    expect([sent.length, given()[0]]).toEqual([1, [1, 2]]);
  });

  it("reads anew for each who asks after a list was sent", async () => {
    const { db, names } = await aGarden();
    await plant(db, 1, "fern");
    expect(await names(1)).toEqual([1, "fern"]);
    await plant(db, 1, "ivy");
    expect(await names(1)).toEqual([2, "fern", "ivy"]);
  });

  it("fails one list alone", async () => {
    const { db, names } = await aGarden();
    await plant(db, 1, "fern");
    const found = await Promise.allSettled([names(1), names("no number"), names(1)]);
    expect(found).toMatchObject([
      { value: [1, "fern"] },
      { reason: { message: 'invalid input syntax for type integer: "no number"' } },
      { value: [1, "fern"] },
    ]);
  });

  it("tries a list again once for all who asked for it, and not what took too long", async () => {
    const { db, sent, names } = await aGarden();
    await plant(db, 1, "fern");
    await names(1);
    sent.length = 0;
    const found = await Promise.allSettled([...Array.from({ length: 40 }, () => names(1)), names("no number")]);
    expect([found[0], found[39], sent.length]).toMatchObject([{ value: [1, "fern"] }, { value: [1, "fern"] }, 3]);
    let asked = 0;
    const cancelled = Object.assign(new Error("canceling statement due to statement timeout"), { code: "57014" });
    const slow = new Lists({
      query: async (text) => {
        if (text.includes("pg_typeof")) return [];
        asked++;
        throw cancelled;
      },
    });
    const page = { limit: 1, offset: 0 };
    const late = await Promise.allSettled([1, 2, 1, 2].map((bed) => slow.read(plants, [bed], page)));
    expect([late.map(({ status }) => status), asked]).toEqual([Array.from({ length: 4 }, () => "rejected"), 1]);
  });

  it("tries again after the database could not be reached", async () => {
    const failures = [new Error("Connection terminated"), new Error("Connection terminated")];
    const { lists: working, db } = await aGarden();
    await plant(db, 1, "fern");
    await working.read(plants, [1], { limit: 1, offset: 0 });
    const lists = new Lists({ query: () => Promise.reject(failures.shift() ?? new Error("asked too often")) });
    for (let tries = 0; tries < 2; tries++)
      await expect(lists.read(plants, [1], { limit: 1, offset: 0 })).rejects.toThrow("Connection terminated");
  });
});

it("readPage reads what is shown for the rows of the page alone, in order, and counts all pages", async () => {
  const { db } = await aGarden();
  await plant(db, 1, "palm", "ivy", "fern", "moss");
  const garden = db as unknown as Kysely<{ plants: { bed: number; name: string } }>;
  const page = (found: number, offset: number) =>
    readPage(
      {
        found: garden.selectFrom("plants").where("bed", "=", found),
        shown: garden.selectFrom("plants").select("name"),
        key: "plants.name",
        orderBy: sql`plants.name DESC`,
      },
      { limit: 2, offset },
    );
  expect(await page(1, 0)).toEqual({ count: 4, results: [{ name: "palm" }, { name: "moss" }] });
  expect(await page(1, 2)).toEqual({ count: 4, results: [{ name: "ivy" }, { name: "fern" }] });
  expect(await page(1, 4)).toEqual({ count: 4, results: [] });
  expect(await page(2, 0)).toEqual({ count: 0, results: [] });
});
