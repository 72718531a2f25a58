import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { requestState } from "./request-state.ts";

it.each([
  ["FINISHED_OK", () => Promise.resolve("devices")],
  ["FINISHED_ERROR", () => Promise.reject(new Error("gone"))],
])("goes from NOT_STARTED over PENDING to %s", async (end, queryFn) => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const observer = new QueryObserver(client, { queryKey: ["devices"], queryFn, enabled: false });
  const seen = [requestState(observer.getCurrentResult())];
  observer.subscribe((result) => seen.push(requestState(result)));
  await observer.refetch();
  expect([...new Set(seen)]).toEqual(["NOT_STARTED", "PENDING", end]);
});
