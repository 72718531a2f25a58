import type { Database } from "../apps/server/src/database/schema.ts";
import { listRecipes, type RecipeFilter } from "../apps/server/src/features/recipes/recipes.store.ts";
import { benchLists } from "./support/list-bench.ts";
import { plansOfPages } from "./support/plans.ts";

/** Lists of recipes in an organization with up to 10,000, beside another one with as many. */

const PAGE = 12;

await benchLists({
  title: "Lists of recipes",
  path: "/v3/recipes",
  queries: (rows) => ({
    "first page": "",
    "last page": `page=${Math.ceil(rows / PAGE)}`,
    search: "search=99",
    "search for nothing": "search=zzz",
    "one architecture": "arch=arm64",
    "one form factor": "form_factor=PHONE",
    official: "source=official",
  }),
  async seed({ sql, from, to, owner, organization, other }) {
    await sql.query("ALTER TABLE recipes DISABLE TRIGGER USER");
    for (const whose of [{ owner, organization }, other])
      await sql.query(
        `INSERT INTO recipes (uuid, name, status, is_official, owner_uuid, organization_uuid, hardware_profile_uuid,
            os_image_uuid, created_at, updated_at)
          SELECT gen_random_uuid(), 'Recipe ' || n, 'READY', false, $1, $2, official.hardware_profile_uuid,
            official.os_image_uuid, now(), now()
          FROM generate_series($3::int, $4::int) AS n
          JOIN (SELECT *, row_number() OVER (ORDER BY position) AS at, count(*) OVER () AS count FROM recipes WHERE is_official)
            AS official ON official.at = n % count + 1`,
        [whose.owner, whose.organization, from + 1, to],
      );
    await sql.query("ALTER TABLE recipes ENABLE TRIGGER USER");
  },
  plans: (url, reader) => {
    const listed = (filter: Partial<RecipeFilter>) => (db: Database) =>
      listRecipes(db, reader, { source: "all", ...filter }, { limit: PAGE, offset: 0 });
    return plansOfPages(url, "recipes", {
      "any page": listed({}),
      search: listed({ search: "99" }),
      "one architecture": listed({ arch: ["arm64"] }),
    });
  },
});
