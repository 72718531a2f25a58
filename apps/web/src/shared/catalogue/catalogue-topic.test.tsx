import { QueryClient } from "@tanstack/react-query";
import type { CatalogueChange } from "@terrarium/contract";
import { expect, it } from "vitest";
import { anId, anInstance, aRecipe } from "../../testing/factories.ts";
import { instanceKeys, withNews } from "../instance-cache.ts";
import { withStatus } from "./catalogue-news.ts";
import { catalogueTopic } from "./catalogue-topic.ts";

const recipe = aRecipe({ name: "ours" });
const other = aRecipe();
const saving: CatalogueChange = { uuid: recipe.uuid, status: "UPDATING", revision: 2 };
const page = { count: 2, results: [other, recipe] };
const deviceOf = (uuid: string, revision = 1) => {
  const device = anInstance();
  return { ...device, recipe: device.recipe && { ...device.recipe, uuid, revision } };
};

it("changes a recipe in lists, in pages of lists and on its own, and every device's recipe", () => {
  const cache = new QueryClient();
  cache.setQueryData(["recipes", "list"], page);
  cache.setQueryData(["recipes", "pages"], { pages: [page], pageParams: [1] });
  cache.setQueryData(["recipes", "one", recipe.uuid], recipe);
  cache.setQueryData([...instanceKeys.lists, 1], {
    count: 3,
    results: [deviceOf(recipe.uuid), deviceOf(recipe.uuid), deviceOf(other.uuid)],
  });
  cache.setQueryData(instanceKeys.one("d"), deviceOf(recipe.uuid));
  catalogueTopic.apply(cache, saving);
  const statuses = (key: readonly unknown[]) =>
    JSON.stringify(cache.getQueryData(key))
      .match(/"status":"[A-Z]+","revision":\d/g)
      ?.map((each) => each.split('"')[3]);
  const [ready, updating] = ["READY", "UPDATING"];
  // A recipe has an image, which has a status too.
  expect(cache.getQueryData<typeof page>(["recipes", "list"])?.results.map(({ status }) => status)).toEqual([
    ready,
    updating,
  ]);
  expect(statuses(["recipes", "pages"])).toContain(updating);
  expect(cache.getQueryData(["recipes", "one", recipe.uuid])).toEqual({ ...recipe, status: updating, revision: 2 });
  expect(statuses([...instanceKeys.lists, 1])).toEqual([updating, updating, ready]);
  expect(statuses(instanceKeys.one("d"))).toEqual([updating]);
});

it("changes an image inside of its recipes", () => {
  const change: CatalogueChange = { uuid: recipe.os_image.uuid, status: "ERROR", revision: 2 };
  expect(withStatus(page, change)).toEqual({
    count: 2,
    results: [other, { ...recipe, os_image: { ...recipe.os_image, status: "ERROR", revision: 2 } }],
  });
});

it("takes what is gone out of lists and pages at once, and counts without it", () => {
  const cache = new QueryClient();
  const hidden = { count: 30, results: [other] };
  cache.setQueryData(["recipes", "list"], page);
  cache.setQueryData(["recipes", "list", "elsewhere"], hidden, { updatedAt: 1 });
  cache.setQueryData(["recipes", "pages"], { pages: [page, hidden], pageParams: [1, 2] });
  cache.setQueryData(["recipes", "shelf"], [recipe, other]);
  cache.setQueryData([...instanceKeys.lists, 1], { count: 1, results: [deviceOf(recipe.uuid)] });
  catalogueTopic.apply(cache, { ...saving, status: "READY", revision: 3, is_gone: true });
  const left = { count: 1, results: [other] };
  expect(cache.getQueryData(["recipes", "list"])).toEqual(left);
  expect(cache.getQueryState(["recipes", "list", "elsewhere"])?.dataUpdatedAt).toBe(1);
  expect(cache.getQueryData(["recipes", "pages"])).toEqual({ pages: [left, hidden], pageParams: [1, 2] });
  expect(cache.getQueryData(["recipes", "shelf"])).toEqual([other]);
  // A device that was started from it runs on, and says from what.
  expect(cache.getQueryData<typeof page>([...instanceKeys.lists, 1])?.results).toHaveLength(1);
});

it.each([1, 2])("keeps what it knows when revision %i comes late, and everything of others", (revision) => {
  const known = { count: 1, results: [{ ...recipe, revision: 2 }, other] };
  expect(withStatus(known, { ...saving, revision })).toBe(known);
  expect(withStatus(known, { ...saving, uuid: anId() })).toBe(known);
});

it("leaves old data old where nothing changes", () => {
  const cache = new QueryClient();
  cache.setQueryData(["recipes", "list"], page, { updatedAt: 1 });
  catalogueTopic.apply(cache, { ...saving, uuid: anId() });
  expect(cache.getQueryState(["recipes", "list"])?.dataUpdatedAt).toBe(1);
});

it("brings a device up to date whose recipe changed while the answer was on its way, and keeps a newer answer", () => {
  const uuid = anId();
  catalogueTopic.apply(new QueryClient(), { uuid, status: "ERROR", revision: 3 });
  catalogueTopic.apply(new QueryClient(), { uuid, status: "UPDATING", revision: 2 });
  expect(withNews(deviceOf(uuid)).recipe?.status).toBe("ERROR");
  const newer = deviceOf(uuid, 4);
  expect(withNews(newer)).toBe(newer);
});
