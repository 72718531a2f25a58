import type { Organization, PlanRequest } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp, type TestApp, testSettings } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { addGrant } from "../billing/minutes.ts";
import { aSubscription } from "../billing/testing/plans.ts";
import { anOperator } from "../../testing/operator.ts";
import { decideAsked, premiumForm, trialForm } from "../../testing/plan-requests.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const publicSettings = { ...testSettings, operator: { ...testSettings.operator, contact: "ops@fern.test" } };

async function aManager() {
  const test = await createTestApp({ publicSettings });
  const manager = await test.as({ role: "manager" });
  const organization = manager.user.organization_uuid ?? "";
  const pending = { license_type: "pending", instances_max: 3 } as const;
  await test.db.updateTable("organizations").set(pending).where("uuid", "=", organization).execute();
  const ask = (form: object = trialForm, path = "trial-request", of = organization) =>
    manager.post(`/v1/organizations/${of}/${path}`, form);
  return {
    ...test,
    manager,
    organization,
    ask,
    askPremium: (form: object = premiumForm, of = organization) => ask(form, "premium-offer-request", of),
    license: async () => (await manager.get(`/v1/organizations/${organization}`)).json<Organization>().license,
    decide: (decision: "approve" | "reject") => decideAsked(test, organization, decision),
  };
}

const codeOf = (answer: { statusCode: number; body: string; json(): { code: string } }) =>
  answer.body === "" ? answer.statusCode : (answer.json().code ?? answer.statusCode);

const mailsOf = async ({ db }: Pick<TestApp, "db">) =>
  (
    await sql<{ to: string; subject: string; text: string }>`
      SELECT to_address AS "to", subject, text FROM mails ORDER BY created_at, subject`.execute(db)
  ).rows;

describe("POST /v1/organizations/:uuid/trial-request", () => {
  it("keeps what was asked, and the license as it is until somebody decides", async () => {
    const { clock, ask, license, manager, ...test } = await aManager();
    const before = await license();
    expect(before.trial).toBe(null);
    expect((await ask()).statusCode).toBe(204);
    const trial = {
      kind: "enterprise",
      state: "REQUESTED",
      requested_at: new Date(clock.now()).toISOString(),
      expires_at: null,
    };
    expect(await license()).toEqual({ ...before, trial });
    expect(before.type).toBe("pending");
    const mails = await mailsOf(test);
    expect(Object.fromEntries(mails.map(({ to, subject }) => [to, subject]))).toEqual({
      "ops@fern.test": expect.stringContaining("asks for an enterprise trial"),
      [manager.user.email]: "Your request for an enterprise trial",
    });
    const received = mails.find(({ to }) => to === manager.user.email);
    expect(received?.text).toContain("takes 2 business days");
    expect(mails.find(({ to }) => to === "ops@fern.test")?.text).toContain("use_cases: Tests of our app");
  });

  it.each(["mara@gmail.com", "mara@GMX.de", "mara@mailinator.com", "mara@x.mailinator.com"])(
    "refuses a company %s, which gets no enterprise trial, and a person may have it",
    async (email) => {
      const { ask } = await aManager();
      expect(codeOf(await ask({ ...trialForm, email }))).toBe("COMPANY_EMAIL_NEEDED");
      expect(codeOf(await ask({ ...trialForm, email, type_license: "individual" }))).toBe(204);
    },
  );

  it("asks a person for nothing about a company", async () => {
    const { ask } = await aManager();
    const { first_name, last_name, email, country, use_cases } = trialForm;
    const person = { first_name, last_name, email, country, use_cases, type_license: "Individual" };
    expect((await ask({ ...person, type_license: "enterprise" })).json()).toMatchObject({
      code: "invalid_request",
      fields: expect.arrayContaining([{ field: "company_name", message: "Required" }]),
    });
    expect(codeOf(await ask(person))).toBe(204);
  });

  it.each([
    { first_name: " " },
    { last_name: "x".repeat(251) },
    { email: "mara@" },
    { country: "" },
    { use_cases: "" },
    { use_cases: "x".repeat(2001) },
    { type_license: "everybody" },
    { role: "a\u202eb" },
  ])("refuses %j", async (wrong) => {
    const { ask, license } = await aManager();
    expect(codeOf(await ask({ ...trialForm, ...wrong }))).toBe("invalid_request");
    expect((await license()).trial).toBe(null);
  });

  it("takes one at a time, also of many at once", async () => {
    const { ask } = await aManager();
    const codes = await Promise.all([1, 2, 3].map(async () => codeOf(await ask())));
    expect(codes.map(String).sort()).toEqual(["204", "TRIAL_REQUESTED", "TRIAL_REQUESTED"]);
  });

  it("gives an organization one trial, and lets it ask again after a refusal", async () => {
    const { ask, decide } = await aManager();
    await ask();
    await decide("reject");
    expect(codeOf(await ask())).toBe(204);
    await decide("approve");
    expect(codeOf(await ask())).toBe("TRIAL_USED");
  });

  it("is not for who has a plan", async () => {
    const { db, ask, organization } = await aManager();
    await db.updateTable("organizations").set({ license_type: "fixed" }).where("uuid", "=", organization).execute();
    expect(codeOf(await ask())).toBe("OTHER_PLAN_ACTIVE");
    await db.updateTable("organizations").set({ license_type: "metered" }).where("uuid", "=", organization).execute();
    await aSubscription(db, organization, { plan: "payg", at: new Date("2026-01-05T09:00:00Z") });
    expect(codeOf(await ask())).toBe("OTHER_PLAN_ACTIVE");
  });

  it("is for the managers of the organization alone", async () => {
    const { as, db, organization, ask, askPremium } = await aManager();
    const user = await as({ organization });
    for (const [path, form] of [
      ["trial-request", trialForm],
      ["premium-offer-request", premiumForm],
    ] as const)
      expect(codeOf(await user.post(`/v1/organizations/${organization}/${path}`, form))).toBe("FORBIDDEN");
    const other = await anOrganization(db);
    expect(codeOf(await ask(trialForm, "trial-request", other))).toBe("ORGANIZATION_NOT_FOUND");
    expect(codeOf(await askPremium(premiumForm, other))).toBe("ORGANIZATION_NOT_FOUND");
  });
});

