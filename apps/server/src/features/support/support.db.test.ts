import { sql } from "kysely";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestApp, type TestApp } from "../../testing/app.ts";
import { JobWorker } from "../../platform/jobs/worker.ts";
import { callSupportWebhook } from "./support.jobs.ts";
import { createLog } from "../../platform/log.ts";
import { readSettings } from "../../settings.ts";

const body = { email: "zoe@fern.test", message: "It is slow.\n\nVery slow.", page: "/launchpad" };
const support = { email: "help@fern.test", webhook: undefined };
const codeOf = (answer: { statusCode: number; body: string; json(): { code: string } }) =>
  answer.body === "" ? answer.statusCode : answer.json().code;

/** The operator's end of the webhook. */
async function aTarget(status = 204) {
  const got: unknown[] = [];
  const server = createServer((request, response) => {
    void json(request).then((message) => {
      got.push(message);
      response.writeHead(status).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { got, webhook: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in` };
}

const mailsOf = async ({ db }: Pick<TestApp, "db">) => {
  const { rows } = await sql<{ to_address: string; subject: string; text: string; html: string }>`
    SELECT to_address, subject, text, html FROM mails`.execute(db);
  return rows;
};

describe("POST /v1/support", () => {
  it("mails the message to the operator, with who wrote it and from where", async () => {
    const test = await createTestApp({ support });
    expect((await test.call("POST", "/v1/support", { body })).statusCode).toBe(204);
    const mails = await mailsOf(test);
    expect(mails).toMatchObject([{ to_address: "help@fern.test", subject: "Terrarium support: zoe@fern.test" }]);
    for (const part of ["It is slow.", "Very slow.", "/launchpad"]) expect(mails[0]?.text).toContain(part);
  });

  it("reaches the mailbox of a service that was set up by nobody", async () => {
    const test = await createTestApp({ support: readSettings({}).operator.support });
    expect(codeOf(await test.call("POST", "/v1/support", { body }))).toBe(204);
    expect(await mailsOf(test)).toHaveLength(1);
  });

  it("says what is feedback", async () => {
    const test = await createTestApp({ support });
    await test.call("POST", "/v1/support", { body: { ...body, topic: "feedback" } });
    expect(await mailsOf(test)).toMatchObject([{ subject: "Terrarium feedback: zoe@fern.test" }]);
  });

  it("writes what somebody typed as text, never as markup", async () => {
    const test = await createTestApp({ support });
    await test.call("POST", "/v1/support", { body: { ...body, message: "<img src=x onerror=alert(1)>" } });
    const [mail] = await mailsOf(test);
    expect(mail?.html).not.toContain("<img");
    expect(mail?.html).toContain("&lt;img");
  });

  it("is not there if the operator named no target", async () => {
    const { call } = await createTestApp();
    expect(codeOf(await call("POST", "/v1/support", { body }))).toBe("SUPPORT_NOT_AVAILABLE");
  });

  it.each([
    { message: " " },
    { message: "x".repeat(5001) },
    { message: "a\0b" },
    { email: "zoe@" },
    { page: "https://x" },
  ])("refuses %j", async (wrong) => {
    const test = await createTestApp({ support });
    expect(codeOf(await test.call("POST", "/v1/support", { body: { ...body, ...wrong } }))).toBe("invalid_request");
    expect(await mailsOf(test)).toEqual([]);
  });

  it("takes five messages an hour from an address", async () => {
    const { call, clock } = await createTestApp({ support });
    const send = async (from = "203.0.113.9") => codeOf(await call("POST", "/v1/support", { body, from }));
    expect([await send(), await send(), await send(), await send(), await send(), await send()]).toEqual([
      204,
      204,
      204,
      204,
      204,
      "TOO_MANY_REQUESTS",
    ]);
    expect(await send("198.51.100.7")).toBe(204);
    await clock.advance(3_600_001);
    expect(await send()).toBe(204);
  });

  it("takes 200 an hour from everybody together", async () => {
    const { call } = await createTestApp({ support });
    const send = async (index: number) =>
      codeOf(await call("POST", "/v1/support", { body, from: `203.0.${Math.floor(index / 4)}.9` }));
    const codes = [];
    for (let index = 0; index < 201; index++) codes.push(await send(index));
    expect([codes.filter((code) => code === 204).length, codes.at(-1)]).toEqual([200, "TOO_MANY_REQUESTS"]);
  });
});

describe("the webhook", () => {
  const run = async (target: { webhook: string }, topic?: "feedback") => {
    const test = await createTestApp({ support: { email: undefined, webhook: target.webhook } });
    await test.call("POST", "/v1/support", { body: { ...body, topic } });
    const deps = { support: { email: undefined, webhook: target.webhook } };
    const worker = new JobWorker({
      db: test.db,
      clock: test.clock,
      log: createLog("silent", "test"),
      jobs: [callSupportWebhook],
      deps,
    });
    await worker.runDue();
    const { rows } = await sql<{ error: string | null; isOver: boolean }>`
      SELECT last_error AS error, ended_at IS NOT NULL AS "isOver" FROM jobs`.execute(test.db);
    return rows[0];
  };

  it("gets the message as JSON, with an id and what it is", async () => {
    const target = await aTarget();
    await run(target);
    await run(target, "feedback");
    const message = { ...body, id: expect.any(String), sent_at: expect.any(String) };
    expect(target.got).toEqual([
      { ...message, topic: "support" },
      { ...message, topic: "feedback" },
    ]);
  });

  it("is called again later after an error of its own, and not after a refusal", async () => {
    const [broken, refused] = [await run(await aTarget(503)), await run(await aTarget(400))];
    expect(broken).toEqual({ error: "the webhook replied with 503", isOver: false });
    expect(refused).toEqual({ error: "the webhook replied with 400", isOver: true });
  });
});
