import { describe, expect, it } from "vitest";
import { secretFor } from "../../platform/secrets.ts";
import { type GatewayAnswer, withAnsweringGateway } from "../../testing/answering-gateway.ts";
import { accessTokens } from "../instances/access-tokens.ts";
import { displayAccess } from "../instances/display-access.ts";
import { upsertGateway } from "../instances/gateways.ts";

const run = {
  uuid: "6f1c3b0e-6f3a-4b53-9f57-0d6f7a1c2b3d",
  name: "way home",
  status: "running",
  started_at: "2026-03-02T09:00:00.000Z",
  elapsed_ms: 0,
  duration_ms: 60_000,
  round: 1,
  rounds: 1,
  step: null,
  steps: [{ name: null, kinds: ["battery"], at_ms: 0, duration_ms: 0 }],
};
const scenario = { name: "way home", steps: [{ battery: { level: 15 } }, { after: "1m", clipboard: "x" }] };

async function setUp(answer: GatewayAnswer = { status: 200, body: run }) {
  const test = await withAnsweringGateway(answer);
  const { robin, device, call } = test;
  const path = `/v1/instances/${device}/scenario`;
  const start = (body: object = { scenario }, { headers }: { headers: Record<string, string> } = robin) =>
    call("POST", path, { body, headers });
  const outcome = async (reply: ReturnType<typeof start>) => {
    const { statusCode, json } = await reply;
    return `${statusCode} ${json<{ code?: string }>().code ?? ""}`.trim();
  };
  return { ...test, path, start, outcome };
}

describe("scenarios", () => {
  it("run at the device's gateway, which is asked with a token for this device and person, and are recorded", async () => {
    const { db, clock, device, robin, start, received, audited } = await setUp();
    const reply = await start();
    expect([reply.statusCode, reply.json()]).toEqual([201, run]);
    expect(received).toMatchObject([{ url: `/cloud/instances/${device}/scenario` }]);
    // Times are read once, by the api.
    const steps = [{ battery: { level: 15 } }, { after: 60, clipboard: "x" }];
    expect(JSON.parse(received[0]?.body ?? "")).toEqual({ do: "start", scenario: { name: "way home", steps } });
    const tokens = accessTokens(await secretFor(db, "access-tokens"), clock);
    const token = received[0]?.authorization.replace("Bearer ", "") ?? "";
    const grant = { instanceUuid: device, user: robin.user.uuid };
    expect(await displayAccess({ db, clock }, tokens)(token)).toMatchObject(grant);
    expect((await audited()).at(-1)).toMatchObject({
      action: "instance.run_scenario",
      subject: `instance ${device}`,
      details: { name: "way home", steps: 1, run: run.uuid },
    });
  });

  it("are only looked at where nothing is to happen, which is not recorded", async () => {
    const { start, received, audited } = await setUp();
    expect((await start({ scenario, dry_run: true })).statusCode).toBe(201);
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({ do: "check" });
    expect((await audited()).map(({ action }) => action)).not.toContain("instance.run_scenario");
  });

  it("can be seen, paused, resumed, stopped and taken from what people did", async () => {
    const { robin, call, path, received } = await setUp();
    for (const status of ["paused", "running", "stopped"])
      expect((await call("PATCH", path, { body: { status }, headers: robin.headers })).json()).toEqual(run);
    expect(received.map(({ body }) => body)).toEqual(['{"do":"pause"}', '{"do":"resume"}', '{"do":"stop"}']);
    await robin.get(path);
    await robin.get(`${path}/recorded`);
    expect(received.slice(3).map(({ body }) => body)).toEqual(['{"do":"read"}', '{"do":"recorded"}']);
  });

  it("are for whoever may see the display alone, on a device that is online", async () => {
    const { as, organization, robin, device, start, outcome, received } = await setUp();
    const manager = await as({ organization, role: "manager" });
    expect(await outcome(start(undefined, manager))).toBe("403 INSTANCE_NOT_ALLOWED");
    expect(await outcome(start(undefined, await as()))).toBe("404 INSTANCE_NOT_FOUND");
    const booting = `/v1/instances/${(await robin.start()).json<{ uuid: string }>().uuid}/scenario`;
    expect(await outcome(robin.post(booting, { scenario }))).toBe("409 INSTANCE_NOT_ONLINE");
    await robin.post(`/v1/instances/${device}/stop-disposable`);
    expect(await outcome(start())).toBe("409 INSTANCE_NOT_RUNNING");
    expect(received).toEqual([]);
  });

  it("have a limit for each person", async () => {
    const { start, outcome } = await setUp();
    for (let count = 0; count < 120; count++) await start();
    expect(await outcome(start())).toBe("429 TOO_MANY_REQUESTS");
  });

  it.each([
    [{ status: 422, body: { code: "SCENARIO_NOT_POSSIBLE", details: { step: "2", kind: "call" } } }, 422],
    [{ status: 409, body: { code: "SCENARIO_RUNNING" } }, 409],
    [{ status: 409, body: { code: "INSTANCE_NOT_ONLINE" } }, 409],
    [{ status: 500, body: { code: "nonsense" } }, 503],
  ])("answer what the gateway says: %j", async (answer, status) => {
    const { start } = await setUp(answer);
    const reply = await start();
    const code = status === 503 ? "SERVICE_UNAVAILABLE" : answer.body.code;
    expect([reply.statusCode, reply.json()]).toMatchObject([status, { ...answer.body, code }]);
  });

  it("say that the service is not there when the gateway is not", async () => {
    const { db, start, outcome } = await setUp();
    await upsertGateway(db, "g", "127.0.0.1:1");
    expect(await outcome(start())).toBe("503 SERVICE_UNAVAILABLE");
  });
});
