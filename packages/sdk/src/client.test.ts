import { describe, expect, it } from "vitest";
import { AppError, createClient as create, type ClientOptions } from "./index.ts";

const uuid = "3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3a";

const createClient = (options: ClientOptions) => create({ retries: 0, ...options });

function fakeFetch(response: () => Response) {
  const calls: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    calls.push({ url: url as string, init });
    return response();
  };
  return { calls, fetch };
}

describe("createClient", () => {
  it("sends parameters, lists, body and idempotency key", async () => {
    const { calls, fetch } = fakeFetch(() => Response.json({}));
    const client = createClient({ baseUrl: "http://here", token: () => "abc", fetch });
    await client.recipes.list({ query: { arch: ["arm64", "x86"], search: undefined } });
    await client.recipes.start({ params: { uuid }, body: { instance_name: "one" } }, { idempotencyKey: "k" });
    expect(calls[0]?.url).toBe("http://here/cloud/v3/recipes?arch=arm64&arch=x86");
    expect(calls[1]?.url).toBe(`http://here/cloud/v1/recipes/${uuid}/start-disposable`);
    const headers = new Headers(calls[1]?.init.headers);
    expect([headers.get("authorization"), headers.get("idempotency-key")]).toEqual(["Bearer abc", "k"]);
    expect(calls[1]?.init.body).toBe('{"instance_name":"one"}');
  });

  it("throws an AppError with the server's code", async () => {
    const body = { code: "TOO_MANY_RUNNING_VDS", message: "No.", details: { recipe_uuid: uuid } };
    const { fetch } = fakeFetch(() => Response.json(body, { status: 403 }));
    const reported: string[] = [];
    const client = createClient({ fetch, onError: (error) => reported.push(error.code) });
    await expect(client.instances.get({ params: { uuid } })).rejects.toMatchObject(body);
    expect(reported).toEqual(["TOO_MANY_RUNNING_VDS"]);
  });

  const foreign = [
    ["no body", () => new Response(null, { status: 401 })],
    ["a proxy's page", () => new Response("<h1>401</h1>", { status: 401, headers: { "content-type": "text/html" } })],
    ["foreign JSON", () => Response.json({ error: "unauthorized" }, { status: 401 })],
    ["a code of another status", () => Response.json({ code: "FORBIDDEN", message: "No." }, { status: 401 })],
    ["null", () => Response.json(null, { status: 401 })],
  ] as const;
  it.each(foreign)("reports a 401 with %s as NOT_AUTHENTICATED", async (_, response) => {
    const { fetch } = fakeFetch(response);
    const reported: [string, number][] = [];
    const client = createClient({ fetch, onError: ({ code, status }) => reported.push([code, status]) });
    await expect(client.instances.list({ query: {} })).rejects.toThrow(AppError);
    expect(reported).toEqual([["NOT_AUTHENTICATED", 401]]);
  });

  it.each([400, 409, 500])("takes the server's code at its word when it comes with the status %i", async (status) => {
    const { fetch } = fakeFetch(() => Response.json({ code: "LICENSE_EXPIRED", message: "No." }, { status }));
    await expect(createClient({ fetch }).settings.get()).rejects.toMatchObject({ code: "LICENSE_EXPIRED" });
  });

  it("does not take a code for a 401 that came with another status", async () => {
    const { fetch } = fakeFetch(() => Response.json({ code: "NOT_AUTHENTICATED", message: "No." }, { status: 400 }));
    await expect(createClient({ fetch }).settings.get()).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  });

  it.each([
    [413, "BODY_TOO_LARGE"],
    [418, "INTERNAL_ERROR"],
    [429, "TOO_MANY_REQUESTS"],
    [500, "INTERNAL_ERROR"],
    [502, "SERVICE_UNAVAILABLE"],
  ])("maps the status %i of a foreign response to a code", async (status, code) => {
    const { fetch } = fakeFetch(() => new Response("", { status }));
    await expect(createClient({ fetch }).settings.get()).rejects.toMatchObject({ code });
  });

  it.each([404, 500, 200])("asks about the address where a page comes with the status %i", async (status) => {
    const { fetch } = fakeFetch(() => new Response("<h1>Welcome to nginx!</h1>", { status }));
    await expect(createClient({ fetch }).settings.get()).rejects.toMatchObject({
      code: status === 404 ? "ROUTE_NOT_FOUND" : "INTERNAL_ERROR",
      message: `The server answered ${status} with a page instead of data; is the address right?`,
      facts: { status, isPage: true },
    });
  });

  it("passes a renewed token on", async () => {
    let token = "old";
    const replaced: unknown[] = [];
    const { calls, fetch } = fakeFetch(() =>
      Response.json({}, token === "old" ? { headers: { "x-renewed-token": "new" } } : {}),
    );
    const onToken = (next: string, sent?: string) => {
      replaced.push([sent, next]);
      token = next;
    };
    const client = createClient({ fetch, token: () => token, onToken });
    await client.settings.get();
    await client.settings.get();
    expect(replaced).toEqual([["old", "new"]]);
    expect(calls.map(({ init }) => new Headers(init.headers).get("authorization"))).toEqual([
      "Bearer old",
      "Bearer new",
    ]);
  });

  it("tells what time it is at the service, if a reply says so", async () => {
    const dates = ["Tue, 01 Dec 2026 10:00:00 GMT", "soon", undefined];
    const { fetch } = fakeFetch(() => {
      const date = dates.shift();
      return Response.json({}, date === undefined ? {} : { headers: { date } });
    });
    const times: number[] = [];
    const client = createClient({ fetch, onTime: (time) => times.push(time) });
    for (let call = 0; call < 3; call++) await client.settings.get();
    expect(times).toEqual([Date.UTC(2026, 11, 1, 10)]);
  });

  it("reports that the service cannot be reached", async () => {
    const fetch = (() => Promise.reject(new TypeError("fetch failed"))) as typeof globalThis.fetch;
    await expect(createClient({ fetch }).settings.get()).rejects.toThrow(AppError);
    await expect(createClient({ fetch }).settings.get()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});
