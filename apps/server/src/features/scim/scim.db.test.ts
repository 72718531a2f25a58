import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { SCIM_PATH } from "../provisioning/provisioning.ts";
import { requestsOfDirectory } from "./scim.ts";
import { aPerson, said, scimWith, withDirectory } from "./testing/directory.ts";

const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";

describe("the SCIM service", () => {
  it("answers to a provisioning token alone", async () => {
    const test = await withDirectory();
    const { manager, app, token, call } = test;
    const made = await manager.post("/v1/api-tokens", { description: "ci", scope: "admin" });
    const apiToken = made.json<{ token: string }>().token;
    for (const other of [undefined, "", "tp_wrong", apiToken, manager.token, `${token}x`]) {
      const refused = await scimWith(test, other)("GET", "/Users");
      expect([other, refused.statusCode, refused.json()]).toEqual([
        other,
        401,
        { schemas: [ERROR], status: "401", detail: "Send a provisioning token of your organization as Bearer." },
      ]);
    }
    const asApiToken = { "x-api-token": apiToken };
    expect((await app.http.inject({ url: `${SCIM_PATH}/Users`, headers: asApiToken })).statusCode).toBe(401);
    // Which can do nothing else.
    const asOthers: Record<string, string>[] = [{ authorization: `Bearer ${token}` }, { "x-api-token": token }];
    for (const headers of asOthers)
      for (const path of ["/v2/instances", "/v1/audit", `/v1/users/${manager.user.uuid}`])
        expect([path, (await call("GET", path, { headers })).statusCode]).toEqual([path, 401]);
  });

  it("refuses a token from the moment that it is revoked, and records who tries", async () => {
    const { scim, manager, path, tokenUuid, app, db } = await withDirectory();
    expect((await scim("GET", "/Users")).statusCode).toBe(200);
    expect((await manager.delete(`${path}/tokens/${tokenUuid}`)).statusCode).toBe(204);
    const refused = await scim("POST", "/Users", aPerson("robin"));
    expect([refused.statusCode, refused.headers["www-authenticate"]]).toEqual([401, "Bearer"]);
    await app.stop();
    const records = await db.selectFrom("audit_records").selectAll().where("outcome", "=", "refused").execute();
    expect(records).toMatchObject([{ action: "credential.use", details: { credential: "provisioning_token" } }]);
  });

  it("notes the last use of a token once a minute", async () => {
    const { scim, settings, clock } = await withDirectory();
    expect((await settings()).tokens).toMatchObject([{ last_access: null }]);
    const lastUse = async () => {
      await scim("GET", "/Users");
      return (await settings()).tokens[0]?.last_access;
    };
    expect(await lastUse()).toBe("2026-03-02T09:00:00.000Z");
    await clock.advance(59_000);
    expect(await lastUse()).toBe("2026-03-02T09:00:00.000Z");
    await clock.advance(1_000);
    expect(await lastUse()).toBe("2026-03-02T09:01:00.000Z");
  });

  it.each([
    ["lists", "["],
    ["objects", '{"a":'],
  ])("drops what is nested deeper than anything it reads: %s", async (_, open) => {
    const { scim } = await withDirectory();
    const close = open === "[" ? "]" : "}";
    const nested = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
    const body = JSON.stringify(aPerson("robin")).replace(/}$/, `,"note":${nested}}`);
    expect((await scim("POST", "/Users", body)).statusCode).toBe(201);
  });

  it("refuses a body that is too large", async () => {
    const { scim } = await withDirectory();
    const large = { ...aPerson("robin"), note: "x".repeat(1024 * 1024) };
    expect(said(await scim("POST", "/Users", large))).toBe("413");
  });

  it("refuses too many requests of one organization", async () => {
    const { scim, db, clock } = await withDirectory();
    await scim("GET", "/Users?count=0");
    await sql`UPDATE attempts SET count = ${requestsOfDirectory.max}`.execute(db);
    const refused = await scim("GET", "/Users");
    expect([said(refused), refused.headers["retry-after"]]).toEqual(["429", "60"]);
    await clock.advance(60_000);
    expect(said(await scim("GET", "/Users"))).toBe("200");
  });

  it.each([
    ["GET", "/Nothing", undefined, "404"],
    ["PUT", "/Users", {}, "405"],
    ["POST", "/Groups/1", {}, "405"],
    ["DELETE", "/Schemas", undefined, "405"],
    ["POST", "/Bulk", {}, "501"],
    ["POST", "/.search", {}, "501"],
    ["GET", "/Me", undefined, "501"],
    ["POST", "/Users", "{", "400 invalidSyntax"],
    ["POST", "/Users", "", "400 invalidSyntax"],
    ["POST", "/Users", "[]", "400 invalidValue"],
    ["POST", "/Users", "null", "400 invalidValue"],
    ["POST", "/Users", `{"__proto__": {"userName": "robin"}}`, "400 invalidValue"],
    ["PATCH", "/Groups/1", {}, "404"],
    ["GET", "/Schemas?filter=id%20eq%20%22x%22", undefined, "403"],
    ["GET", "/Schemas/other", undefined, "404"],
  ] as const)("says in the protocol's words what it does not do: %s %s %j", async (method, path, body, refusal) => {
    const { scim } = await withDirectory();
    const refused = await scim(method, path, body);
    expect([said(refused), refused.headers["content-type"]]).toEqual([refusal, "application/scim+json; charset=utf-8"]);
    expect(refused.json()).toMatchObject({ schemas: [ERROR], status: String(refused.statusCode) });
    expect(refused.json().detail).toMatch(/\w/);
  });

  it("takes no other media type", async () => {
    const { app, token } = await withDirectory();
    const headers = { authorization: `Bearer ${token}`, "content-type": "text/plain" };
    const refused = await app.http.inject({ method: "POST", url: `${SCIM_PATH}/Users`, headers, payload: "robin" });
    expect(said(refused)).toBe("415");
  });

  it("tells what it can do, and what it knows", async () => {
    const { scim } = await withDirectory();
    expect((await scim("GET", "/ServiceProviderConfig")).json()).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
    });
    const listed = async (path: string) =>
      (await scim("GET", path)).json<{
        totalResults: number;
        Resources: { id: string; meta: { location: string } }[];
      }>();
    for (const path of ["/Schemas", "/ResourceTypes"]) {
      const { totalResults, Resources } = await listed(path);
      expect(totalResults).toBe(2);
      for (const resource of Resources) {
        expect(resource.meta.location).toBe(`https://devices.example${SCIM_PATH}${path}/${resource.id}`);
        expect((await scim("GET", `${path}/${resource.id}`)).json()).toEqual(resource);
      }
    }
  });
});
