import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp } from "./app.ts";
import { aCustom, anOrganization, aUser, type OwnedTable } from "./factories.ts";

interface OwnedRows {
  table: OwnedTable;
  /** The path of the list. */
  list: string;
  /** The path of one row. */
  get: (uuid: string) => string;
  notFound: string;
  /** Which rows each value of `source` includes for Robin: Robin's own, those of Robin's colleague Kim, the official ones. */
  sources: Record<string, { robins: boolean; kims: boolean; official: boolean }>;
}

interface Page {
  next: string | null;
  results: { name: string }[];
}

/** Tests for every noun whose rows are either official or owned by a member of an organization. */
export function describeOwnedRows({ table, list, get, notFound, sources }: OwnedRows): void {
  const people = async () => {
    const test = await createTestApp();
    const organization = await anOrganization(test.db);
    const [robin, kim] = [await test.as({ organization }), await test.as({ organization })];
    const robins = await aCustom(test.db, table, robin.user, { name: "Fern 100% green" });
    const kims = await aCustom(test.db, table, kim.user, { name: "Moss 100 green" });
    const strangers = await aCustom(test.db, table, await aUser(test.db), { name: "Fern of others" });
    const { count: official } = await test.db
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("is_official", "=", true)
      .executeTakeFirstOrThrow();
    const names = async (query: string) =>
      (await robin.get(`${list}?page_size=-1&${query}`)).json<Page>().results.map(({ name }) => name);
    const personOf = ({ uuid, email, first_name, last_name }: typeof robin.user) => ({
      uuid,
      email,
      first_name,
      last_name,
    });
    const owners = new Map([
      [robins, personOf(robin.user)],
      [kims, personOf(kim.user)],
    ]);
    return { ...test, robin, robins, kims, strangers, owners, official, names };
  };

  describe(`GET ${list}`, () => {
    it("lists the organization's own rows, then the official ones", async () => {
      const { names, official, robin } = await people();
      const all = await names("");
      expect(all.slice(0, 2).sort()).toEqual(["Fern 100% green", "Moss 100 green"]);
      expect(all).toHaveLength(official + 2);
      expect((await robin.get(list)).json().count).toBe(official + 2);
    });

    it.each(Object.entries(sources))("filters by source=%s", async (source, shown) => {
      const { names, official } = await people();
      const all = await names(`source=${source}`);
      expect(all.includes("Fern 100% green")).toBe(shown.robins);
      expect(all.includes("Moss 100 green")).toBe(shown.kims);
      expect(all.length).toBe(Number(shown.robins) + Number(shown.kims) + (shown.official ? official : 0));
    });

    it("refuses an unknown source", async () => {
      const { robin } = await people();
      expect((await robin.get(`${list}?source=theirs`)).json().code).toBe("invalid_request");
    });

    it("searches names literally, and identifiers", async () => {
      const { names, robins, strangers } = await people();
      expect(await names("search=FERN%20100")).toEqual(["Fern 100% green"]);
      expect(await names("search=100%25")).toEqual(["Fern 100% green"]);
      expect(await names(`search=${robins.toUpperCase()}`)).toEqual(["Fern 100% green"]);
      expect(await names(`search=${strangers}`)).toEqual([]);
      expect(await names("search=nothing%20has%20this%20name")).toEqual([]);
    });

    it("lists every row on one of the pages", async () => {
      const { robin, names } = await people();
      const pages: string[] = [];
      let query: string | null = "?page_size=7";
      while (query !== null) {
        const page: Page = (await robin.get(list + query)).json();
        expect(page.results.length).toBeLessThanOrEqual(7);
        pages.push(...page.results.map(({ name }) => name));
        query = page.next && new URL(page.next).search;
      }
      expect(pages).toEqual(await names(""));
    });

    it("lists official rows in the order of the catalogue", async () => {
      const { db, names } = await people();
      const rows = await db
        .selectFrom(table)
        .select("name")
        .where("is_official", "=", true)
        .orderBy("position")
        .execute();
      expect(await names("source=official")).toEqual(rows.map(({ name }) => name));
    });
  });

  describe(`GET ${get(":uuid")}`, () => {
    it("returns the rows of the list with their owners, and no others", async () => {
      const { robin, db, robins, kims, strangers, owners } = await people();
      const official = await db
        .selectFrom(table)
        .select("uuid")
        .where("is_official", "=", true)
        .executeTakeFirstOrThrow();
      for (const uuid of [robins, kims, official.uuid])
        expect((await robin.get(get(uuid))).json()).toMatchObject({
          uuid,
          is_official: uuid === official.uuid,
          owner: owners.get(uuid) ?? null,
        });
      for (const uuid of [strangers, randomUUID()]) {
        const answer = await robin.get(get(uuid));
        expect([answer.statusCode, answer.json().code]).toEqual([404, notFound]);
      }
    });
  });
}

const nothing = { robins: false, kims: false, official: false };
/** The sources of nouns that cannot be shared. */
export const ownedSources: OwnedRows["sources"] = {
  all: { robins: true, kims: true, official: true },
  official: { ...nothing, official: true },
  custom: { ...nothing, robins: true, kims: true },
  owner: { ...nothing, robins: true },
};