describe("POST /v1/organizations/:uuid/premium-offer-request", () => {
  it("tells the operator, and waits beside a trial", async () => {
    const { ask, askPremium, ...test } = await aManager();
    await ask();
    expect(codeOf(await askPremium())).toBe(204);
    expect(codeOf(await askPremium())).toBe("PREMIUM_REQUESTED");
    const mails = await mailsOf(test);
    expect(mails.filter(({ to }) => to === "ops@fern.test")).toHaveLength(2);
    expect(mails.some(({ text }) => text.includes("business_describe: We test a banking app."))).toBe(true);
  });

  it.each(Object.keys(premiumForm))("refuses one without %s", async (field) => {
    const { askPremium } = await aManager();
    expect(codeOf(await askPremium({ ...premiumForm, [field]: "" }))).toBe("invalid_request");
  });
});

describe("the decision of the operator", () => {
  it.each([
    ["enterprise", 10, 1000],
    ["individual", 2, 60],
  ] as const)(
    "lets an approved %s trial run %d devices for 14 days, with %d minutes in all",
    async (type_license, devices, minutes) => {
      const { clock, ask, license, decide, manager, organization, ...test } = await aManager();
      await addGrant(test.db, organization, 25, new Date(clock.now()));
      await test.db.updateTable("organizations").set({ license_is_active: false }).execute();
      await ask({ ...trialForm, type_license });
      const answer = await decide("approve");
      expect(answer.json()).toMatchObject({ state: "APPROVED", reason: "" });
      const ends = new Date(clock.now() + 14 * DAY_MS).toISOString();
      expect(await license()).toMatchObject({
        is_active: true,
        expires_at: ends,
        instances: { max: devices },
        minuteBalance: minutes,
        trial: { state: "APPROVED", expires_at: ends },
      });
      const mail = (await mailsOf(test)).find(({ subject }) => subject.endsWith("was approved"));
      expect(mail).toMatchObject({ to: manager.user.email });
      expect(mail?.text).toContain(`${devices} devices at once`);
    },
  );

  it("takes no minutes from who has more", async () => {
    const { clock, db, ask, license, decide, organization } = await aManager();
    await addGrant(db, organization, 70, new Date(clock.now()));
    await ask({ ...trialForm, type_license: "individual" });
    await decide("approve");
    expect((await license()).minuteBalance).toBe(70);
  });

  it("ends with its last day, from when on no device starts", async () => {
    const { as, clock, ask, decide, organization } = await aManager();
    await ask();
    await decide("approve");
    await clock.advance(14 * DAY_MS - 1);
    const robin = await as({ organization });
    expect((await robin.start()).statusCode).toBe(201);
    await clock.advance(1);
    expect(codeOf(await robin.start())).toBe("LICENSE_EXPIRED");
  });

  it("rejects with a reason that the managers are told", async () => {
    const { ask, license, decide, ...test } = await aManager();
    const before = await license();
    await ask();
    expect((await decide("reject")).json()).toMatchObject({ state: "REJECTED", reason: "a good fit" });
    expect(await license()).toMatchObject({ ...before, trial: { state: "REJECTED", expires_at: null } });
    const mail = (await mailsOf(test)).find(({ subject }) => subject.endsWith("was rejected"));
    expect(mail?.text).toContain("a good fit");
  });

  it("is made once, whoever decides at the same time", async () => {
    const test = await aManager();
    await test.ask();
    const [one, two] = [await anOperator(test), await anOperator(test)];
    const { results } = (await one.get("/v1/operator/plan-requests")).json<{ results: PlanRequest[] }>();
    const path = `/v1/operator/plan-requests/${results[0]?.uuid}/decision`;
    const answers = await Promise.all(
      [one, two].map(({ post }) => post(path, { decision: "approve", reason: "a good fit" })),
    );
    expect(answers.map((answer) => String(codeOf(answer))).sort()).toEqual(["200", "PLAN_REQUEST_DECIDED"]);
    expect(codeOf(await one.post(path, { decision: "reject", reason: "changed my mind" }))).toBe(
      "PLAN_REQUEST_DECIDED",
    );
  });

  it("begins no trial beside a plan that was chosen meanwhile", async () => {
    const { db, ask, decide, organization, license } = await aManager();
    await ask();
    await db.updateTable("organizations").set({ license_type: "fixed" }).where("uuid", "=", organization).execute();
    expect(codeOf(await decide("approve"))).toBe("OTHER_PLAN_ACTIVE");
    expect((await license()).trial).toMatchObject({ state: "REQUESTED" });
  });

  it("of a Premium plan changes no license", async () => {
    const { askPremium, license, decide } = await aManager();
    const before = await license();
    await askPremium();
    expect((await decide("approve")).json()).toMatchObject({ kind: "premium", state: "APPROVED" });
    expect(await license()).toEqual(before);
  });

  it("is recorded with its reason, which the managers read", async () => {
    const { ask, decide, organization, db } = await aManager();
    await ask();
    await decide("approve");
    const records = await db
      .selectFrom("audit_records")
      .select(["action", "details"])
      .where("organization_uuid", "=", organization)
      .where("actor_kind", "=", "operator")
      .orderBy("action")
      .execute();
    expect(records).toEqual([
      { action: "organization.grant_minutes", details: { minutes: 1000, reason: "a good fit" } },
      { action: "organization.set_license", details: expect.objectContaining({ reason: "a good fit" }) },
      { action: "organization.set_limit", details: { instances_max: 10, reason: "a good fit" } },
      { action: "trial.approve", details: { kind: "enterprise", reason: "a good fit" } },
    ]);
  });
});

