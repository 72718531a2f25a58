import { TestClock } from "@terrarium/clock";
import Fastify from "fastify";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { addHttpSpans } from "./http-spans.ts";
import { inSpan, traceQuery } from "./in-span.ts";
import { startTracing } from "./start-tracing.ts";

interface Sent {
  name: string;
  spanId: string;
  parentSpanId?: string;
  traceId: string;
  kind: number;
  status: { code?: number; message?: string };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** A collector, and what came to it. */
async function collector() {
  const spans: Sent[] = [];
  const paths = new Set<string | undefined>();
  const server = createServer((request, response) => {
    paths.add(request.url);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as {
        resourceSpans: { scopeSpans: { spans: Sent[] }[] }[];
      };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { spans, paths, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function tracedApp(share = 1) {
  const { spans, paths, url } = await collector();
  const stop = await startTracing({ endpoint: url, share }, { role: "api", version: "1", clock: new TestClock() });
  const app = Fastify();
  onTestFinished(() => app.close());
  addHttpSpans(app);
  app.post("/things/:uuid", async () => {
    await inSpan("store", {}, async () =>
      traceQuery({ text: "\n select * from things where uuid = $1", tookMs: 5, hasFailed: false }),
    );
    return {};
  });
  app.get("/broken", () => inSpan("look", {}, () => Promise.reject(new TypeError("secret words"))));
  return {
    app,
    /** What the collector has by the end. */
    async sent() {
      await stop();
      return { spans, paths, named: (name: string) => spans.find((span) => span.name === name) };
    },
  };
}

it("shows a request with what it did, also after its body came, and names nothing of a customer's", async () => {
  const { app, sent } = await tracedApp();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const headers = { traceparent };
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const body = JSON.stringify({ name: "secret".repeat(50_000) });
  const type = { "content-type": "application/json" };
  await fetch(`${url}/things/7f3a91c2?token=secret`, { method: "POST", body, headers: { ...headers, ...type } });
  traceQuery({ text: "select 1", tookMs: 1, hasFailed: false });
  const { spans, paths, named } = await sent();
  expect([...paths]).toEqual(["/v1/traces"]);
  const [request, store, query] = [named("POST /things/:uuid"), named("store"), named("SELECT")];
  expect(spans).toHaveLength(3);
  expect(request?.parentSpanId).toBeUndefined();
  expect(store?.parentSpanId).toBe(request?.spanId);
  expect(query?.parentSpanId).toBe(store?.spanId);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(JSON.stringify(spans)).not.toMatch(/secret|7f3a91c2|0af7651916cd43dd8448eb211c80319c/);
  const facts = Object.fromEntries(request?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? []);
  expect(facts).toEqual({
    "http.request.method": "POST",
    "http.route": "/things/:uuid",
    "http.response.status_code": 200,
  });
});

it("marks what failed by the kind of its error, without its words", async () => {
  const { app, sent } = await tracedApp();
  await app.inject("/broken");
  const { spans, named } = await sent();
  expect(named("look")?.status).toEqual({ code: 2, message: "TypeError" });
  expect(named("GET /broken")?.status.code).toBe(2);
  expect(JSON.stringify(spans)).not.toContain("secret");
});

it("tells of requests whose client hangs up", async () => {
  const { app, sent } = await tracedApp();
  const asked = Promise.withResolvers<void>();
  const hungUp = Promise.withResolvers<void>();
  app.get("/slow", async (request) => {
    asked.resolve();
    await new Promise<void>((resolve) => request.raw.socket.once("close", resolve));
    setImmediate(hungUp.resolve);
    return {};
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const end = new AbortController();
  const asking = fetch(`${url}/slow`, { signal: end.signal }).catch(() => undefined);
  await asked.promise;
  end.abort();
  await Promise.all([asking, hungUp.promise]);
  const { named } = await sent();
  expect(JSON.stringify(named("GET /slow")?.attributes)).toContain("499");
});

it("leaves out what is not in the share", async () => {
  const { app, sent } = await tracedApp(0);
  await app.inject({ method: "POST", url: "/things/1" });
  expect((await sent()).spans).toEqual([]);
});

it("goes on without a collector, and ends a second later", async () => {
  const clock = new TestClock();
  const service = { role: "jobs", version: "1", clock };
  const stop = await startTracing({ endpoint: "http://127.0.0.1:1", share: 1 }, service);
  await expect(inSpan("work", {}, async () => "done")).resolves.toBe("done");
  const stopped = stop();
  await clock.advance(1_000);
  await stopped;
});
