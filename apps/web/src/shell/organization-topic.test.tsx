import { QueryClient, type QueryKey } from "@tanstack/react-query";
import { expect, it } from "vitest";
import { aUser } from "../testing/factories.ts";
import { fakeService } from "../testing/fake-service.ts";
import { instanceTopic } from "../shared/instance-topic.ts";
import { organizationKey, signInRulesKey } from "../shared/organizations.queries.ts";
import { organizationTopic } from "./organization-topic.ts";

/** Which of what is cached would be asked for again. */
function cached() {
  const cache = new QueryClient();
  const keys = [organizationKey, signInRulesKey].map((key) => [...key, "1"]);
  for (const key of keys) cache.setQueryData(key, {});
  return {
    cache,
    asks: (again: readonly QueryKey[]) => {
      for (const queryKey of again) void cache.invalidateQueries({ queryKey });
    },
    stale: () => keys.filter((key) => cache.getQueryState(key)?.isInvalidated).map(([name]) => name),
  };
}

it("the sign-in rules are asked for again when the organization changes, and after a gap", () => {
  fakeService({ "GET /v1/users/:uuid": () => aUser() });
  const changed = cached();
  organizationTopic.apply(changed.cache, {} as never);
  expect(changed.stale()).toEqual(["organization", "sign-in-rules"]);
  const { asks, stale } = cached();
  asks(organizationTopic.refetch);
  expect(stale()).toEqual(["organization", "sign-in-rules"]);
});

it("the sign-in rules are not asked for again with each event of a device", () => {
  const { asks, stale } = cached();
  asks(instanceTopic.recount);
  expect(stale()).toEqual(["organization"]);
});
