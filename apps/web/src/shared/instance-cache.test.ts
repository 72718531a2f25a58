import { type Instance, type InstanceChange, instancePhases } from "@terrarium/contract";
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, describe, expect, it } from "vitest";
import {
  applyChange,
  instanceKeys,
  type InstancePage,
  mergeChange,
  mergeIntoPage,
  withNews,
} from "./instance-cache.ts";
import { newDevices } from "./new-devices.ts";

const device = (fields: Partial<Instance>): Instance =>
  ({ uuid: "a", name: "one", state: "BOOTING", revision: 3, updated_at: "t3", ...fields }) as Instance;
const change = (fields: Partial<InstanceChange>): InstanceChange =>
  ({
    uuid: "a",
    owner_uuid: "o",
    name: "one",
    state: "ONLINE",
    revision: 4,
    updated_at: "t4",
    ...fields,
  }) as InstanceChange;

describe("mergeChange", () => {
  it("takes state and time of a higher revision, and keeps what events do not carry", () => {
    const known = device({ gpu: "software" });
    expect(mergeChange(known, change({}))).toEqual({ ...known, state: "ONLINE", revision: 4, updated_at: "t4" });
  });

  it.each([3, 2])("keeps what it knows when revision %i comes late", (revision) => {
    const known = device({});
    expect(mergeChange(known, change({ revision }))).toBe(known);
  });

  it("leaves other devices alone", () => {
    const known = device({ uuid: "b" });
    expect(mergeChange(known, change({}))).toBe(known);
  });
});

describe("mergeIntoPage", () => {
  it("changes one row in place and keeps the others as they are", () => {
    const page: InstancePage = { count: 2, results: [device({ uuid: "b" }), device({})] };
    const next = mergeIntoPage(page, change({}));
    expect(next.results.map(({ uuid, state }) => `${uuid} ${state}`)).toEqual(["b BOOTING", "a ONLINE"]);
    expect(next.results[0]).toBe(page.results[0]);
  });

  it("is the same page when nothing changed, so that nothing renders", () => {
    const page: InstancePage = { count: 1, results: [device({ revision: 9 })] };
    expect(mergeIntoPage(page, change({}))).toBe(page);
  });
});

it("applyChange reaches every cached list and the single device, and says whether a list shows it", () => {
  const cache = new QueryClient();
  cache.setQueryData([...instanceKeys.lists, { page: 1 }], { count: 1, results: [device({})] });
  cache.setQueryData([...instanceKeys.lists, { page: 2 }], { count: 1, results: [device({ uuid: "b" })] });
  cache.setQueryData(instanceKeys.one("c"), device({ uuid: "c" }));
  expect(applyChange(cache, change({}))).toBe(true);
  expect(applyChange(cache, change({ uuid: "c" }))).toBe(false);
  expect(cache.getQueryData<InstancePage>([...instanceKeys.lists, { page: 1 }])?.results[0]?.state).toBe("ONLINE");
  expect(cache.getQueryData<Instance>(instanceKeys.one("c"))?.state).toBe("ONLINE");
});

describe("newDevices", () => {
  beforeEach(() => newDevices.clear());

  it("counts a running device once, and forgets it when it ends", () => {
    newDevices.hear(change({ state: "CREATING" }));
    newDevices.hear(change({ state: "STARTING" }));
    newDevices.hear(change({ uuid: "b", state: "BOOTING" }));
    newDevices.hear(change({ uuid: "b", state: "ONLINE" }));
    expect(newDevices.read().map(({ uuid }) => uuid)).toEqual(["a", "b"]);
    newDevices.hear(change({ state: "DELETED" }));
    newDevices.hear(change({ uuid: "c", state: "ERROR" }));
    expect(newDevices.read().map(({ uuid }) => uuid)).toEqual(["b"]);
  });

  it.each([...instancePhases.starting, ...instancePhases.online, ...instancePhases.windingDown])(
    "counts a device that is first heard of when it is %s",
    (state) => {
      newDevices.hear(change({ state }));
      expect(newDevices.read()).toHaveLength(1);
    },
  );

  it.each([...instancePhases.finished, "DELETED" as const])("does not count one that is %s", (state) => {
    newDevices.hear(change({ state }));
    expect(newDevices.read()).toEqual([]);
  });
});

describe("withNews", () => {
  it("brings an answer up to date that an event overtook on its way", () => {
    const cache = new QueryClient();
    const uuid = "overtaken";
    applyChange(cache, change({ uuid, revision: 5, state: "ONLINE" }));
    applyChange(cache, change({ uuid, revision: 4, state: "BOOTING" }));
    expect(withNews(device({ uuid, revision: 3, state: "STARTING" }))).toMatchObject({ revision: 5, state: "ONLINE" });
  });

  it("leaves a newer answer as it is", () => {
    const uuid = "ahead";
    applyChange(new QueryClient(), change({ uuid, revision: 5 }));
    const known = device({ uuid, revision: 6, state: "STOPPING" });
    expect(withNews(known)).toBe(known);
  });
});
