import { describe, expect, it } from "vitest";
import { secretFor } from "../../platform/secrets.ts";
import { type GatewayAnswer, withAnsweringGateway } from "../../testing/answering-gateway.ts";
import { accessTokens } from "./access-tokens.ts";
import { displayAccess } from "./display-access.ts";
import { upsertGateway } from "./gateways.ts";

const APK = "PK\u0003\u0004 and the rest";
const installed = { package_name: "com.fern", is_open: true };

/** A person with a device that is online at a gateway, which answers as `answer` says. */
async function setUp(answer: GatewayAnswer = { status: 200, body: installed }) {
  const test = await withAnsweringGateway(answer);
  const { robin, device, port } = test;
  const install = async (person: { headers: object } | undefined = robin, uuid = device, body: BodyInit = APK) => {
    const reply = await fetch(`http://127.0.0.1:${port}/cloud/v1/instances/${uuid}/apps`, {
      method: "POST",
      body,
      headers: { ...person?.headers, "content-type": "application/vnd.android.package-archive" },
    });
    return {
      status: reply.status,
      body: (await reply.json()) as { code?: string; details?: object; message?: string },
    };
  };
  return { ...test, install };
}

describe("POST /v1/instances/:uuid/apps", () => {
  it("passes the file on to the device's gateway, with a token for this device and person", async () => {
    const { db, clock, robin, device, install, received, audited } = await setUp();
    expect(await install()).toEqual({ status: 200, body: installed });
    expect((await audited()).at(-1)).toMatchObject({
      action: "instance.install_app",
      subject: `instance ${device}`,
      details: { package: "com.fern" },
    });
    expect(received).toMatchObject([{ url: `/cloud/instances/${device}/apps`, body: APK }]);
    const tokens = accessTokens(await secretFor(db, "access-tokens"), clock);
    const token = received[0]?.authorization.replace("Bearer ", "") ?? "";
    expect(await displayAccess({ db, clock }, tokens)(token)).toMatchObject({
      instanceUuid: device,
      user: robin.user.uuid,
    });
  });

  it("is for the owner alone", async () => {
    const { as, organization, install, received } = await setUp();
    const manager = await as({ organization, role: "manager" });
    const colleague = await as({ organization });
    const stranger = await as();
    for (const person of [manager, colleague])
      expect(await install(person)).toMatchObject({ status: 403, body: { code: "INSTANCE_NOT_ALLOWED" } });
    expect(await install(stranger)).toMatchObject({ status: 404, body: { code: "INSTANCE_NOT_FOUND" } });
    expect(await install({ headers: {} })).toMatchObject({ status: 401, body: { code: "NOT_AUTHENTICATED" } });
    expect(received).toEqual([]);
  });

  it("needs a device that is online", async () => {
    const { start, install, robin, device, received } = await setUp();
    const message = "Apps can only be installed on a virtual device that is online.";
    expect(await install(robin, await start())).toMatchObject({
      status: 409,
      body: { code: "INSTANCE_NOT_ONLINE", message },
    });
    await robin.post(`/v1/instances/${device}/stop-disposable`);
    expect(await install()).toMatchObject({ status: 409, body: { code: "INSTANCE_NOT_ONLINE" } });
    expect(received).toEqual([]);
  });

  it("refuses what is larger than the operator allows, and says how much that is", async () => {
    const { install, received } = await setUp();
    const details = { max_bytes: String(64 * 1024 ** 2) };
    expect(await install(undefined, undefined, new Uint8Array(64 * 1024 ** 2 + 1))).toMatchObject({
      status: 413,
      body: { code: "BODY_TOO_LARGE", details },
    });
    expect(received).toEqual([]);
  });

  it("has a limit for each person", async () => {
    const { install, robin } = await setUp();
    const missing = "00000000-0000-4000-8000-000000000000";
    for (let count = 0; count < 120; count++) expect((await install(robin, missing)).status).toBe(404);
    expect(await install()).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
  });

  it.each([
    [{ status: 422, body: { code: "APP_REFUSED", details: { reason: "INSTALL_FAILED_TEST_ONLY", words: "w" } } }, 422],
    [{ status: 422, body: { code: "NOT_AN_APP" } }, 422],
    [{ status: 409, body: { code: "INSTANCE_BUSY" } }, 409],
    [{ status: 503, body: { code: "SERVICE_UNAVAILABLE" } }, 503],
    [{ status: 500, body: { code: "nonsense" } }, 503],
  ])("says what the gateway says: %j", async (answer, status) => {
    const { install } = await setUp(answer);
    const code = status === 503 ? "SERVICE_UNAVAILABLE" : answer.body.code;
    expect(await install()).toMatchObject({ status, body: { ...answer.body, code } });
  });

  it("says that the service is not there when the gateway is not", async () => {
    const { db, install } = await setUp();
    await upsertGateway(db, "g", "127.0.0.1:1");
    expect(await install()).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  });
});
