import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { MCP_PATH, requestsOfUser } from "./mcp.ts";

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "agent", version: "1" } },
};
const callOf = (name: string, given: object, id: number | string = 7) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given },
});

/** What is done to a device, by each tool that changes something or shows it. */
const deeds = (device: string): [name: string, given: object][] => [
  ["look", { device }],
  ["logs", { device }],
  ["replay", { device }],
  ["tap", { device, x: 1, y: 1 }],
  ["tap", { device, label: "Notes" }],
  ["swipe", { device, from_x: 1, from_y: 1, to_x: 2, to_y: 2 }],
  ["type_text", { device, text: "x" }],
  ["press_key", { device, key: "home" }],
  ["install_app", { device, file: "eA==" }],
  ["stop_device", { device }],
];

async function withAgent(scope = "devices") {
  const test = await createTestApp({});
  const robin = await test.as();
  const made = await robin.post("/v1/api-tokens", { description: "agent", scope });
  const { token, uuid } = made.json<{ token: string; uuid: string }>();
  const online = async (owner: typeof robin) => {
    const { uuid: device } = (await owner.start()).json<{ uuid: string }>();
    for (const event of ["powered", "answered", "booted"] as const)
      await moveInstance(test.db, {
        uuid: device,
        event,
        now: new Date(test.clock.now()),
        ...(event === "powered" && { machine }),
      });
    return device;
  };
  const send = (
    payload: object | string,
    headers: Record<string, string> = { authorization: `Bearer ${token}` },
    query = "",
  ) =>
    test.app.http.inject({
      method: "POST",
      url: `${MCP_PATH}${query}`,
      headers: { accept: "application/json, text/event-stream", "content-type": "application/json", ...headers },
      payload,
    });
  const instances = () => test.db.selectFrom("instances").select(["name", "state"]).execute();
  /** What a tool says, and whether it failed. */
  const use = async (name: string, given: object) => {
    const { body } = await send(callOf(name, given));
    const { result, error } = JSON.parse(/\{.*\}/.exec(body)?.[0] ?? "") as {
      result?: { isError?: boolean; content: { text: string }[] };
      error?: { message: string };
    };
    return { isError: result?.isError ?? error !== undefined, said: result?.content[0]?.text ?? error?.message };
  };
  return { ...test, robin, token, uuid, send, use, online, instances };
}
const machine = { adb: { host: "127.0.0.1", port: 1 }, canSave: true };
const outcomeOf = ({ statusCode, json }: { statusCode: number; json: () => unknown }) =>
  `${statusCode} ${(json() as { code?: string }).code}`;

