import { basePath, contract, errors, isJson, type Route } from "@terrarium/contract";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { anAddress } from "../features/billing/testing/plans.ts";
import type { Showcase } from "../features/showcase/showcase.ts";
import { aForm } from "../testing/a-form.ts";
import { createTestApp, testSettings } from "../testing/app.ts";
import { premiumForm, trialForm } from "../testing/plan-requests.ts";
import { outcomeOf } from "../testing/sharing.ts";

const routes = Object.entries(contract).flatMap(([noun, table]) =>
  Object.entries(table as Record<string, Route>).map(([verb, route]) => ({ name: `${noun}.${verb}`, route })),
);
const guarded = routes.filter(({ route }) => route.access !== "public");
const unknown = "9b2f1f6e-7f4b-4c38-8b0a-0a4c0a6f2a11";
const upgrade =
  "Host: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
const someShowcase: Showcase = {
  recipe: unknown,
  form: {
    form_factor: "PHONE",
    display_mode: "REGULAR",
    display_settings: { displays: [{ width: 1080, height: 2400, density: 420 }], hw_navigation_keys: false },
  },
};
/** A request that is as the route takes it, with these fields where it takes JSON. */
const sampleOf = async (
  { method, body: taken }: Route,
  fields: object = {},
): Promise<{ body?: object; headers?: Record<string, string> }> => {
  if (taken && !isJson(taken) && taken.kind === "form")
    return aForm(...Object.keys(taken.files).map((field) => ({ field, name: "one.csv", content: "one" })));
  if (taken && !isJson(taken) && taken.kind === "stream")
    return { body: Buffer.from("bytes"), headers: { "content-type": taken.types[0] } };
  return method === "GET" ? {} : { body: taken instanceof z.ZodArray ? [fields] : fields };
};
/** The path with the same value for each of its parameters. */
const pathOf = ({ path }: Route, value: string) => path.replaceAll(/:\w+/g, value);

