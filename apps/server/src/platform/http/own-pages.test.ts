import { describe, expect, it } from "vitest";
import type { Origins } from "./own-pages.ts";
import { serveThings } from "./testing/serve-things.ts";

/** The reply to a call of a route for our own pages, as a browser would make it. */
async function callFrom(origin: string | undefined, host: string, origins: Origins = {}) {
  const { app } = await serveThings(undefined, origins);
  const headers = { host, ...(origin === undefined ? {} : { origin }) };
  const call = await app.inject({ method: "PATCH", url: "/cloud/v1/things/a/", headers, payload: { name: "b" } });
  const preflight = await app.inject({
    method: "OPTIONS",
    url: "/cloud/v1/things/a",
    headers: { ...headers, "access-control-request-method": "PATCH" },
  });
  return {
    status: call.statusCode,
    code: call.json().code,
    vary: call.headers.vary,
    allows: [call, preflight].map((reply) => reply.headers["access-control-allow-origin"]),
  };
}

const refused = { status: 403, code: "ORIGIN_NOT_ALLOWED", allows: [undefined, undefined] };
const publicUrl = "https://devices.example/";
const allowedOrigins = ["https://partner.example"];

describe("a route for our own pages", () => {
  it.each([
    ["no page", undefined, "localhost:8080"],
    ["no page, at any name", undefined, "devices.corp.example"],
    ["the page at localhost", "http://localhost:8080", "localhost:8080"],
    ["the page of a server that passes its Host on", "http://localhost:5173", "localhost:5173"],
    ["the page at an address", "http://192.168.1.9:8080", "192.168.1.9:8080"],
    ["the page at an IPv6 address", "http://[::1]:8080", "[::1]:8080"],
  ])("answers %s", async (_, origin, host) => {
    expect(await callFrom(origin, host)).toMatchObject({ status: 200, allows: [undefined, undefined] });
  });

  it.each([
    ["a foreign page", "https://evil.example", "localhost:8080"],
    ["a page without an origin of its own", "null", "localhost:8080"],
    ["a page of another program of this machine", "http://localhost:3000", "localhost:8080"],
    ["a page of another scheme", "https://localhost:8080", "localhost:8080"],
    ["a page whose name was pointed at this machine", "http://evil.example:8080", "evil.example:8080"],
  ])("refuses %s", async (_, origin, host) => {
    expect(await callFrom(origin, host)).toMatchObject(refused);
  });

  it("answers pages of the public URL and of allowed origins only, where these are set", async () => {
    const from = (origin: string, host = "devices.example") => callFrom(origin, host, { publicUrl, allowedOrigins });
    expect((await from("https://devices.example", "10.0.0.7:8080")).status).toBe(200);
    expect(await from("https://partner.example")).toMatchObject({
      status: 200,
      vary: "Origin",
      allows: ["https://partner.example", "https://partner.example"],
    });
    for (const origin of ["http://devices.example", "https://sub.partner.example", "http://localhost:8080", "null"])
      expect(await from(origin, new URL(origin === "null" ? publicUrl : origin).host)).toMatchObject(refused);
  });
});

it("leaves every other route open to all origins", async () => {
  const { app } = await serveThings(undefined, { publicUrl });
  const headers = { origin: "https://evil.example", authorization: "Bearer t" };
  const reply = await app.inject({ url: "/cloud/v1/report?type=text/csv", headers });
  expect([reply.statusCode, reply.headers["access-control-allow-origin"]]).toEqual([200, "*"]);
});
