import { describe, expect, it } from "vitest";
import type { Row } from "../support/rows-verdict.ts";
import { aPart, aSample } from "./testing.ts";
import { areDescriptorsLevel, descriptorsLeft, devicesAstray, growthsOf } from "./verdict.ts";

const MEGABYTE = 1024 ** 2;

describe("descriptorsLeft", () => {
  const before = aSample({ gateway: aPart({ descriptors: 40 }), hosts: aPart({ descriptors: 60, processes: 2 }) });

  it("accepts what pools open, for each process", () => {
    const after = aSample({ gateway: aPart({ descriptors: 50 }), hosts: aPart({ descriptors: 80, processes: 2 }) });
    expect(descriptorsLeft(before, after)).toEqual([]);
    expect(areDescriptorsLevel(before, after)).toBe(true);
  });

  it("names the part that has more", () => {
    const after = aSample({ gateway: aPart({ descriptors: 51 }), hosts: aPart({ descriptors: 81, processes: 2 }) });
    expect(descriptorsLeft(before, after)).toEqual([
      "gateway: 40 descriptors before, 51 after",
      "hosts: 60 descriptors before, 81 after",
    ]);
    expect(areDescriptorsLevel(before, after)).toBe(false);
  });
});

describe("growthsOf", () => {
  const first = aSample(
    { server: aPart({ bytes: 100 * MEGABYTE, heapBytes: 40 * MEGABYTE }) },
    { viewers: 1000, starts: 100 },
  );
  const after = (server: { bytes: number; heapBytes: number }) =>
    growthsOf(
      first,
      aSample(
        { server: aPart({ bytes: server.bytes * MEGABYTE, heapBytes: server.heapBytes * MEGABYTE }) },
        { viewers: 3000, starts: 600 },
      ),
    ).filter(({ part }) => part === "server");

  it("says how memory and heap have grown for each thousand viewers, and starts", () => {
    expect(after({ bytes: 110, heapBytes: 41 })).toEqual([
      {
        ...{ part: "server", kind: "memory", from: 100 * MEGABYTE, to: 110 * MEGABYTE },
        ...{ perThousandViewers: 5 * MEGABYTE, perThousandStarts: 20 * MEGABYTE, isTooMuch: false },
      },
      {
        ...{ part: "server", kind: "heap", from: 40 * MEGABYTE, to: 41 * MEGABYTE },
        ...{ perThousandViewers: 0.5 * MEGABYTE, perThousandStarts: 2 * MEGABYTE, isTooMuch: false },
      },
    ]);
  });

  it("finds what grows too much", () => {
    expect(after({ bytes: 201, heapBytes: 40 }).map(({ isTooMuch }) => isTooMuch)).toEqual([true, false]);
    expect(after({ bytes: 100, heapBytes: 53 }).map(({ isTooMuch }) => isTooMuch)).toEqual([false, true]);
  });

  it("leaves out a heap that is not known", () => {
    expect(growthsOf(first, first).map(({ part, kind }) => `${part} ${kind}`)).toEqual([
      "server memory",
      "server heap",
      "gateway memory",
      "hosts memory",
      "postgres memory",
    ]);
  });
});

describe("devicesAstray", () => {
  const rows = (...states: Row["state"][]) => ({
    rows: states.map((state, index): Row => ({ uuid: `d${index}`, name: `key ${index}`, state, machine: null })),
    history: [],
    ports: new Set<number>(),
  });

  it("accepts what runs, and what was stopped and has ended", () => {
    expect(devicesAstray({ stopped: new Set(["d1"]) }, rows("ONLINE", "DELETED"))).toEqual([]);
  });

  it("finds what ended by itself, and what was stopped and has not ended", () => {
    expect(devicesAstray({ stopped: new Set(["d1"]) }, rows("ERROR", "STOPPING"))).toEqual([
      "d0 is ERROR, and was never stopped",
      "d1 is STOPPING, and was stopped",
    ]);
  });
});