describe("every route", () => {
  it("requires authentication, unless it is public", async () => {
    const { call } = await createTestApp();
    for (const { name, route } of guarded) {
      const answer = await call(route.method, pathOf(route, unknown), await sampleOf(route));
      expect([name, answer.statusCode, answer.json().code]).toEqual([name, 401, "NOT_AUTHENTICATED"]);
    }
  });

  it("that takes no token is answered to our own pages only, unless it tells what anybody may know", async () => {
    const { call } = await createTestApp();
    const open = routes.filter(({ route }) => route.access === "public");
    expect(open.filter(({ route }) => !route.ownPagesOnly).map(({ name }) => name)).toEqual([
      // The link is sealed, and the event is signed.
      "invoices.file",
      "payments.stripeEvent",
      "settings.get",
      "settings.openApi",
      "status.get",
    ]);
    for (const { name, route } of open.filter((each) => each.route.ownPagesOnly)) {
      const body = route.method === "GET" ? {} : { body: {} };
      const answer = await call(route.method, pathOf(route, unknown), {
        ...body,
        headers: { origin: "https://evil.test" },
      });
      expect([name, answer.statusCode, answer.json().code]).toEqual([name, 403, "ORIGIN_NOT_ALLOWED"]);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("is served only below the base path, with or without a trailing slash", async () => {
    const publicSettings = { ...testSettings, has_mailbox: true };
    const { app, call } = await createTestApp({ publicSettings, showcase: someShowcase });
    for (const { name, route } of routes) {
      const bare = await app.http.inject({ method: route.method, url: pathOf(route, unknown) });
      expect([name, bare.statusCode]).toEqual([name, 404]);
      const path = pathOf(route, unknown).replace(/\/$/, "");
      const answers = [await call(route.method, path), await call(route.method, `${path}/`)];
      expect([name, answers[0]?.statusCode]).toEqual([name, answers[1]?.statusCode]);
      expect([name, answers[0]?.json().code === "ROUTE_NOT_FOUND"]).toEqual([name, false]);
    }
  });

  it.each(["abc", "%00", "..%2f..%2fetc%2fpasswd", "9b2f1f6e-7f4b-1c38-8b0a-0a4c0a6f2a11", "x".repeat(400)])(
    "answers 4xx with a code for the identifier %j",
    async (uuid) => {
      const { as, call } = await createTestApp();
      const robin = await as({ role: "manager" });
      for (const { name, route } of guarded.filter((each) => each.route.params)) {
        const answer = await call(route.method, pathOf(route, uuid), { headers: robin.headers });
        expect([name, answer.statusCode >= 400 && answer.statusCode < 500]).toEqual([name, true]);
        expect(Object.keys(errors)).toContain(answer.json().code);
      }
    },
  );

  it.each([
    "{",
    "[]",
    '"text"',
    "null",
    "7",
    '{"__proto__":{"x":1}}',
    '{"email":{"$gt":""}}',
    `{"a":"${"x".repeat(300_000)}"}`,
  ])("answers 4xx with a code for the body %.40j", async (payload) => {
    const { as, app } = await createTestApp();
    const robin = await as({ role: "manager" });
    for (const { name, route } of routes.filter((each) => each.route.body)) {
      const answer = await app.http.inject({
        method: route.method,
        url: basePath + pathOf(route, unknown),
        payload,
        headers: { ...robin.headers, "content-type": "application/json" },
      });
      const known = Object.keys(errors).includes(answer.json().code) && answer.statusCode < 500;
      // Unknown fields are dropped, which leaves an empty body; that is valid for an access token.
      const isFine = name === "instances.accessToken" && answer.statusCode === 200;
      expect([name, known || isFine]).toEqual([name, true]);
    }
  });

  it.each([
    "page=0",
    "page=x",
    "page_size=0",
    "page_size=-2",
    "page_size=1e9",
    "ordering=password",
    "state=NOWHERE",
    "arch=mips",
    "page=1&page=2",
  ])("answers 4xx or ignores the query %j", async (query) => {
    const { as } = await createTestApp();
    const robin = await as({ role: "manager" });
    for (const { name, route } of guarded.filter((each) => each.route.query && each.route.method === "GET")) {
      const answer = await robin.get(`${pathOf(route, unknown)}?${query}`);
      expect([name, answer.statusCode < 500]).toEqual([name, true]);
    }
  });

  it("answers 404 for a UUID of another version, and 400 for anything that is not a UUID", async () => {
    const { as, call } = await createTestApp();
    const { headers } = await as({ role: "manager" });
    // To a manager, the operator's are not there with any.
    for (const { name, route } of guarded.filter((each) => each.route.params && each.route.access !== "operator")) {
      const ask = async (uuid: string) => {
        const needed = { instance_name: "one", name: "one", action: "update", password: "one" };
        const confirming = { setup_ticket: "one", code: "one", is_required: true };
        const response = { clientDataJSON: "", attestationObject: "" };
        const credential = { id: "", rawId: "", type: "public-key", response };
        const scenario = { steps: [{ battery: { level: 9 } }] };
        const people = { user_uuids: [unknown], user_uuid: unknown, original_group_uuid: null };
        const paying = { cancel_at_period_end: true, is_default: true };
        const others = {
          status: "paused",
          can_control: true,
          claim: null,
          groups: [],
          hours: 24,
          since: new Date().toISOString(),
        };
        const fields = {
          ...trialForm,
          ...premiumForm,
          ...anAddress,
          ...paying,
          ...others,
          ...needed,
          ...confirming,
          ...people,
          organizations: [unknown],
          credential,
          scenario,
        };
        const sample = await sampleOf(route, fields);
        const answer = await call(route.method, pathOf(route, uuid), {
          ...sample,
          headers: { ...headers, ...sample.headers },
        });
        return [name, answer.statusCode, answer.json().code.replace(/^.*(?=_NOT_FOUND$)/, "")];
      };
      expect(await ask("9b2f1f6e-7f4b-1c38-8b0a-0a4c0a6f2a11")).toEqual([name, 404, "_NOT_FOUND"]);
      expect(await ask("9b2f1f6e-7f4b-1c38-8b0a")).toEqual([name, 400, "INVALID_IDENTIFIER"]);
    }
  });

  it.each([
    "/v3/recipes?arch=",
    "/v3/recipes?form_factor=",
    "/v1/os-images?arch=",
    "/v2/instances?state=",
    "/v2/users?users=",
  ])("ignores the empty filter of %s", async (path) => {
    const { as } = await createTestApp();
    const robin = await as({ role: "manager" });
    await robin.start();
    const all = (await robin.get(path.replace(/\?.*/, ""))).json();
    const answer = await robin.get(path);
    expect([answer.statusCode, answer.json().count]).toEqual([200, all.count]);
    expect(all.count).toBeGreaterThan(0);
  });

  it("escapes search terms", async () => {
    const { as } = await createTestApp();
    const robin = await as({ role: "manager" });
    for (const search of ["%", "_", "'; DROP TABLE users; --", "\\", "\u{1F600}"]) {
      for (const path of ["/v2/users", "/v2/instances", "/v3/recipes", "/v1/hardware-profiles", "/v1/os-images"]) {
        const answer = await robin.get(`${path}?search=${encodeURIComponent(search)}`);
        expect([path, answer.statusCode, answer.json().count]).toEqual([path, 200, 0]);
      }
    }
  });

  it("refuses NUL in text", async () => {
    const { as, call } = await createTestApp();
    const robin = await as({ role: "manager" });
    const paths = ["/v2/users?search=%00", "/v2/instances?search=%00", "/v3/recipes?search=%00"];
    for (const path of [...paths, "/v2/users?users=a%00b", "/v2/users?field=uuid&users=%00"]) {
      expect([path, (await robin.get(path)).statusCode]).toEqual([path, 400]);
    }
    expect((await robin.post("/v1/api-tokens", { description: "a\0b" })).statusCode).toBe(400);
    const response = { clientDataJSON: "", attestationObject: "", transports: ["a\0b"] };
    const credential = { id: "", rawId: "", type: "public-key", response };
    const added = await robin.post(`/v1/users/${robin.user.uuid}/passkeys`, { name: "one", credential });
    expect(outcomeOf(added)).toBe("400 invalid_request");
    // It is no path of ours, so it is ignored.
    const resent = await call("POST", "/v1/users/activate/resend?redirect=%00", { body: { email: "a@fern.test" } });
    expect(resent.statusCode).toBe(204);
  });
});

describe("the service", () => {
  it("allows browser clients of other origins, without cookies", async () => {
    const { app } = await createTestApp();
    const preflight = await app.http.inject({
      method: "OPTIONS",
      url: "/cloud/v2/instances",
      headers: {
        origin: "https://clients.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "x-api-token",
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-headers": expect.stringContaining("x-api-token"),
    });
    expect(preflight.headers["access-control-allow-credentials"]).toBeUndefined();
  });

  it("answers unknown paths and methods with a code", async () => {
    const { call, app } = await createTestApp();
    expect((await call("GET", "/v1/nothing")).json()).toMatchObject({ code: "ROUTE_NOT_FOUND" });
    expect((await app.http.inject({ method: "GET", url: "/cloud/%zz" })).json()).toMatchObject({
      code: "invalid_request",
    });
  });

  it("answers 405 with an Allow header", async () => {
    const { call, app } = await createTestApp();
    const login = await call("GET", "/v1/users/login");
    expect([login.statusCode, login.json().code, login.headers.allow]).toEqual([405, "METHOD_NOT_ALLOWED", "POST"]);
    const one = await call("DELETE", `/v1/instances/${unknown}`);
    expect([one.statusCode, one.headers.allow]).toEqual([405, "GET"]);
    const patch = await app.http.inject({ method: "PATCH", url: "/cloud/v1/api-tokens" });
    expect([patch.statusCode, patch.headers.allow]).toEqual([405, "GET, POST"]);
    const trace = await app.http.inject({ method: "TRACE" as "GET", url: "/cloud/v1/api-tokens" });
    expect([trace.statusCode, trace.headers.allow]).toEqual([405, "GET, POST"]);
    const written = await app.http.inject({ method: "PATCH", url: "/cloud/v1/%61pi-tokens" });
    expect([written.statusCode, written.headers.allow]).toEqual([405, "GET, POST"]);
    expect((await app.http.inject({ method: "HEAD", url: "/cloud/v1/settings" })).statusCode).toBe(200);
  });

  it.each(["a b", "[::1", "x:99999", "%00", "x/../y", "x#y", "someone@x"])("refuses the host %j", async (host) => {
    const { as, app } = await createTestApp();
    const { headers } = await as();
    const answer = await app.http.inject({ url: "/cloud/v2/users", headers: { ...headers, host } });
    expect([answer.statusCode, answer.json().code]).toEqual([400, "invalid_request"]);
  });

  it.each([
    ["nonsense", "\x16\x03\x01 nonsense\r\n\r\n", 400, "invalid_request"],
    [
      "two lengths",
      "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
      "invalid_request",
    ],
    ["a header too long", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
    ["an upgrade of an unknown path", `GET /nothing HTTP/1.1\r\n${upgrade}`, 404, "ROUTE_NOT_FOUND"],
    ["an upgrade of a page", `GET /cloud/v1/settings HTTP/1.1\r\n${upgrade}`, 404, "ROUTE_NOT_FOUND"],
    [
      "a player with an invalid identifier",
      `GET /cloud/instances/${"-".repeat(36)}/player HTTP/1.1\r\n${upgrade}`,
      404,
      "ROUTE_NOT_FOUND",
    ],
  ])("answers %s with a code and closes the connection", async (_, sent, status, code) => {
    const { port } = await createTestApp({ listen: true });
    const socket = connect({ port, host: "127.0.0.1" });
    socket.write(sent, "latin1");
    const [head, body] = (await text(socket)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body ?? "")).toMatchObject({ code, message: expect.any(String) });
  });

  it("stops once pending requests are answered, despite keep-alive connections", async () => {
    const { app, as, port } = await createTestApp({ listen: true });
    const { user } = await as();
    const arrived = once(app.http.server, "request");
    const answer = fetch(`http://127.0.0.1:${port}/cloud/v1/users/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: user.email, password: user.password }),
    });
    await arrived;
    const stopped = app.stop();
    expect((await answer).status).toBe(200);
    await stopped;
  });

  it("serves its OpenAPI document", async () => {
    const { call } = await createTestApp();
    expect((await call("GET", "/openapi.json")).json()).toMatchObject({ openapi: "3.1.0" });
  });
});
