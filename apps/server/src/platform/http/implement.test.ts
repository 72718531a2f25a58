import { describe, expect, it } from "vitest";
import type { HandlersOf } from "./implement.ts";
import { answerOf, type Init, serveThings } from "./testing/serve-things.ts";
import { elsewhere, type things } from "./testing/things.ts";

describe("a raw body", () => {
  it("arrives byte for byte, whatever its content", async () => {
    const { client } = await serveThings();
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index);
    const given = await client.webhook({ headers: {}, body: bytes });
    expect(given.base64).toBe(Buffer.from(bytes).toString("base64"));
    const body = new Blob([' {"a": 1 }\n'], { type: "text/plain" });
    const signed = await client.webhook({ headers: { "x-signature": "v1=abc" }, body });
    expect(Buffer.from(signed.base64, "base64").toString()).toBe(' {"a": 1 }\n');
    expect(signed.signature).toBe("v1=abc");
  });

  it("may be empty", async () => {
    const { client, url } = await serveThings();
    expect((await client.webhook({ headers: {}, body: new Uint8Array() })).base64).toBe("");
    expect(await (await fetch(`${url}/v1/webhook`, { method: "POST" })).json()).toEqual({ base64: "" });
  });

  it("is refused when it is too large, with or without a content length", async () => {
    const { url } = await serveThings();
    const headers = { "content-type": "application/json" };
    const body = "x".repeat(1001);
    const refused = { status: 413, code: "BODY_TOO_LARGE" };
    expect(await answerOf(`${url}/v1/webhook`, { method: "POST", headers, body })).toMatchObject(refused);
    const chunked: Init = { method: "POST", headers, body: new Blob([body]).stream(), duplex: "half" };
    expect(await answerOf(`${url}/v1/webhook`, chunked)).toMatchObject(refused);
  });

  it("is refused when the route does not accept its media type", async () => {
    const { url } = await serveThings();
    const sent = { method: "POST", headers: { "content-type": "application/xml" }, body: "<a/>" };
    expect(await answerOf(`${url}/v1/webhook`, sent)).toMatchObject({
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
      message: "Send application/json or text/plain.",
    });
  });
});

describe("a JSON body", () => {
  it("is accepted by PATCH, also from other origins, up to the route's own limit", async () => {
    const { client, url } = await serveThings();
    expect(await client.rename({ params: { name: "a" }, body: { name: "b" } })).toEqual({ was: "a", is: "b" });
    const body = JSON.stringify({ name: "x".repeat(100) });
    const headers = { "content-type": "application/json" };
    const refused = await answerOf(`${url}/v1/things/a`, { method: "PATCH", headers, body });
    expect(refused).toMatchObject({ status: 413, code: "BODY_TOO_LARGE" });
    const asked = { origin: "https://clients.example", "access-control-request-method": "PATCH" };
    const preflight = await fetch(`${url}/v1/things/a`, { method: "OPTIONS", headers: asked });
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
  });

  it("cannot be a form", async () => {
    const { url } = await serveThings();
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const answer = await answerOf(`${url}/v1/things/a`, { method: "PATCH", headers, body: "--b--" });
    expect(answer).toMatchObject({ status: 415, message: "Send application/json." });
  });
});

describe("HandlersOf", () => {
  it("does not compile when a noun or a route has no handler", () => {
    type Served = HandlersOf<{ things: Pick<typeof things, "open" | "sent"> }, string>;
    // @ts-expect-error a noun is missing
    const nothing: Served = {};
    // @ts-expect-error a route is missing
    const half: Served = { things: { open: () => elsewhere } };
    const whole: Served = { things: { open: () => elsewhere, sent: () => elsewhere } };
    expect([nothing, half, whole]).toHaveLength(3);
  });
});
