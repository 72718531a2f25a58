import { limits } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { csvHead } from "./audit-csv.ts";
import { exportsOfOrganization } from "./read-audit.ts";

interface Page {
  results: { id: number; action: string; at: string; actor: { email: string | null }; details: { name?: string } }[];
  next: number | null;
}

/** A manager and somebody of theirs, both of whom have signed in, and acts that are named. */
async function managed() {
  const test = await createTestApp();
  const organization = await anOrganization(test.db);
  const manager = await test.as({ organization, role: "manager" });
  const robin = await test.as({ organization });
  const read = async (query: Record<string, string> = {}, who = manager) =>
    (await who.get(`/v1/audit?${new URLSearchParams(query)}`)).json<Page>();
  return {
    ...test,
    organization,
    manager,
    robin,
    read,
    note: async (name: string, more: object = {}) =>
      test.audit.record(
        test.db,
        { kind: "service", organization },
        { action: "recipe.edit", details: { name }, ...more },
      ),
    names: async (query: Record<string, string> = {}) =>
      (await read({ action: "recipe.edit", ...query })).results.map(({ details }) => details.name),
    file: async (format: string, query: Record<string, string> = {}) =>
      manager.get(`/v1/audit/export?${new URLSearchParams({ format, ...query })}`),
  };
}

