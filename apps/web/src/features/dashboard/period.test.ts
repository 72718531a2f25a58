import { describe, expect, it } from "vitest";
import { readPeriod, wrongIn, writePeriod } from "./period.ts";

const TODAY = "2026-03-05";
const read = (address: string) => readPeriod(new URLSearchParams(address), TODAY);

describe("the period of an address", () => {
  it("is of so many days, with today", () => {
    expect(read("period=7")).toEqual({ name: "7", since: "2026-02-27", until: TODAY });
    expect(read("period=90")).toEqual({ name: "90", since: "2025-12-06", until: TODAY });
    expect(read("period=month")).toEqual({ name: "month", since: "2026-03-01", until: TODAY });
  });

  it("is thirty days if nothing else is said, or nothing that could be", () => {
    const usual = { since: "2026-02-04", until: TODAY };
    expect(read("")).toEqual({ name: "30", ...usual });
    expect(read("period=12")).toEqual({ name: "30", ...usual });
    for (const days of [
      "",
      "&since=x&until=y",
      "&since=2026-03-02&until=2026-03-01",
      "&since=2026-02-30&until=2026-03-01",
    ])
      expect(read(`period=custom${days}`)).toEqual({ name: "custom", ...usual });
  });

  it("is what was chosen", () => {
    const address = writePeriod(new URLSearchParams("a=b"), "custom", { since: "2026-01-01", until: "2026-01-31" });
    expect(address.toString()).toBe("a=b&period=custom&since=2026-01-01&until=2026-01-31");
    expect(readPeriod(address, TODAY)).toEqual({ name: "custom", since: "2026-01-01", until: "2026-01-31" });
    expect(writePeriod(address, "30", read("")).toString()).toBe("a=b");
    expect(writePeriod(address, "7", read("")).toString()).toBe("a=b&period=7");
  });
});

it("says what is wrong with days", () => {
  expect(wrongIn({ since: "2025-01-01", until: "2026-01-01" })).toBe(undefined);
  expect(wrongIn({ since: "2025-01-01", until: "2026-01-02" })).toBe("long");
  expect(wrongIn({ since: "2026-01-02", until: "2026-01-01" })).toBe("order");
  expect(wrongIn({ since: "", until: "2026-01-01" })).toBe("none");
  expect(wrongIn({ since: "1999-12-31", until: "2000-01-01" })).toBe("none");
});