describe("agents over HTTP", () => {
  it("are let in by an API token alone, as Bearer or in its own header", async () => {
    const { send, token, robin, uuid } = await withAgent();
    const credentials = [{ authorization: `Bearer ${token}` }, { "x-api-token": token }];
    for (const headers of credentials) expect((await send(initialize, headers as {})).statusCode).toBe(200);
    for (const headers of [{}, { authorization: "Bearer x" }, { authorization: `Bearer ${robin.token}` }]) {
      const refused = await send(initialize, headers as {});
      expect([outcomeOf(refused), refused.headers["www-authenticate"]]).toEqual([
        "401 NOT_AUTHENTICATED",
        'Bearer realm="terrarium"',
      ]);
    }
    expect(outcomeOf(await send(initialize, Object.assign({}, ...credentials)))).toBe("400 BOTH_CREDENTIALS");
    await robin.delete(`/v1/api-tokens/${uuid}`);
    expect(outcomeOf(await send(initialize))).toBe("401 NOT_AUTHENTICATED");
  });

  it("are not pages of strangers, however they have named this service", async () => {
    const { send, token } = await withAgent();
    const from = (origin: string, host: string) => send(initialize, { authorization: `Bearer ${token}`, origin, host });
    expect(outcomeOf(await from("https://evil.test", "localhost"))).toBe("403 ORIGIN_NOT_ALLOWED");
    expect(outcomeOf(await from("http://evil.test", "evil.test"))).toBe("403 ORIGIN_NOT_ALLOWED");
    expect((await from("http://localhost", "localhost")).statusCode).toBe(200);
  });

  it("have the tools that their token's scope allows, whatever the address says, and bounds where it says none", async () => {
    const toolsOf = async (scope: string, query = "") => {
      const { send } = await withAgent(scope);
      return (await send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }, undefined, query)).body;
    };
    const names = (body: string) => Array.from(body.matchAll(/"name":"(\w+)"/g), ([, name]) => name);
    const looks = ["list_recipes", "list_devices", "look", "logs", "replay"];
    expect(names(await toolsOf("read", "?read_only=false"))).toEqual(looks);
    expect(names(await toolsOf("devices", "?read_only=true"))).toEqual(looks);
    const all = await toolsOf("devices");
    expect(names(all)).toContain("start_device");
    expect(all).toContain("after 60 minutes at most");
  });

  it("do nothing to a device of others, be they strangers or colleagues", async () => {
    const { use, online, instances, as, robin } = await withAgent();
    const organization = robin.user.organization_uuid ?? undefined;
    const refusals = [
      [await as(), /^Device not found\.$/],
      [await as({ organization }), /^You are not allowed to (display|stop) this virtual device\.$/],
    ] as const;
    for (const [owner, refusal] of refusals) {
      const said = expect.stringMatching(refusal);
      const device = await online(owner);
      for (const [tool, given] of deeds(device))
        expect([tool, await use(tool, given)]).toEqual([tool, { isError: true, said }]);
    }
    expect((await instances()).map(({ state }) => state)).toEqual(["ONLINE", "ONLINE"]);
    // It is not for want of a device.
    const own = await online(robin);
    expect((await use("stop_device", { device: own })).isError).toBe(false);
  });

  it("do nothing to their person's own device with a token that only reads", async () => {
    const { use, online, instances, robin } = await withAgent("read");
    const device = await online(robin);
    for (const [tool, given] of deeds(device)) expect([tool, (await use(tool, given)).isError]).toEqual([tool, true]);
    expect((await instances()).map(({ state }) => state)).toEqual(["ONLINE"]);
  });

  it("start none while two run, unless the address says otherwise", async () => {
    const { use, robin } = await withAgent();
    await robin.start();
    await robin.start();
    const { name: recipe } = (await robin.get("/v3/recipes?page_size=1")).json<{ results: { name: string }[] }>()
      .results[0]!;
    const said = "2 devices run, and no more than 2 may. Stop one first.";
    expect(await use("start_device", { recipe })).toEqual({ isError: true, said });
  });

  it("say one thing at a time, in bounds", async () => {
    const { send } = await withAgent();
    expect(outcomeOf(await send([initialize, initialize]))).toBe("400 invalid_request");
    for (const query of [
      "?max_devices=0",
      "?max_devices=51",
      "?max_minutes=0",
      "?max_minutes=1441",
      "?read_only=maybe",
    ])
      expect([query, outcomeOf(await send(initialize, undefined, query))]).toEqual([query, "400 invalid_request"]);
    const large = callOf("install_app", { file: "x".repeat(12 * 1024 ** 2) });
    expect(outcomeOf(await send(large))).toBe("413 BODY_TOO_LARGE");
  });

  it("ask at most ten times a second, by the minute", async () => {
    const { send, db, clock } = await withAgent();
    await send(initialize);
    await sql`UPDATE attempts SET count = ${requestsOfUser.max} WHERE count = 1`.execute(db);
    expect(outcomeOf(await send(initialize))).toBe("429 TOO_MANY_REQUESTS");
    await clock.advance(60_000);
    expect((await send(initialize)).statusCode).toBe(200);
  });

  it("have a device stopped whose start they cancel", async () => {
    const { send, instances, robin } = await withAgent();
    const { name: recipe } = (await robin.get("/v3/recipes?page_size=1")).json<{ results: { name: string }[] }>()
      .results[0]!;
    const started = send(callOf("start_device", { recipe, name: "fern" }));
    await expect.poll(instances).toMatchObject([{ name: "fern", state: "CREATING" }]);
    const params = { requestId: 7 };
    await send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 8 } });
    expect(await instances()).toMatchObject([{ state: "CREATING" }]);
    await send({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    await started;
    await expect.poll(instances).toMatchObject([{ state: "STOPPING" }]);
  });

  it("wait for sixteen things at once", async () => {
    const { send, db, robin, clock } = await withAgent();
    const { name: recipe } = (await robin.get("/v3/recipes?page_size=1")).json<{ results: { name: string }[] }>()
      .results[0]!;
    const starts = Array.from({ length: 16 }, (_, id) => send(callOf("start_device", { recipe }, id)));
    const asked = async () => (await sql`SELECT FROM attempts WHERE count >= 16`.execute(db)).rows;
    await expect.poll(asked).toHaveLength(1);
    const refused = await send(callOf("list_devices", {}, 99));
    expect([outcomeOf(refused), refused.headers["retry-after"]]).toEqual(["429 TOO_MANY_REQUESTS", "1"]);
    let isOver = false;
    void Promise.all(starts).then(() => (isOver = true));
    await expect.poll(() => clock.advance(10_000).then(() => isOver)).toBe(true);
    expect((await send(callOf("list_devices", {}, 99))).statusCode).toBe(200);
  });
});