describe("GET /v1/audit", () => {
  it("tells managers who did what to whom, when, from where, the latest first", async () => {
    const { read, robin, clock } = await managed();
    const made = await robin.post("/v1/api-tokens", { description: "ci" });
    const { results, next } = await read();
    expect(next).toBeNull();
    expect(results.map(({ action }) => action)).toEqual(["api_token.create", "session.open", "session.open"]);
    expect(results[0]).toMatchObject({
      at: new Date(clock.now()).toISOString(),
      outcome: "done",
      actor: { kind: "user", uuid: robin.user.uuid, email: robin.user.email },
      subject: { kind: "api_token", uuid: made.json().uuid, email: null },
      address: "127.0.0.1",
      request_id: made.headers["x-request-id"],
      details: { description: "ci" },
    });
  });

  it("is for managers, of their own organization alone, and for tokens that administer", async () => {
    const { manager, robin, note, as, read, call } = await managed();
    await note("Moss");
    for (const path of ["/v1/audit", "/v1/audit/export"])
      expect(outcomeOf(await robin.get(path))).toBe("403 FORBIDDEN");
    const stranger = await as({ role: "manager" });
    const seen = await read({}, stranger);
    expect(seen.results).toHaveLength(1);
    expect((await read({ person: manager.user.uuid }, stranger)).results).toEqual([]);
    expect((await read({ person: manager.user.email }, stranger)).results).toEqual([]);
    for (const [scope, outcome] of [
      ["devices", "403 API_TOKEN_NOT_SCOPED"],
      ["admin", "200"],
    ] as const) {
      const token = (await manager.post("/v1/api-tokens", { description: scope, scope })).json<{ token: string }>()
        .token;
      expect(outcomeOf(await call("GET", "/v1/audit", { headers: { "x-api-token": token } }))).toBe(outcome);
    }
  });

  it("names nobody who is not in the organization", async () => {
    const { as, audit, db, organization, read } = await managed();
    const guest = await as({ role: "guest" });
    const subject = { kind: "user", uuid: guest.user.uuid } as const;
    await audit.record(db, { kind: "user", user: guest.user.uuid, organization }, { action: "recipe.edit", subject });
    expect((await read({ action: "recipe.edit" })).results).toMatchObject([
      { actor: { uuid: guest.user.uuid, email: null }, subject: { uuid: guest.user.uuid, email: null } },
    ]);
  });

  it("does not tell where people who are not in the organization are", async () => {
    const { as, audit, db, organization, read, robin, file } = await managed();
    const guest = await as({ role: "guest" });
    const from = { credential: guest.user.uuid, address: "203.0.113.7", requestId: guest.user.uuid, organization };
    await audit.record(db, { ...from, kind: "user", user: guest.user.uuid }, { action: "recipe.edit" });
    await audit.record(db, { ...from, kind: "user", user: robin.user.uuid }, { action: "recipe.edit" });
    await audit.record(db, { ...from, kind: "nobody" }, { action: "recipe.edit" });
    const told = { address: "203.0.113.7", credential_uuid: guest.user.uuid, request_id: guest.user.uuid };
    expect((await read({ action: "recipe.edit" })).results).toMatchObject([
      told,
      told,
      { address: null, credential_uuid: null, request_id: null },
    ]);
    expect((await file("csv", { person: guest.user.uuid })).body).not.toContain("203.0.113.7");
  });

  it("does not tell which account of its computer the operator used", async () => {
    const { audit, db, organization, read, file } = await managed();
    const act = { action: "organization.set_zone", details: { zone: "europe" } } as const;
    await audit.record(db, { kind: "operator", account: "jsmith", organization }, act);
    expect((await read({ action: act.action })).results).toMatchObject([{ actor: { kind: "operator" } }]);
    expect((await read({ action: act.action })).results[0]?.details).toEqual({ zone: "europe" });
    expect((await file("jsonl", { action: act.action })).body).not.toContain("jsmith");
  });

  it("comes in pages by key, which what is recorded meanwhile does not move", async () => {
    const { note, read, names } = await managed();
    for (let count = 1; count <= 5; count++) await note(`${count}`);
    const first = await read({ action: "recipe.edit", page_size: "2" });
    expect(first.results.map(({ details }) => details.name)).toEqual(["5", "4"]);
    await note("6");
    expect(await names({ page_size: "2", before: String(first.next) })).toEqual(["3", "2"]);
    const last = await read({ action: "recipe.edit", page_size: "3", before: String(first.next) });
    expect([last.results.length, last.next]).toEqual([3, null]);
  });

  it("is filtered by person, action, subject, outcome and time", async () => {
    const { note, read, names, robin, manager, clock } = await managed();
    await note("first", { outcome: "refused" });
    const since = new Date(clock.now() + 1000).toISOString();
    await clock.advance(1000);
    await note("second", { subject: { kind: "user", uuid: robin.user.uuid } });
    await clock.advance(1000);
    await note("third");
    const until = new Date(clock.now()).toISOString();
    expect(await names({ outcome: "refused" })).toEqual(["first"]);
    expect(await names({ since })).toEqual(["third", "second"]);
    expect(await names({ since, until })).toEqual(["second"]);
    expect(await names({ subject: robin.user.uuid })).toEqual(["second"]);
    expect(await names({ person: ` ${robin.user.email.toUpperCase()} ` })).toEqual(["second"]);
    expect(await names({ person: "nobody@fern.test" })).toEqual([]);
    const actions = (await read({ person: manager.user.uuid, action: "session.open,recipe.edit" })).results;
    expect(actions.map(({ action }) => action)).toEqual(["session.open"]);
  });

  it("is filtered by who did it: by address, by uuid, or by part of what they are called", async () => {
    const { audit, db, organization, robin, manager, as, names } = await managed();
    const guest = await as({ role: "guest" });
    await db
      .updateTable("users")
      .set({ first_name: "Rowena", last_name: "O%Hare" })
      .where("uuid", "=", robin.user.uuid)
      .execute();
    const by = { robin: robin.user, manager: manager.user, guest: guest.user };
    for (const [name, { uuid }] of Object.entries(by))
      await audit.record(
        db,
        { kind: "user", user: uuid, organization },
        { action: "recipe.edit", subject: { kind: "user", uuid: robin.user.uuid }, details: { name } },
      );
    for (const actor of [robin.user.uuid, ` ${robin.user.uuid} `, ` ${robin.user.email.toUpperCase()} `, "rowe", "o%h"])
      expect([actor, await names({ actor })]).toEqual([actor, ["robin"]]);
    const [at] = robin.user.email.split("@");
    expect(await names({ actor: `${at}@` })).toEqual(["robin"]);
    // A whole address is nobody else's, though theirs may end in it.
    for (const actor of [robin.user.email.slice(1), "nobody@fern.test", "o_h", guest.user.email, "xyz"])
      expect([actor, await names({ actor })]).toEqual([actor, []]);
    expect(await names({ actor: guest.user.uuid })).toEqual(["guest"]);
    expect(await names({ actor: " " })).toEqual(["guest", "manager", "robin"]);
  });

  it.each([
    ["page_size", String(limits.pageSizeMax + 1)],
    ["page_size", "0"],
    ["before", "x"],
    ["action", "recipe.eat"],
    ["since", "yesterday"],
    ["subject", "x"],
  ])("refuses %s=%s", async (name, value) => {
    const { manager } = await managed();
    expect((await manager.get(`/v1/audit?${name}=${value}`)).statusCode).toBe(400);
  });
});

