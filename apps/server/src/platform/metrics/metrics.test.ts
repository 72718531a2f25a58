import Fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { addHttpMetrics } from "./http-metrics.ts";
import { Metrics } from "./metrics.ts";
import { startMetricsServer } from "./metrics-server.ts";
import { addPoolMetrics, addProcessMetrics } from "./process-metrics.ts";

/** A line of the text format: a comment, or a series with its labels and a number. */
const LINE =
  /^(# HELP [a-z_]+ [^\n]+|# TYPE [a-z_]+ (counter|gauge|histogram)|[a-z_]+(\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"(,[a-z_]+="(?:[^"\\\n]|\\["\\n])*")*\})? (-?\d+(\.\d+)?(e[+-]?\d+)?))$/;

describe("the metrics of a process", () => {
  it("are written as Prometheus reads them", async () => {
    const metrics = new Metrics();
    const asked = metrics.counter("asked_total", "Asked.");
    const took = metrics.histogram("took_seconds", "Took.", [0.1, 1]);
    metrics.gauge("there", "There.", async () => [{ value: 1.5 }, { labels: { of: 'a "b"\\\n' }, value: 0 }]);
    metrics.gauge("gone", "Gone.", () => Promise.reject(new Error("no database")));
    metrics.gauge("broken", "Broken.", () => {
      throw new Error("no pool");
    });
    metrics.counter("never_total", "Never.");
    asked.add({ route: "/a" });
    asked.add({ route: "/a" }, 2);
    asked.add({ route: "/b" });
    for (const seconds of [0.1, 0.5, 7]) took.observe({ route: "/a" }, seconds);
    const text = await metrics.text();
    expect(text).toBe(
      [
        "# HELP asked_total Asked.",
        "# TYPE asked_total counter",
        'asked_total{route="/a"} 3',
        'asked_total{route="/b"} 1',
        "# HELP took_seconds Took.",
        "# TYPE took_seconds histogram",
        'took_seconds_bucket{route="/a",le="0.1"} 1',
        'took_seconds_bucket{route="/a",le="1"} 2',
        'took_seconds_bucket{route="/a",le="+Inf"} 3',
        'took_seconds_sum{route="/a"} 7.6',
        'took_seconds_count{route="/a"} 3',
        "# HELP there There.",
        "# TYPE there gauge",
        "there 1.5",
        String.raw`there{of="a \"b\"\\\n"} 0`,
        "",
      ].join("\n"),
    );
    for (const line of text.trimEnd().split("\n")) expect(line).toMatch(LINE);
  });

  it("tell how it is doing", async () => {
    const metrics = new Metrics();
    onTestFinished(addProcessMetrics(metrics));
    addPoolMetrics(metrics, () => ({ used: 1, idle: 2, waiting: 3 }));
    const text = await metrics.text();
    for (const line of text.trimEnd().split("\n")) expect(line).toMatch(LINE);
    expect(text).toMatch(/^process_resident_memory_bytes \d{7,}$/m);
    expect(text).toMatch(/^terrarium_event_loop_delay_seconds\{quantile="0.99"\} /m);
    expect(text).toContain('terrarium_database_pool{state="waiting"} 3');
  });

  it("name the template of a route, and never a path or a method that somebody made up", async () => {
    const metrics = new Metrics();
    const app = Fastify();
    onTestFinished(() => app.close());
    addHttpMetrics(metrics, app);
    app.get("/things/:uuid", async () => ({}));
    app.addHttpMethod("PURGE");
    app.route({ method: "PURGE", url: "/things/:uuid", handler: async () => ({}) });
    await app.inject("/things/7f3a91c2?token=secret");
    await app.inject("/secret-path");
    await app.inject({ method: "PURGE" as "GET", url: "/things/7f3a91c2" });
    const text = await metrics.text();
    expect(text).toContain('terrarium_http_requests_total{method="GET",route="/things/:uuid",status="200"} 1');
    expect(text).toContain('terrarium_http_requests_total{method="GET",route="none",status="404"} 1');
    expect(text).toContain('terrarium_http_requests_total{method="other",route="/things/:uuid",status="200"} 1');
    expect(text).not.toMatch(/secret|7f3a91c2/);
  });

  it("are served at an address of their own, and nothing else is", async () => {
    const metrics = new Metrics();
    metrics.gauge("up", "Up.", () => [{ value: 1 }]);
    const { port, stop } = await startMetricsServer(metrics, { host: "127.0.0.1", port: 0 });
    onTestFinished(stop);
    const get = (path: string, method = "GET") => fetch(`http://127.0.0.1:${port}${path}`, { method });
    const reply = await get("/metrics");
    expect([reply.status, reply.headers.get("content-type"), await reply.text()]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "# HELP up Up.\n# TYPE up gauge\nup 1\n",
    ]);
    expect((await get("/")).status).toBe(404);
    expect((await get("/cloud/v1/settings")).status).toBe(404);
    expect((await get("/metrics", "POST")).status).toBe(404);
  });
});
