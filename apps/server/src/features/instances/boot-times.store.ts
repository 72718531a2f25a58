import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** Of all images; each snapshot has to be unpacked. */
const NEWEST = 5000;
/** Notes with each image how long those of the newest devices that are made of it took from their start until they were online. */
export async function updateBootTimes(db: Database, since: Date): Promise<void> {
  // A device that was handed out is online as soon as it starts, which says nothing about its image. A difference of less than a tenth is
  // not worth sending to everybody's open pages.
  const differs = (column: string, measured: string) =>
    sql`(${sql.ref(column)} IS NULL OR 10 * abs(${sql.ref(measured)} - ${sql.ref(column)}) > ${sql.ref(measured)})`;
  await sql`
    WITH boots AS (
      SELECT (snapshot #>> '{osImage,uuid}')::uuid AS image, 1000 * extract(epoch FROM online_at - created_at) AS ms
      FROM instances WHERE online_at >= ${since} AND online_at > created_at ORDER BY online_at DESC LIMIT ${NEWEST}
    ), measured AS (
      SELECT image, percentile_disc(0.5) WITHIN GROUP (ORDER BY ms)::integer AS p50,
        percentile_disc(0.95) WITHIN GROUP (ORDER BY ms)::integer AS p95
      FROM boots GROUP BY image
    )
    UPDATE os_images SET boot_p50_ms = p50, boot_p95_ms = p95 FROM measured
    WHERE uuid = image AND (${differs("boot_p50_ms", "p50")} OR ${differs("boot_p95_ms", "p95")})
  `.execute(db);
}