describe("GET /v1/audit/export", () => {
  it("is a CSV file in which no cell is a formula", async () => {
    const { audit, db, organization, file } = await managed();
    const by = { kind: "nobody", organization, address: "=HYPERLINK(1)", requestId: '+a "b", c' } as const;
    await audit.record(db, by, { action: "recipe.edit" });
    const answer = await file("csv", { action: "recipe.edit" });
    expect(answer.headers).toMatchObject({
      "content-type": expect.stringContaining("text/csv"),
      "content-disposition": expect.stringMatching(/attachment.*audit-\d{4}-\d{2}-\d{2}\.csv/),
    });
    const [head, line, end] = answer.body.split("\r\n");
    expect([`${head}\r\n`, end]).toEqual([csvHead, ""]);
    expect(line).toMatch(/,recipe\.edit,done,nobody,,,,,,'=HYPERLINK\(1\),,"'\+a ""b"", c",\{\}$/);
  });

  it("has every record once, however many there are, one a line, and is recorded itself", async () => {
    const { audit, db, organization, file, read } = await managed();
    const acts = Array.from({ length: 1201 }, (_, index) => ({ action: "recipe.edit", details: { index } }) as const);
    await audit.record(db, { kind: "service", organization }, ...acts);
    const answer = await file("jsonl", { action: "recipe.edit" });
    const lines = answer.body.trimEnd().split("\n");
    const seen = lines.map((line) => (JSON.parse(line) as { details: { index: number } }).details.index);
    expect(seen).toEqual(Array.from({ length: 1201 }, (_, index) => 1200 - index));
    expect((await read()).results[0]).toMatchObject({
      action: "organization.export_audit",
      subject: { kind: "organization", uuid: organization },
      details: { format: "jsonl" },
    });
  });

  it("has nothing of others, and nothing where nobody is known", async () => {
    const { file, as } = await managed();
    const stranger = await as({ role: "manager" });
    expect((await file("jsonl", { person: stranger.user.email })).body).toBe("");
    expect((await file("jsonl")).body).not.toContain(stranger.user.uuid);
  });

  it("can be had so often by an organization, whoever of its managers asks", async () => {
    const { file, as, organization } = await managed();
    const other = await as({ organization, role: "manager" });
    for (let count = 0; count < exportsOfOrganization.max; count++)
      expect((await file("csv", { action: "recipe.edit" })).statusCode).toBe(200);
    expect(outcomeOf(await file("csv"))).toBe("429 TOO_MANY_REQUESTS");
    expect(outcomeOf(await other.get("/v1/audit/export"))).toBe("429 TOO_MANY_REQUESTS");
    expect((await (await as({ role: "manager" })).get("/v1/audit/export")).statusCode).toBe(200);
  });
});
