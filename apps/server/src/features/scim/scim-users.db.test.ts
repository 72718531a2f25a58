import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { aUser } from "../../testing/factories.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { disableUser } from "../users/manage-user.ts";
import { removeOrganizationProvider } from "../sso/organization-provider.ts";
import { aDirectoryOf, aPerson, patchOf, said, type ScimReply, withDirectory } from "./testing/directory.ts";

interface List {
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: ScimReply[];
}

/** With somebody whom the directory has created. */
async function withRobin(more: object = {}) {
  const test = await withDirectory();
  const created = await test.scim("POST", "/Users", aPerson("robin", { externalId: "E-7", ...more }));
  const robin = created.json<ScimReply>();
  return {
    ...test,
    created,
    robin,
    path: `/Users/${robin.id}`,
    find: async (filter: string, more = "") =>
      (await test.scim("GET", `/Users?filter=${encodeURIComponent(filter)}${more}`)).json<List>(),
    row: async (uuid = robin.id) =>
      test.db.selectFrom("users").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow(),
    records: async () =>
      (await test.audited())
        .filter(({ actor }) => actor === "provisioning")
        .map(({ action, details }) => ({ action, details })),
  };
}

describe("POST /Users", () => {
  it("makes somebody with an address at the proved domain a member, without a role or a password", async () => {
    const { created, robin, organization, everybody, row, manager, audited } = await withRobin();
    expect([created.statusCode, created.headers["content-type"], created.headers["location"]]).toEqual([
      201,
      "application/scim+json; charset=utf-8",
      `https://devices.example/cloud/scim/v2/Users/${robin.id}`,
    ]);
    expect(robin).toEqual({
      ...aPerson("robin", { externalId: "E-7" }),
      id: robin.id,
      groups: [
        { value: everybody, display: "Everybody", $ref: `https://devices.example/cloud/scim/v2/Groups/${everybody}` },
      ],
      meta: {
        resourceType: "User",
        created: "2026-03-02T09:00:00.000Z",
        lastModified: "2026-03-02T09:00:00.000Z",
        location: `https://devices.example/cloud/scim/v2/Users/${robin.id}`,
      },
    });
    expect(await row()).toMatchObject({
      organization_uuid: organization,
      is_organization_manager: false,
      is_validated: true,
      password_hash: null,
      tnc_accepted_at: null,
    });
    expect((await manager.get(`/v1/users/${robin.id}`)).json()).toMatchObject({ email: "robin@moss.example" });
    expect((await audited()).filter(({ action }) => action === "user.create")).toMatchObject([
      { actor: "provisioning", details: { role: "user", by: "provisioning" } },
    ]);
  });

  it("names the token in the audit log, for its managers to read", async () => {
    const { db, robin, tokenUuid, organization, manager } = await withRobin();
    const record = await db
      .selectFrom("audit_records")
      .selectAll()
      .where("subject_uuid", "=", robin.id)
      .executeTakeFirstOrThrow();
    expect(record).toMatchObject({
      actor_kind: "provisioning",
      actor_uuid: null,
      credential_uuid: tokenUuid,
      organization_uuid: organization,
      address: "127.0.0.1",
    });
    const shown = await manager.get(`/v1/audit?subject=${robin.id}`);
    expect(shown.json().results).toMatchObject([{ actor: { kind: "provisioning" }, credential_uuid: tokenUuid }]);
  });

  it.each([
    ["no address", { userName: "robin", emails: undefined }, "400 invalidValue"],
    ["what is no address", { emails: [{ value: "robin" }] }, "400 invalidValue"],
    ["an address at another domain", { emails: [{ value: "robin@fern.example" }] }, "400 invalidValue"],
    ["an address at a domain below", { emails: [{ value: "robin@qa.moss.example" }] }, "400 invalidValue"],
    ["no userName", { userName: undefined }, "400 invalidValue"],
    ["an empty userName", { userName: " " }, "400 invalidValue"],
    ["a userName that is too long", { userName: "r".repeat(251) }, "400 invalidValue"],
    ["a userName with NUL", { userName: "r\0" }, "400 invalidValue"],
    ["what is no name", { name: { givenName: 7 } }, "400 invalidValue"],
    ["a status that is none", { active: "perhaps" }, "400 invalidValue"],
    [
      "too many addresses",
      { emails: Array.from({ length: 21 }, () => ({ value: "robin@moss.example" })) },
      "400 invalidValue",
    ],
  ])("refuses %s", async (_, fields, refusal) => {
    const { scim, db } = await withDirectory();
    expect(said(await scim("POST", "/Users", { ...aPerson("robin"), ...fields }))).toBe(refusal);
    expect(await db.selectFrom("users").select("uuid").execute()).toHaveLength(1);
  });

  it("refuses to an organization whose domain nobody has proved", async () => {
    const { scim, operator, organization } = await withDirectory();
    await removeOrganizationProvider(operator, organization);
    const refused = await scim("POST", "/Users", aPerson("robin"));
    expect([said(refused), refused.json().detail]).toEqual([
      "400 invalidValue",
      expect.stringContaining("OpenID provider"),
    ]);
  });

  it("takes over no account, wherever it is", async () => {
    const { scim, db, organization, row } = await withRobin();
    await aUser(db, { fields: { email: "elsewhere@moss.example" } });
    const guest = await aUser(db, { role: "guest", fields: { email: "guest@moss.example" } });
    await aUser(db, { organization, fields: { email: "kim@moss.example" } });
    for (const name of ["elsewhere", "guest", "kim", "Robin"])
      expect([name, said(await scim("POST", "/Users", aPerson(name)))]).toEqual([name, "409 uniqueness"]);
    expect((await row(guest.uuid)).organization_uuid).toBeNull();
  });

  it("brings nobody back whom the directory of another organization has removed", async () => {
    const { scim, db } = await withDirectory();
    const { uuid } = await aUser(db, { fields: { email: "gone@moss.example", is_enabled: false } });
    const at = new Date("2026-01-05T08:00:00Z");
    const row = { user_uuid: uuid, user_name: "gone", external_id: null, changed_at: at, removed_at: at };
    await db.insertInto("directory_users").values(row).execute();
    expect(said(await scim("POST", "/Users", aPerson("gone")))).toBe("409 uniqueness");
  });

  it("gives one userName to one person, in whatever case", async () => {
    const { scim, path } = await withRobin({ userName: "R7" });
    const own = await scim("PATCH", path, patchOf({ op: "replace", path: "userName", value: "r7" }));
    expect(own.json()).toMatchObject({ userName: "r7" });
    const taken = patchOf({ op: "replace", path: "userName", value: "maria@moss.example" });
    expect(said(await scim("PATCH", path, taken))).toBe("409 uniqueness");
    expect(said(await scim("POST", "/Users", aPerson("kim", { userName: "r7" })))).toBe("409 uniqueness");
    // Nor that which somebody has by their address alone.
    expect(said(await scim("POST", "/Users", aPerson("kim", { userName: "Maria@moss.example" })))).toBe(
      "409 uniqueness",
    );
  });

  it("takes one of two that come at once", async () => {
    const { scim } = await withDirectory();
    const replies = await Promise.all([1, 2, 3].map(() => scim("POST", "/Users", aPerson("robin"))));
    expect(replies.map(said).toSorted()).toEqual(["201", "409 uniqueness", "409 uniqueness"]);
  });

  it("takes what Entra sends", async () => {
    const { scim } = await withDirectory();
    const reply = await scim("POST", "/Users", {
      ...aPerson("robin", { active: "True", roles: [] }),
      schemas: [
        "urn:ietf:params:scim:schemas:core:2.0:User",
        "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
      ],
      userName: "robin@moss.onmicrosoft.example",
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "QA" },
      meta: { resourceType: "User" },
    });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      201,
      { userName: "robin@moss.onmicrosoft.example", active: true, emails: [{ value: "robin@moss.example" }] },
    ]);
  });
});

