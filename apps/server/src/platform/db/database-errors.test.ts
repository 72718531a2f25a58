import { describe, expect, it } from "vitest";
import { isConflict, isDuplicate, isUnavailable, sqlState } from "./database-errors.ts";

const failure = (code: string, more = {}) => Object.assign(new Error("as the driver throws it"), { code, ...more });

describe("sqlState", () => {
  it("distinguishes PostgreSQL's codes from Node's, which may have five letters too", () => {
    expect(sqlState(failure("23505"))).toBe("23505");
    expect(sqlState(failure("EPIPE"))).toBeUndefined();
    expect(sqlState(new Error("23505"))).toBeUndefined();
    expect(sqlState(undefined)).toBeUndefined();
  });
});

describe("isUnavailable", () => {
  it.each(["57P01", "57P03", "53300", "53100", "08006", "ECONNREFUSED", "EPIPE", "ENOENT"])(
    "is true for %s",
    (code) => {
      expect(isUnavailable(failure(code))).toBe(true);
    },
  );

  it("recognises errors of the driver without a code, also as the cause of another", () => {
    const lost = new Error("Connection terminated unexpectedly");
    expect(isUnavailable(lost)).toBe(true);
    expect(isUnavailable(new Error("Query failed", { cause: lost }))).toBe(true);
    expect(isUnavailable(new Error("timeout exceeded when trying to connect"))).toBe(true);
  });

  it.each(["23505", "42P01", "40001", "57014"])("is false for %s, which a retry would not help", (code) => {
    expect(isUnavailable(failure(code))).toBe(false);
  });
});

it("isConflict is true for deadlocks and serialization failures only", () => {
  expect(["40001", "40P01", "23505", "55P03"].map((code) => isConflict(failure(code)))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it("isDuplicate can check for one constraint", () => {
  const taken = failure("23505", { constraint: "users_email_key" });
  expect([isDuplicate(taken), isDuplicate(taken, "users_email_key"), isDuplicate(taken, "other_key")]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isDuplicate(failure("23503"))).toBe(false);
});
