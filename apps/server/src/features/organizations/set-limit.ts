import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { organizationCalled } from "./organization-called.ts";
import { setTerms } from "./set-terms.ts";

export const GIB = 1024 ** 3;

const Count = z.int().min(0).max(100_000);

/** What an organization may have a limited number of, by the operator's word for it. */
const columns = {
  devices: "instances_max",
  recipes: "recipes_max",
  "hardware-profiles": "hardware_profiles_max",
  "os-images": "os_images_max",
  "saved-gigabytes": "saved_bytes_max",
} as const;

export type Limited = keyof typeof columns;
export const limited = Object.keys(columns) as Limited[];

/**
 * Sets how many of something an organization may have: devices that run at once, for example.
 * @param called its uuid or its name
 * @throws Error that says why, if it is not clear which one is meant, or there is none
 */
export async function setLimit(
  deps: { db: Database; audit: Audit; by: By },
  called: string,
  count: number,
  what: Limited = "devices",
): Promise<void> {
  const max = Count.parse(count) * (what === "saved-gigabytes" ? GIB : 1);
  await setTerms(deps, await organizationCalled(deps.db, called), { [columns[what]]: max });
}
