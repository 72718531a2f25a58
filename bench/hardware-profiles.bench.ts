import type { Database } from "../apps/server/src/database/schema.ts";
import {
  type HardwareProfileFilter,
  listHardwareProfiles,
} from "../apps/server/src/features/hardware-profiles/hardware-profiles.store.ts";
import { benchLists } from "./support/list-bench.ts";
import { plansOfPages } from "./support/plans.ts";

/** Lists of hardware profiles in an organization with up to 10,000, beside another one with as many. */

const PAGE = 12;

await benchLists({
  title: "Lists of hardware profiles",
  path: "/v1/hardware-profiles",
  queries: (rows) => ({
    "first page": `page_size=${PAGE}`,
    "last page": `page_size=${PAGE}&page=${Math.floor(rows / PAGE)}`,
    search: `page_size=${PAGE}&search=99`,
    "search for nothing": `page_size=${PAGE}&search=zzz`,
    "newest first": `page_size=${PAGE}&ordering=-updated_at`,
    official: `page_size=${PAGE}&source=official`,
  }),
  async seed({ sql, from, to, owner, organization, other }) {
    for (const whose of [{ owner, organization }, other])
      await sql.query(
        `INSERT INTO hardware_profiles (uuid, name, is_official, owner_uuid, organization_uuid, form_factor, display_mode, displays,
            hw_navigation_keys, properties, cpu_count, ram_size, data_disk_size, created_at, updated_at)
          SELECT gen_random_uuid(), 'Profile ' || n, false, $1, $2, form_factor, display_mode, displays, hw_navigation_keys,
            properties, cpu_count, ram_size, data_disk_size, now(), now() - n * interval '1 second'
          FROM generate_series($3::int, $4::int) AS n, (SELECT * FROM hardware_profiles WHERE is_official ORDER BY position LIMIT 1)
            AS official`,
        [whose.owner, whose.organization, from + 1, to],
      );
  },
  plans: (url, reader) => {
    const listed = (filter: Partial<HardwareProfileFilter>) => (db: Database) =>
      listHardwareProfiles(
        db,
        reader,
        { source: "all", ordering: [{ field: "name", descending: false }], ...filter },
        { limit: PAGE, offset: 0 },
      );
    return plansOfPages(url, "hardware_profiles", { "any page": listed({}), search: listed({ search: "99" }) });
  },
});
