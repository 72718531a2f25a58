import { describe, expect, it } from "vitest";
import { z } from "zod";
import { listOf, orderingOf, Paging, Uuid } from "./fields.ts";

describe("fields", () => {
  it("takes uuids of version 4 only", () => {
    expect(Uuid.safeParse("3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3a").success).toBe(true);
    expect(Uuid.safeParse("3f2b8f0e-8a55-1c39-9d6e-0d7a1c1f2b3a").success).toBe(false);
  });

  it("reads a repeated key and a comma list alike", () => {
    const arch = listOf(z.enum(["arm64", "x86"]));
    expect(arch.parse(["arm64", "x86"])).toEqual(["arm64", "x86"]);
    expect(arch.parse("arm64,x86")).toEqual(["arm64", "x86"]);
    expect(arch.safeParse("mips").success).toBe(false);
  });

  it.each(["created_at", "+created_at", " created_at", "%2Bcreated_at"])("reads ordering %j as ascending", (value) => {
    expect(orderingOf(["created_at"], "-created_at").parse(value)).toEqual({ field: "created_at", descending: false });
  });

  it("falls back to the list's own ordering", () => {
    expect(orderingOf(["created_at"], "-created_at").parse(undefined)).toEqual({
      field: "created_at",
      descending: true,
    });
  });

  it("pages from 1 by 12 and takes -1 for all", () => {
    expect(Paging.parse({})).toEqual({ page: 1, page_size: 12 });
    expect(Paging.parse({ page_size: "-1" }).page_size).toBe(-1);
  });

  it.each([{ page: "0" }, { page: "-1" }, { page: "1e9" }, { page: "1.5" }, { page_size: "-2" }, { page: "9999999" }])(
    "refuses %j",
    (query) => {
      expect(Paging.safeParse(query).success).toBe(false);
    },
  );
});
