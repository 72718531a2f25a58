import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Flag, GivenUuid, isIdentifierIssue, listOf, orderingOf, Paging, Uuid } from "./fields.ts";

const [v4, v1] = ["3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3a", "3f2b8f0e-8a55-1c39-9d6e-0d7a1c1f2b3a"];

describe("fields", () => {
  it("accepts only version 4 UUIDs in replies", () => {
    expect(Uuid.safeParse(v4).success).toBe(true);
    expect(Uuid.safeParse(v1).success).toBe(false);
  });

  it("accepts UUIDs of any version in requests, and marks the issue of a malformed one", () => {
    expect(GivenUuid.parse(v1)).toBe(v1);
    expect(GivenUuid.parse(v4.toUpperCase())).toBe(v4);
    expect(GivenUuid.safeParse("abc").error?.issues.map(isIdentifierIssue)).toEqual([true]);
    expect(z.uuidv4().safeParse("abc").error?.issues.map(isIdentifierIssue)).toEqual([false]);
  });

  it("reads repeated keys and comma-separated lists", () => {
    const arch = listOf(z.enum(["arm64", "x86"]));
    expect(arch.parse(["arm64", "x86"])).toEqual(["arm64", "x86"]);
    expect(arch.parse("arm64,x86")).toEqual(["arm64", "x86"]);
    expect(arch.safeParse("mips").success).toBe(false);
    expect(arch.safeParse({ 0: "x86" }).success).toBe(false);
  });

  it.each(["", ",", ["", ""], undefined])("ignores the empty list %j", (value) => {
    expect(listOf(z.enum(["arm64"])).parse(value)).toBe(undefined);
  });

  it("limits the length of a list", () => {
    expect(listOf(z.string(), 2).safeParse("a,b,c").success).toBe(false);
  });

  it.each([["true", true] as const, ["false", false] as const, [true, true] as const])(
    "reads the flag %j",
    (value, is) => {
      expect(Flag.parse(value)).toBe(is);
    },
  );

  it.each(["", "1", "yes", "TRUE"])("refuses the flag %j", (value) => {
    expect(Flag.safeParse(value).success).toBe(false);
  });

  it.each(["created_at", "+created_at", " created_at", "%2Bcreated_at"])("reads ordering %j as ascending", (value) => {
    const ordering = orderingOf(["created_at"], "-created_at");
    expect(ordering.parse(value)).toEqual([{ field: "created_at", descending: false }]);
  });

  it("reads several columns, each with a direction", () => {
    const ordering = orderingOf(["created_at", "email", "name"], "created_at");
    expect(ordering.parse("-created_at,+email,%2bname")).toEqual([
      { field: "created_at", descending: true },
      { field: "email", descending: false },
      { field: "name", descending: false },
    ]);
  });

  it.each(["", ",", "created_at,", "password", "created_at,password", "--email", "email,email,email"])(
    "refuses the ordering %j",
    (value) => {
      expect(orderingOf(["created_at", "email"], "email").safeParse(value).success).toBe(false);
    },
  );

  it("has a default ordering", () => {
    expect(orderingOf(["created_at"], "-created_at").parse(undefined)).toEqual([
      { field: "created_at", descending: true },
    ]);
  });

  it("has page 1 with 12 rows by default, and accepts -1 for all", () => {
    expect(Paging.parse({})).toEqual({ page: 1, page_size: 12 });
    expect(Paging.parse({ page: 2, page_size: "-1" })).toEqual({ page: 2, page_size: -1 });
  });

  it.each([
    { page: "0" },
    { page: "-1" },
    { page: "1e9" },
    { page: "1.5" },
    { page: "" },
    { page_size: "0" },
    { page_size: "-2" },
    { page: "9999999" },
  ])("refuses %j", (query) => {
    expect(Paging.safeParse(query).success).toBe(false);
  });
});
