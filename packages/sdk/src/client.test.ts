import { describe, expect, it } from "vitest";
import { AppError, createClient } from "./index.ts";

const uuid = "3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3a";

function answering(response: () => Response) {
  const calls: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    calls.push({ url: url as string, init });
    return response();
  };
  return { calls, fetch };
}

describe("createClient", () => {
  it("puts parameters, lists, body and key where the service reads them", async () => {
    const { calls, fetch } = answering(() => Response.json({}));
    const client = createClient({ baseUrl: "http://here", token: () => "abc", fetch });
    await client.recipes.list({ query: { arch: ["arm64", "x86"], search: undefined } });
    await client.recipes.start({ params: { uuid }, body: { instance_name: "one" } }, { idempotencyKey: "k" });
    expect(calls[0]?.url).toBe("http://here/cloud/v3/recipes?arch=arm64&arch=x86");
    expect(calls[1]?.url).toBe(`http://here/cloud/v1/recipes/${uuid}/start-disposable`);
    const headers = new Headers(calls[1]?.init.headers);
    expect([headers.get("authorization"), headers.get("idempotency-key")]).toEqual(["Bearer abc", "k"]);
    expect(calls[1]?.init.body).toBe('{"instance_name":"one"}');
  });

  it("throws the service's code", async () => {
    const { fetch } = answering(() => Response.json({ code: "TOO_MANY_RUNNING_VDS", message: "No." }, { status: 403 }));
    const heard: string[] = [];
    const client = createClient({ fetch, onError: (error) => heard.push(error.code) });
    await expect(client.instances.get({ params: { uuid } })).rejects.toMatchObject({
      code: "TOO_MANY_RUNNING_VDS",
      message: "No.",
    });
    expect(heard).toEqual(["TOO_MANY_RUNNING_VDS"]);
  });

  const foreign = [
    ["nothing", () => new Response(null, { status: 401 })],
    ["a proxy's page", () => new Response("<h1>401</h1>", { status: 401, headers: { "content-type": "text/html" } })],
    ["JSON of somebody else", () => Response.json({ error: "unauthorized" }, { status: 401 })],
    ["a code of another status", () => Response.json({ code: "FORBIDDEN", message: "No." }, { status: 401 })],
    ["null", () => Response.json(null, { status: 401 })],
  ] as const;
  it.each(foreign)("tells a 401 with %s as one", async (_, response) => {
    const { fetch } = answering(response);
    const heard: [string, number][] = [];
    const client = createClient({ fetch, onError: ({ code, status }) => heard.push([code, status]) });
    await expect(client.instances.list({ query: {} })).rejects.toThrow(AppError);
    expect(heard).toEqual([["NOT_AUTHENTICATED", 401]]);
  });

  it.each([
    [413, "BODY_TOO_LARGE"],
    [418, "INTERNAL_ERROR"],
    [429, "TOO_MANY_REQUESTS"],
    [500, "INTERNAL_ERROR"],
    [502, "SERVICE_UNAVAILABLE"],
  ])("goes by the status %i of an answer that is not the service's", async (status, code) => {
    const { fetch } = answering(() => new Response("", { status }));
    await expect(createClient({ fetch }).settings.get()).rejects.toMatchObject({ code });
  });

  it("keeps the renewed token", async () => {
    const tokens: string[] = [];
    const { fetch } = answering(() => Response.json({}, { headers: { "x-renewed-token": "new" } }));
    await createClient({ fetch, onToken: (token) => tokens.push(token) }).settings.get();
    expect(tokens).toEqual(["new"]);
  });

  it("says that the service cannot be reached", async () => {
    const fetch = (() => Promise.reject(new TypeError("fetch failed"))) as typeof globalThis.fetch;
    await expect(createClient({ fetch }).settings.get()).rejects.toThrow(AppError);
    await expect(createClient({ fetch }).settings.get()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});
