import { describe, expect, it } from "vitest";
import type { Row } from "../support/rows-verdict.ts";
import { aPart, aSample } from "./testing.ts";
import { areDescriptorsLevel, descriptorsLeft, devicesAstray, growthsOf, restartsOf } from "./verdict.ts";

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

it("finds a part whose process has ended", () => {
  const before = aSample({ server: aPart({ pid: 1 }), gateway: aPart({ pid: 2 }) });
  const after = aSample({ server: aPart({ pid: 1 }), gateway: aPart({ pid: 3 }) });
  expect(restartsOf(before, before)).toEqual([]);
  expect(restartsOf(before, after)).toEqual(["gateway: process 2 before, 3 after"]);
});

describe("growthsOf", () => {
  /** Eight samples, two in each quarter, of a server with these megabytes. */
  const grown = (bytes: number[], heap?: number[]) =>
    growthsOf(
      bytes.map((megabytes, index) =>
        aSample(
          {
            server: aPart({
              bytes: megabytes * MEGABYTE,
              ...(heap && { heapBytes: (heap[index] ?? 0) * MEGABYTE }),
            }),
          },
          { viewers: 500 * index, starts: 100 * index },
        ),
      ),
    ).filter(({ part }) => part === "server");

  it("says how much the least of a quarter has grown since the second, for each thousand viewers and starts", () => {
    expect(grown([500, 10, 900, 100, 0, 0, 110, 700], [0, 0, 40, 50, 0, 0, 90, 41])).toEqual([
      {
        part: "server",
        kind: "memory",
        from: 100 * MEGABYTE,
        to: 110 * MEGABYTE,
        perThousandViewers: 5 * MEGABYTE,
        perThousandStarts: 25 * MEGABYTE,
        isTooMuch: false,
      },
      {
        part: "server",
        kind: "heap",
        from: 40 * MEGABYTE,
        to: 41 * MEGABYTE,
        perThousandViewers: 0.5 * MEGABYTE,
        perThousandStarts: 2.5 * MEGABYTE,
        isTooMuch: false,
      },
    ]);
  });

  it("finds what grows too much", () => {
    const flat = Array.from({ length: 8 }, () => 40);
    const tooMuch = (bytes: number[], heap: number[]) => grown(bytes, heap).map(({ isTooMuch }) => isTooMuch);
    expect(tooMuch([0, 0, 40, 40, 0, 0, 141, 141], flat)).toEqual([true, false]);
    expect(tooMuch(flat, [0, 0, 40, 40, 0, 0, 53, 53])).toEqual([false, true]);
  });

  it("leaves out a heap that is not known", () => {
    expect(grown([1, 2, 3, 4, 5, 6, 7, 8]).map(({ kind }) => kind)).toEqual(["memory"]);
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
