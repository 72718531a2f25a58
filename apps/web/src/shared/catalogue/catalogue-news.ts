import type { CatalogueChange } from "@terrarium/contract";
import { Latest } from "../latest.ts";

/** The latest changes of recipes and OS images. */
export const latestOfCatalogue = new Latest<CatalogueChange>();

/**
 * Data with the new status of a recipe or an OS image, wherever in it that stands: in lists and pages, on its own, or as a part of
 * something else. What has a revision that is as high stays as it is; data without a change is the same object.
 */
export function withStatus<Data>(data: Data, change: CatalogueChange): Data {
  if (typeof data !== "object" || data === null) return data;
  if ("uuid" in data && data.uuid === change.uuid && "status" in data && "revision" in data)
    return Number(data.revision) < change.revision
      ? { ...data, status: change.status, revision: change.revision }
      : data;
  const next = Object.entries(data).map(([key, value]) => [key, withStatus<unknown>(value, change)] as const);
  if (next.every(([key, value]) => value === (data as Record<string, unknown>)[key])) return data;
  return (Array.isArray(data) ? next.map(([, value]) => value) : Object.fromEntries(next)) as Data;
}

/** Lists and pages without something that whoever looks may no longer use. Data that did not have it is the same object. */
export function without<Data>(data: Data, uuid: string): Data {
  if (typeof data !== "object" || data === null) return data;
  if (Array.isArray(data)) {
    const isSame = (item: unknown) => typeof item === "object" && item !== null && "uuid" in item && item.uuid === uuid;
    const left = data.filter((item) => !isSame(item)).map((item: unknown) => without(item, uuid));
    return (left.length === data.length && left.every((item, at) => item === data[at]) ? data : left) as Data;
  }
  if ("pages" in data) {
    const pages = without(data.pages, uuid);
    return pages === data.pages ? data : { ...data, pages };
  }
  if (!("results" in data) || !("count" in data)) return data;
  const results = without(data.results, uuid);
  return results === data.results ? data : { ...data, results, count: Number(data.count) - 1 };
}