describe("GET /Users", () => {
  it.each([
    [`userName eq "ROBIN@moss.example"`, ["robin"]],
    [`userName eq "maria@moss.example"`, ["maria"]],
    [`externalId eq "E-7"`, ["robin"]],
    [`externalId eq "e-7"`, []],
    [`emails.value eq "Robin@moss.example"`, ["robin"]],
    [`emails[type eq "work"].value eq "robin@moss.example"`, ["robin"]],
    [`emails[type eq "home"].value eq "robin@moss.example"`, []],
    [`active eq true`, ["maria", "robin"]],
    [`active eq false`, []],
    [`active eq true and externalId eq "E-7"`, ["robin"]],
    [`externalId eq "E-7" or userName eq "maria@moss.example"`, ["maria", "robin"]],
    [`name.givenName eq "ROBIN"`, ["robin"]],
    [`id eq "nobody"`, []],
  ])("finds by %s", async (filter, names) => {
    const { find } = await withRobin();
    const { Resources, totalResults } = await find(filter);
    const found = Resources.map(({ emails }) => (emails as { value: string }[])[0]?.value.split("@")[0]);
    expect([new Set(found), totalResults]).toEqual([new Set(names), names.length]);
  });

  it("finds by the identifier", async () => {
    const { find, robin } = await withRobin();
    expect((await find(`id eq "${robin.id}"`)).Resources).toMatchObject([{ id: robin.id }]);
  });

  it.each([`userName co "r"`, `title eq "boss"`, `password eq "x"`, `constructor eq "x"`, `userName`])(
    "refuses to filter by %s",
    async (filter) => {
      const { scim } = await withDirectory();
      expect(said(await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`))).toBe("400 invalidFilter");
    },
  );

  it("lists everybody on one of the pages", async () => {
    const { scim, db, organization } = await withDirectory();
    for (let index = 0; index < 6; index++) await aUser(db, { organization });
    await aUser(db);
    const page = async (query: string) => (await scim("GET", `/Users?${query}`)).json<List>();
    const pages = [
      await page("startIndex=1&count=3"),
      await page("startIndex=4&count=3"),
      await page("startIndex=7&count=3"),
    ];
    expect(pages.map(({ totalResults, startIndex, itemsPerPage }) => [totalResults, startIndex, itemsPerPage])).toEqual(
      [
        [7, 1, 3],
        [7, 4, 3],
        [7, 7, 1],
      ],
    );
    expect(new Set(pages.flatMap(({ Resources }) => Resources.map(({ id }) => id))).size).toBe(7);
    expect(await page("count=0")).toMatchObject({ totalResults: 7, itemsPerPage: 0, Resources: [] });
    expect(await page("startIndex=-3&count=1")).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    expect(said(await scim("GET", "/Users?count=many"))).toBe("400 invalidValue");
  });

  it("shows 200 at most on a page", async () => {
    const { scim, db, organization } = await withDirectory();
    await sql`INSERT INTO users (uuid, email, organization_uuid, is_validated, created_at)
      SELECT gen_random_uuid(), n || '@moss.example', ${organization}, true, now() FROM generate_series(1, 205) AS n`.execute(
      db,
    );
    const list = (await scim("GET", "/Users?count=1000")).json<List>();
    expect([list.totalResults, list.itemsPerPage, list.Resources.length]).toEqual([206, 200, 200]);
  });

  it("shows the attributes that are asked for", async () => {
    const { scim, path } = await withRobin();
    const names = async (query: string) => Object.keys((await scim("GET", `${path}?${query}`)).json()).toSorted();
    expect(await names("attributes=userName,name.givenName")).toEqual(["id", "name", "schemas", "userName"]);
    expect(await names("excludedAttributes=groups,emails,meta,id")).toEqual([
      "active",
      "externalId",
      "id",
      "name",
      "schemas",
      "userName",
    ]);
  });
});

describe("changing a user", () => {
  it("replaces what is sent, and leaves the rest", async () => {
    const { scim, path, robin, records } = await withRobin();
    const changed = await scim("PUT", path, { userName: "R7", name: { familyName: "Rush" }, id: randomUUID() });
    expect(changed.json()).toMatchObject({
      id: robin.id,
      userName: "R7",
      externalId: "E-7",
      name: { givenName: "robin", familyName: "Rush" },
      active: true,
    });
    expect((await records()).map(({ action }) => action)).toEqual(["user.create", "user.rename", "user.provision"]);
  });

  it.each([
    [
      "a name",
      { op: "Replace", path: "name.familyName", value: "Rush" },
      { name: { givenName: "robin", familyName: "Rush" } },
    ],
    [
      "names without a path",
      { op: "Add", value: { "name.givenName": "Rob" } },
      { name: { givenName: "Rob", familyName: "Reed" } },
    ],
    [
      "a whole name",
      { op: "replace", path: "name", value: { givenName: "Rob", familyName: "Rush" } },
      { name: { givenName: "Rob", familyName: "Rush" } },
    ],
    ["no first name", { op: "remove", path: "name.givenName" }, { name: { familyName: "Reed" } }],
    ["no external id", { op: "remove", path: "externalId" }, { externalId: undefined }],
    ["the same address", { op: "Replace", path: `emails[type eq "work"].value`, value: "Robin@moss.example" }, {}],
    [
      "an address that is not kept",
      { op: "add", path: `emails[type eq "home"].value`, value: "robin@home.example" },
      {},
    ],
    ["the status as text", { op: "Replace", path: "active", value: "False" }, { active: false }],
    ["the status without a path", { op: "replace", value: { active: false } }, { active: false }],
    ["what we do not keep", { op: "add", path: "title", value: "Boss" }, { title: undefined }],
    ["a role", { op: "add", path: "roles", value: [{ value: "manager" }] }, { roles: undefined }],
  ])("patches %s", async (_, operation, shown) => {
    const { scim, path, row } = await withRobin();
    const changed = await scim("PATCH", path, patchOf(operation));
    expect(changed.statusCode).toBe(200);
    const after = changed.json<Record<string, unknown>>();
    for (const [name, value] of Object.entries(shown)) expect([name, after[name]]).toEqual([name, value]);
    expect((await row()).is_organization_manager).toBe(false);
  });

  it.each([
    [
      "another address",
      { op: "replace", path: `emails[type eq "work"].value`, value: "rob@moss.example" },
      "400 mutability",
    ],
    [
      "another address without a path",
      { op: "replace", value: { emails: [{ value: "rob@moss.example" }] } },
      "400 mutability",
    ],
    ["no userName", { op: "remove", path: "userName" }, "400 mutability"],
    ["no status", { op: "remove", path: "active" }, "400 mutability"],
    ["an empty userName", { op: "replace", path: "userName", value: "" }, "400 invalidValue"],
    [
      "the userName of somebody else",
      { op: "replace", path: "userName", value: "MARIA@moss.example" },
      "409 uniqueness",
    ],
    ["another identifier", { op: "replace", path: "id", value: randomUUID() }, "400 mutability"],
    ["a status that is none", { op: "replace", path: "active", value: 7 }, "400 invalidValue"],
    ["another operation", { op: "toggle", path: "active" }, "400 invalidSyntax"],
  ])("refuses %s", async (_, operation, refusal) => {
    const { scim, path, robin } = await withRobin();
    const rename = { op: "replace", path: "name.givenName", value: "Rob" };
    expect(said(await scim("PATCH", path, patchOf(rename, operation)))).toBe(refusal);
    // All of it, or nothing.
    expect((await scim("GET", path)).json()).toEqual(robin);
  });

  it("is told with the time of the last change", async () => {
    const { scim, path, clock, robin } = await withRobin();
    await clock.advance(60_000);
    await scim("PUT", path, robin);
    const lastModified = async () => (await scim("GET", path)).json().meta.lastModified;
    expect(await lastModified()).toBe("2026-03-02T09:00:00.000Z");
    await scim("PUT", path, { ...robin, active: false });
    expect(await lastModified()).toBe("2026-03-02T09:01:00.000Z");
  });

  it("leaves no record when nothing is different", async () => {
    const { scim, path, robin, records } = await withRobin();
    expect((await scim("PUT", path, robin)).json()).toEqual(robin);
    expect((await records()).map(({ action }) => action)).toEqual(["user.create"]);
  });

  it("changes a member who was there before the directory", async () => {
    const { scim, manager, find } = await withRobin();
    const adopted = await scim(
      "PATCH",
      `/Users/${manager.user.uuid}`,
      patchOf({ op: "add", path: "externalId", value: "E-1" }),
    );
    expect(adopted.json()).toMatchObject({ userName: "maria@moss.example", externalId: "E-1" });
    expect((await find(`externalId eq "E-1"`)).totalResults).toBe(1);
  });
});

describe("taking access away", () => {
  it("signs a person out at once, and lets them back", async () => {
    const { scim, as, call, organization, records } = await withRobin();
    const kim = await as({ organization, fields: { email: "kim@moss.example" } });
    const { token } = (await kim.post("/v1/api-tokens", { description: "ci" })).json<{ token: string }>();
    const byToken = async () => (await call("GET", "/v2/instances", { headers: { "x-api-token": token } })).statusCode;
    const setActive = (value: unknown) =>
      scim("PATCH", `/Users/${kim.user.uuid}`, patchOf({ op: "replace", path: "active", value }));
    expect((await setActive(false)).json().active).toBe(false);
    expect([(await kim.get("/v2/instances")).statusCode, await byToken()]).toEqual([401, 401]);
    expect((await setActive("True")).json().active).toBe(true);
    // The session has ended; the token, which programs have, works again.
    expect([(await kim.get("/v2/instances")).statusCode, await byToken()]).toEqual([401, 200]);
    expect((await records()).slice(-2)).toEqual([
      { action: "user.disable", details: { sessions: 1 } },
      { action: "user.enable", details: {} },
    ]);
  });

  it.each([
    ["PATCH", patchOf({ op: "replace", path: "active", value: false })],
    ["PUT", { userName: "maria@moss.example", active: false }],
    ["DELETE", undefined],
  ] as const)("leaves an organization its last manager: %s", async (method, body) => {
    const { scim, as, manager, organization } = await withRobin();
    const path = `/Users/${manager.user.uuid}`;
    expect(said(await scim(method, path, body))).toBe("400 mutability");
    expect((await manager.get("/v2/instances")).statusCode).toBe(200);
    for (const fields of [{ is_enabled: false }, { is_validated: false }]) {
      await as({ role: "manager", organization, fields });
      expect(said(await scim(method, path, body))).toBe("400 mutability");
    }
    await as({ role: "manager", organization });
    expect((await scim(method, path, body)).statusCode).toBeLessThan(300);
    expect((await manager.get("/v2/instances")).statusCode).toBe(401);
  });

  it("leaves one of two managers who go at the same time", async () => {
    const { scim, as, manager, organization } = await withRobin();
    const other = await as({ role: "manager", organization });
    const replies = await Promise.all([manager, other].map(({ user }) => scim("DELETE", `/Users/${user.uuid}`)));
    expect(replies.map(said).toSorted()).toEqual(["204", "400 mutability"]);
  });

  it("gives nothing back that the operator has taken", async () => {
    const { scim, path, operator, row } = await withRobin();
    await disableUser(operator, "robin@moss.example");
    const enabling = patchOf({ op: "replace", path: "active", value: true });
    expect(said(await scim("PATCH", path, enabling))).toBe("400 mutability");
    expect((await scim("DELETE", path)).statusCode).toBe(204);
    expect(said(await scim("POST", "/Users", aPerson("robin")))).toBe("400 mutability");
    expect(await row()).toMatchObject({ is_enabled: false });
  });

  it("leaves disabled whom a manager has disabled by hand, whatever else it changes, until a manager enables them", async () => {
    const { scim, manager, robin, path, row, records, clock } = await withRobin();
    const byHand = (is_enabled: boolean) => manager.put(`/v2/users/${robin.id}`, { is_enabled });
    const enabling = patchOf({ op: "replace", path: "active", value: true });
    await byHand(false);
    const before = await records();
    const noted = (await scim("GET", path)).json<ScimReply>();
    await clock.advance(1_000);
    const answer = await scim("PATCH", path, enabling);
    expect([answer.statusCode, answer.json()]).toEqual([200, noted]);
    expect(answer.json()).toMatchObject({ active: false });
    expect(await records()).toEqual(before);
    const renamed = await scim("PUT", path, aPerson("robin", { name: { givenName: "Rob" } }));
    expect(renamed.json()).toMatchObject({ active: false, name: { givenName: "Rob" } });
    expect((await scim("DELETE", path)).statusCode).toBe(204);
    const back = await scim("POST", "/Users", aPerson("robin"));
    expect([back.statusCode, back.json()]).toMatchObject([201, { id: robin.id, active: false }]);
    expect(await row()).toMatchObject({ is_enabled: false });
    await byHand(true);
    await scim("PATCH", path, patchOf({ op: "replace", path: "active", value: false }));
    expect((await scim("PATCH", path, enabling)).json()).toMatchObject({ active: true });
  });

  it("leaves disabled whom it has disabled and then a manager, too", async () => {
    const { scim, manager, robin, path } = await withRobin();
    await scim("PATCH", path, patchOf({ op: "replace", path: "active", value: false }));
    await manager.put(`/v2/users/${robin.id}`, { is_enabled: false });
    const answer = await scim("PATCH", path, patchOf({ op: "replace", path: "active", value: true }));
    expect(answer.json()).toMatchObject({ active: false });
  });

  it("may create somebody who cannot sign in yet, and let them in later", async () => {
    const { scim } = await withRobin();
    const { id } = (await scim("POST", "/Users", aPerson("kim", { active: false }))).json<ScimReply>();
    const answer = await scim("PATCH", `/Users/${id}`, patchOf({ op: "replace", path: "active", value: true }));
    expect(answer.json()).toMatchObject({ active: true });
  });

  it("removes a person from what the directory sees, and from nothing else", async () => {
    const { scim, robin, path, find, manager, row } = await withRobin();
    const removed = await scim("DELETE", path);
    expect([removed.statusCode, removed.body]).toEqual([204, ""]);
    for (const method of ["GET", "DELETE"] as const) expect(said(await scim(method, path))).toBe("404");
    expect(said(await scim("PUT", path, robin))).toBe("404");
    expect((await find(`externalId eq "E-7"`)).totalResults).toBe(0);
    expect((await manager.get(`/v1/users/${robin.id}`)).json()).toMatchObject({ is_enabled: false });
    expect(await row()).toMatchObject({ email: "robin@moss.example", is_enabled: false, deleted_at: null });
  });

  it("brings back whoever was removed, as the same account and as a user", async () => {
    const { scim, robin, path, row, records, db } = await withRobin();
    await db.updateTable("users").set({ is_organization_manager: true }).where("uuid", "=", robin.id).execute();
    await scim("DELETE", path);
    const back = await scim("POST", "/Users", aPerson("robin", { externalId: "E-8", name: { givenName: "Rob" } }));
    expect([back.statusCode, back.json()]).toMatchObject([201, { id: robin.id, externalId: "E-8", active: true }]);
    expect(await row()).toMatchObject({ is_enabled: true, is_organization_manager: false, first_name: "Rob" });
    expect((await records()).map(({ action }) => action)).toEqual([
      "user.create",
      "user.disable",
      "user.provision",
      "user.set_role",
      "user.rename",
      "user.provision",
      "user.enable",
    ]);
  });

  it("shows somebody again whom a manager has enabled", async () => {
    const { scim, path, manager, robin } = await withRobin();
    await scim("DELETE", path);
    await manager.put(`/v2/users/${robin.id}`, { is_enabled: true });
    expect((await scim("GET", path)).json()).toMatchObject({ active: true });
    expect(said(await scim("POST", "/Users", aPerson("robin")))).toBe("409 uniqueness");
  });

  it("waits for others who change the organization", async () => {
    const { scim, db, organization, path } = await withRobin();
    let done = false;
    const reply = await db.transaction().execute(async (trx) => {
      await trx.selectFrom("organizations").select("uuid").where("uuid", "=", organization).forUpdate().execute();
      const waiting = scim("DELETE", path).then((answer) => {
        done = true;
        return answer;
      });
      await untilBlocked(db);
      expect(done).toBe(false);
      return { waiting };
    });
    expect((await reply.waiting).statusCode).toBe(204);
  });
});

describe("the people of other organizations", () => {
  it("are seen, changed and removed by none but their own directory", async () => {
    const test = await withRobin();
    const other = await aDirectoryOf(test, "fern.example");
    const theirs = (
      await other.scim("POST", "/Users", {
        ...aPerson("kim"),
        userName: "robin@moss.example",
        externalId: "E-7",
        emails: [{ value: "kim@fern.example" }],
      })
    ).json<ScimReply>();
    const path = `/Users/${theirs.id}`;
    for (const [method, body] of [
      ["GET"],
      ["PUT", theirs],
      ["PATCH", patchOf({ op: "replace", path: "active", value: false })],
      ["DELETE"],
    ] as const)
      expect([method, said(await test.scim(method, path, body))]).toEqual([method, "404"]);
    expect((await test.find(`externalId eq "E-7"`)).Resources.map(({ id }) => id)).toEqual([test.robin.id]);
    expect((await test.find(`id eq "${theirs.id}"`)).totalResults).toBe(0);
    expect((await test.find(`emails.value eq "kim@fern.example"`)).totalResults).toBe(0);
    expect((await other.scim("GET", path)).json()).toMatchObject({ active: true });
    expect(said(await test.scim("GET", "/Users/not-a-uuid"))).toBe("404");
  });
});
