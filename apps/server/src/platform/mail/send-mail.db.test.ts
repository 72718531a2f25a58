import { Writable } from "node:stream";
import { TestClock } from "@terrarium/clock";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { ZodError } from "zod";
import { createTestDatabase } from "../../testing/database.ts";
import { JobWorker } from "../jobs/worker.ts";
import { createLog } from "../log.ts";
import type { Mail } from "./mail.ts";
import { smtpMailer } from "./mailer.ts";
import { deleteOldMails, sendMail, sendMailJob } from "./send-mail.ts";
import { SMTP_PASSWORD as PASSWORD, startSmtp } from "./testing/smtp-server.ts";

const mail: Mail = {
  to: { name: 'Zoë, the "Supervisor"', address: "zoe@fernworks.test" },
  subject: "Grüße aus dem Terrarium",
  text: "A link: https://devices.example.com/join/1",
  html: "<p>A link</p>",
};

async function setUp({ port, password = PASSWORD }: { port?: number; password?: string } = {}) {
  const { db } = await createTestDatabase();
  const clock = new TestClock();
  let written = "";
  const log = createLog(
    "trace",
    "test",
    new Writable({ write: (line, _, done) => ((written += String(line)), done()) }),
  );
  const mailer =
    port === undefined
      ? undefined
      : smtpMailer({
          url: `smtp://terrarium:${password}@127.0.0.1:${port}`,
          from: { name: "Terrarium", address: "devices@terrarium.test" },
        });
  const worker = new JobWorker({ db, clock, log, jobs: [sendMailJob], deps: { db, clock, mailer } });
  return {
    db,
    clock,
    worker,
    written: () => written,
    jobs: async () =>
      (await sql<{ last_error: string }>`SELECT state, attempts, last_error FROM jobs`.execute(db)).rows,
    mails: async () => (await sql<{ uuid: string }>`SELECT * FROM mails`.execute(db)).rows,
  };
}

it("delivers a mail once, as text and HTML, and deletes its content", async () => {
  const smtp = await startSmtp();
  const { db, clock, worker, mails } = await setUp(smtp);
  await sendMail(db, clock, mail, { key: "welcome zoe" });
  await sendMail(db, clock, mail, { key: "welcome zoe" });
  await worker.runDue();
  expect(smtp.received).toHaveLength(1);
  const [{ from, to, content } = { from: "", to: [], content: "" }] = smtp.received;
  expect([from, to]).toEqual(["devices@terrarium.test", ["zoe@fernworks.test"]]);
  expect(content).toMatch(/^From: Terrarium <devices@terrarium.test>\r$/m);
  expect(content).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(content).toContain("Content-Type: text/plain");
  expect(content).toContain("Content-Type: text/html");
  const [row] = await mails();
  expect(content).toContain(`Message-ID: <${row?.uuid}@terrarium.test>`);
  expect(row).toMatchObject({ text: null, html: null, sent_at: new Date(clock.now()) });
});

it("sends nothing when the transaction is rolled back", async () => {
  const { db, clock, mails, jobs } = await setUp();
  const undone = db.transaction().execute(async (trx) => {
    await sendMail(trx, clock, mail);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  expect([await mails(), await jobs()]).toEqual([[], []]);
});

it("does not retry when the recipient is permanently rejected", async () => {
  const { db, clock, worker, jobs, written } = await setUp(await startSmtp());
  await sendMail(db, clock, { ...mail, to: { address: "nobody@fernworks.test" } });
  await worker.runDue();
  expect(await jobs()).toEqual([
    { state: "dead", attempts: 1, last_error: expect.stringContaining("No such mailbox") },
  ]);
  expect(written()).toContain("failed permanently");
  expect(written()).not.toContain(PASSWORD);
});

it("retries when the rejection is temporary", async () => {
  const { db, clock, worker, jobs } = await setUp(await startSmtp());
  await sendMail(db, clock, { ...mail, to: { address: "busy@fernworks.test" } });
  await worker.runDue();
  expect(await jobs()).toMatchObject([{ state: "waiting", attempts: 1 }]);
});

it("retries while the server is down, and delivers when it is back", async () => {
  const smtp = await startSmtp();
  const { db, clock, worker, jobs, written } = await setUp(smtp);
  await smtp.stop();
  await sendMail(db, clock, mail);
  await worker.runDue();
  expect(await jobs()).toMatchObject([{ state: "waiting", attempts: 1 }]);
  await clock.advance(15_000);
  await worker.runDue();
  const back = await startSmtp(smtp.port);
  await clock.advance(29_999);
  await worker.runDue();
  expect(back.received).toEqual([]);
  await clock.advance(1);
  await worker.runDue();
  expect(back.received).toHaveLength(1);
  expect(await jobs()).toMatchObject([{ state: "done", attempts: 3 }]);
  expect(written()).not.toContain(PASSWORD);
});

it("retries while the server rejects our password, without leaking it", async () => {
  const { db, clock, worker, jobs, written } = await setUp({ ...(await startSmtp()), password: "wr0ngs3cret" });
  await sendMail(db, clock, mail);
  await worker.runDue();
  const [job] = await jobs();
  expect(job).toMatchObject({ state: "waiting", attempts: 1 });
  for (const text of [job?.last_error, written()]) {
    expect(text).toContain("Invalid login");
    expect(text).not.toContain("wr0ngs3cret");
    expect(text).not.toContain(Buffer.from("\0terrarium\0wr0ngs3cret").toString("base64"));
  }
});

it.each<Partial<Mail>>([
  { to: { name: "Zoë\r\nBcc: all@fernworks.test", address: "zoe@fernworks.test" } },
  { to: { address: "zoe@fernworks.test\r\nBcc: all@fernworks.test" } },
  { to: { address: "zoe@fernworks.test, all@fernworks.test" } },
  { to: { address: "Zoë <zoe@fernworks.test>" } },
  { subject: "Hello\nBcc: all@fernworks.test" },
])("refuses header injection: %j", async (part) => {
  const { db, clock, mails, jobs } = await setUp();
  await expect(sendMail(db, clock, { ...mail, ...part })).rejects.toThrow(ZodError);
  expect([await mails(), await jobs()]).toEqual([[], []]);
});

it("only stores mails when there is no server, and does not send them later", async () => {
  const { db, clock, worker, mails, jobs } = await setUp();
  await sendMail(db, clock, mail);
  await worker.runDue();
  expect(await jobs()).toMatchObject([{ state: "done" }]);
  expect(await mails()).toMatchObject([{ to_address: "zoe@fernworks.test", text: mail.text, sent_at: null }]);
});

it("deletes mails after 30 days", async () => {
  const { db, clock, mails } = await setUp();
  await sendMail(db, clock, mail);
  await clock.advance(30 * 24 * 60 * 60 * 1000);
  await deleteOldMails.run({ db, clock });
  expect(await mails()).toHaveLength(1);
  await clock.advance(1);
  await deleteOldMails.run({ db, clock });
  expect(await mails()).toEqual([]);
});