describe("GET /v1/operator/plan-requests", () => {
  it("lists by state, kind and words, the latest first", async () => {
    const test = await aManager();
    const { clock, ask, askPremium } = test;
    await ask();
    await clock.advance(1000);
    await askPremium({ ...premiumForm, email: "zoe@fern.example" });
    const operator = await anOperator(test);
    const kinds = async (query: string) =>
      (await operator.get(`/v1/operator/plan-requests?${query}`))
        .json<{ results: PlanRequest[] }>()
        .results.map(({ kind }) => kind);
    expect(await kinds("")).toEqual(["premium", "enterprise"]);
    expect(await kinds("kind=enterprise,individual")).toEqual(["enterprise"]);
    expect(await kinds("state=APPROVED")).toEqual([]);
    expect(await kinds("search=ZOE@fern")).toEqual(["premium"]);
    const { email } = test.manager.user;
    expect(await kinds(`search=${email}`)).toEqual(["premium", "enterprise"]);
    await test.db.updateTable("organizations").set({ name: "Glass" }).where("uuid", "=", test.organization).execute();
    expect(await kinds("search=glas")).toEqual(["premium", "enterprise"]);
    expect(await kinds("search=%25")).toEqual([]);
    expect(await kinds("page_size=1&page=2")).toEqual(["enterprise"]);
  });
});
