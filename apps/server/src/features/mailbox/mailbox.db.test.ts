import { describe, expect, it } from "vitest";
import { markSent } from "../../platform/mail/mail-rows.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { createTestApp, testSettings } from "../../testing/app.ts";

const unknown = [404, "ROUTE_NOT_FOUND"];

/** A demonstration that would have sent some mails. */
async function open({
  has_mailbox = true,
  ...options
}: Parameters<typeof createTestApp>[0] & { has_mailbox?: boolean } = {}) {
  const publicSettings = { ...testSettings, has_mailbox };
  const test = await createTestApp({ ...options, publicSettings });
  const { db, clock, call } = test;
  for (const subject of ["First", "Second"]) {
    await clock.advance(1000);
    await sendMail(db, clock, {
      to: { address: "zoe@fern.test" },
      subject,
      text: `${subject} text`,
      html: `<p>${subject}</p>`,
    });
  }
  const list = async (headers: Record<string, string> = {}, from?: string) => {
    const answer = await call("GET", "/v1/mailbox", { headers, ...(from === undefined ? {} : { from }) });
    const body = answer.json<{ code?: string; mails: { uuid: string; subject: string }[] }>();
    return { answer: [answer.statusCode, body.code], results: body.mails };
  };
  return { ...test, list };
}

describe("the mailbox of a demonstration", () => {
  it("lists the mails that would have been sent, the newest first, and shows each", async () => {
    const { list, call, clock } = await open();
    const { answer, results } = await list();
    expect(answer).toEqual([200, undefined]);
    const created_at = new Date(clock.now()).toISOString();
    expect(results).toMatchObject([{ subject: "Second", to: "zoe@fern.test", created_at }, { subject: "First" }]);
    expect(JSON.stringify(results)).not.toContain("<p>");
    const mail = await call("GET", `/v1/mailbox/${results[1]?.uuid}`);
    expect(mail.json()).toEqual({ ...results[1], text: "First text", html: "<p>First</p>" });
  });

  it("does not know a mail that does not exist, or was sent before", async () => {
    const { list, call, db } = await open();
    const uuid = (await list()).results[0]?.uuid ?? "";
    await markSent(db, uuid, new Date());
    expect((await list()).results).toHaveLength(1);
    for (const other of [uuid, "9b2f1f6e-7f4b-4c38-8b0a-0a4c0a6f2a11"])
      expect((await call("GET", `/v1/mailbox/${other}`)).json().code).toBe("MAIL_NOT_FOUND");
  });

  it.each([
    ["another machine", {}, "192.168.1.9"],
    ["a page whose name was pointed at this machine", { host: "evil.example:8080" }],
    ["another name of this machine", { host: "192.168.1.9:8080" }],
    ["a proxy that was not declared", { "x-forwarded-for": "203.0.113.1" }],
    ["a proxy that was not declared, of another kind", { forwarded: "for=203.0.113.1" }],
  ])("is unknown to %s", async (_, headers, from?: string) => {
    const { list, call } = await open();
    const uuid = (await list()).results[0]?.uuid;
    expect((await list(headers, from)).answer).toEqual(unknown);
    const mail = await call("GET", `/v1/mailbox/${uuid}`, { headers, ...(from ? { from } : {}) });
    expect([mail.statusCode, mail.json().code]).toEqual(unknown);
  });

  it("is closed to pages of others, though they are on this machine", async () => {
    const { list } = await open();
    expect((await list({ origin: "http://localhost:3000" })).answer).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
  });

  it("answers a proxy nothing of what it answers this machine at the same moment", async () => {
    const { list } = await open();
    const answers = await Promise.all([list(), list({ "x-forwarded-for": "203.0.113.1" }), list()]);
    expect(answers.map(({ answer }) => answer[0])).toEqual([200, 404, 200]);
  });
});

it("has no mailbox, unless it is a demonstration", async () => {
  const { list, as } = await open({ has_mailbox: false });
  expect((await list()).answer).toEqual(unknown);
  const manager = await as({ role: "manager" });
  expect((await manager.get("/v1/mailbox")).statusCode).toBe(404);
});
