import type { CatalogueChange } from "@terrarium/contract";
import { Latest } from "../latest.ts";

/** What was last heard of recipes and OS images. */
export const latestOfCatalogue = new Latest<CatalogueChange>();

/**
 * Data with the new status of a recipe or an OS image, wherever in it that stands: in lists and pages, on its own, or as a part of
 * something else. What has a revision that is as high keeps its status; data without a change is the same object.
 */
export function withStatus<Data>(data: Data, change: CatalogueChange): Data {
  if (typeof data !== "object" || data === null) return data;
  if ("uuid" in data && data.uuid === change.uuid && "status" in data && "revision" in data)
    return Number(data.revision) < change.revision ? { ...data, ...change } : data;
  const next = Object.entries(data).map(([key, value]) => [key, withStatus<unknown>(value, change)] as const);
  if (next.every(([key, value]) => value === (data as Record<string, unknown>)[key])) return data;
  return (Array.isArray(data) ? next.map(([, value]) => value) : Object.fromEntries(next)) as Data;
}
