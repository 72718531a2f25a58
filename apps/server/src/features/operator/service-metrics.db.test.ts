import { readFile } from "node:fs/promises";
import { expect, it, onTestFinished } from "vitest";
import { Metrics } from "../../platform/metrics/metrics.ts";
import { addPoolMetrics, addProcessMetrics } from "../../platform/metrics/process-metrics.ts";
import { createTestApp } from "../../testing/app.ts";
import { aFailedJob } from "../../testing/operator.ts";
import { addServiceMetrics } from "./service-metrics.ts";

const dashboard = new URL("../../../../../deploy/grafana/terrarium.json", import.meta.url);

it("tells of devices, gateways, jobs and requests, and of nothing that a customer named", async () => {
  const metrics = new Metrics();
  const test = await createTestApp({ metrics });
  addServiceMetrics(metrics, test);
  const robin = await test.as();
  await robin.start({ instance_name: "secret-name" });
  await aFailedJob(test);
  await test.db.insertInto("gateways").values({ id: "east", address: "127.0.0.1:1", zones: null }).execute();
  await robin.get(`/v1/users/${robin.user.uuid}?secret=1`);
  await test.clock.advance(90_000);
  const text = await metrics.text();
  expect(text).toContain('terrarium_devices{state="CREATING"} 1');
  expect(text).toContain("terrarium_devices_unattended 1");
  expect(text).toContain('terrarium_gateway_devices{gateway="east"} 0');
  expect(text).toContain('terrarium_jobs{name="send-mail",state="failed"} 1');
  expect(text).toMatch(/^terrarium_jobs_oldest_late_seconds \d/m);
  expect(text).toContain('terrarium_http_requests_total{method="GET",route="/cloud/v1/users/:uuid",status="200"} 1');
  for (const secret of [robin.user.uuid, robin.user.email, "secret"]) expect(text).not.toContain(secret);
});

it("has every number that the dashboard shows", async () => {
  const metrics = new Metrics();
  const test = await createTestApp({ metrics });
  addServiceMetrics(metrics, test);
  onTestFinished(addProcessMetrics(metrics));
  addPoolMetrics(metrics, () => ({ used: 0, idle: 0, waiting: 0 }));
  const robin = await test.as();
  await robin.start();
  await aFailedJob(test);
  await test.db.insertInto("gateways").values({ id: "east", address: "127.0.0.1:1", zones: null }).execute();
  const told = new Set((await metrics.text()).match(/^[a-z_]+(?=[{ ])/gm));
  // It is told by gateways, which have displays.
  told.add("terrarium_viewers");
  const { panels } = JSON.parse(await readFile(dashboard, "utf8")) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const shown = panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(?:terrarium|process)_[a-z_]+/g) ?? []),
  );
  expect(shown.length).toBeGreaterThan(10);
  expect(shown.filter((name) => !told.has(name))).toEqual([]);
});
