import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.ts";

describe("readSettings", () => {
  it("needs nothing: an embedded database, demo accounts, every role", () => {
    expect(readSettings({})).toMatchObject({
      port: 8080,
      embedded: true,
      demo: true,
      roles: ["api", "realtime", "jobs", "gateway"],
      runtimes: ["simulator"],
    });
  });

  it.each([
    { TERRARIUM_DEMO: "off" },
    { DATABASE_URL: "postgres://db/x" },
    { NODE_ENV: "production" },
    { DATABASE_URL: "postgres://db/x", TERRARIUM_DEMO: "on" },
  ])("has no demo accounts with %j", (environment) => {
    expect(readSettings(environment).demo).toBe(false);
  });

  it("takes an empty variable for one that is not set", () => {
    expect(readSettings({ DATABASE_URL: "", PORT: "" })).toMatchObject({ embedded: true, port: 8080 });
  });

  it.each([
    { PORT: "70000" },
    { PORT: "http" },
    { DATABASE_URL: "mysql://x" },
    { TERRARIUM_ROLES: "api,chef" },
    { TERRARIUM_DEMO: "maybe" },
  ])("refuses %j", (environment) => {
    expect(() => readSettings(environment)).toThrow(Object.keys(environment)[0]);
  });
});
