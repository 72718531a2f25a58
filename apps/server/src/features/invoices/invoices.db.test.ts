import { AppError, type Invoice, type InvoiceDetail, invoiceState, limits } from "@terrarium/contract";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { JobWorker } from "../../platform/jobs/worker.ts";
import { createLog } from "../../platform/log.ts";
import { sealerFor } from "../../platform/sealer.ts";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization, aUser } from "../../testing/factories.ts";
import { byService } from "../audit/by.ts";
import type { ChargeOutcome } from "../payments/payment-provider.ts";
import { InvoiceLinks, linkTimes } from "./invoice-links.ts";
import { mailInvoice, mailInvoiceJob } from "./mail-invoice.ts";
import { getInvoice, invoiceLines, invoiceUrl, listInvoices, payInvoice } from "./invoices.ts";
import { anInvoice } from "./testing/an-invoice.ts";
import { readPdf } from "./testing/read-pdf.ts";

const path = "/v1/billing/transactions";
const day = (number: number) => new Date(Date.UTC(2026, 0, number));

async function setUp() {
  const test = await createTestApp();
  const manager = await test.as({ role: "manager" });
  const organization = manager.user.organization_uuid!;
  const list = async (query = "") =>
    (await manager.get(`${path}?${query}`)).json<{ count: number; results: Invoice[] }>();
  return { ...test, manager, organization, list };
}

/** The path of a link, as the test app takes it. */
const pathOf = (url: string) => new URL(url).pathname.replace("/cloud", "");

describe("GET /v1/billing/transactions", () => {
  it("lists the organization's invoices, the newest first, with what became of them", async () => {
    const { db, organization, list } = await setUp();
    await anInvoice(db, await anOrganization(db));
    const old = await anInvoice(db, organization, { created_at: day(1), statuses: ["PENDING", "ACCEPTED"] });
    const failed = await anInvoice(db, organization, { created_at: day(8), statuses: ["PENDING", "FAILED"] });
    const { count, results } = await list();
    expect([count, results.map(({ uuid }) => uuid)]).toEqual([2, [failed, old]]);
    expect(results[1]).toEqual({
      uuid: old,
      created_at: "2026-01-01T00:00:00.000Z",
      amount: 300,
      currency: "USD",
      status_history: [
        { status: "PENDING", created_at: "2026-01-01T00:00:00.000Z" },
        { status: "ACCEPTED", created_at: "2026-01-01T00:00:00.000Z" },
      ],
      ref_transaction: null,
      invoice_number: "INV-000002",
      invoice_ready: true,
      payment_url: null,
      plan: { usage_type: "metered" },
      period_start: "2026-01-05T00:00:00.000Z",
      period_end: "2026-01-12T00:00:00.000Z",
      due_at: "2026-02-11T00:00:00.000Z",
    });
  });

  it.each([
    ["created_at", [1, 2, 3]],
    ["-created_at", [3, 2, 1]],
    ["amount", [2, 1, 3]],
    ["-amount", [3, 1, 2]],
    ["-amount,created_at", [3, 1, 2]],
  ])("orders by %s", async (ordering, expected) => {
    const { db, organization, list } = await setUp();
    for (const [number, minutes] of [
      [1, 20],
      [2, 10],
      [3, 30],
    ] as const)
      await anInvoice(db, organization, { number, created_at: day(number), minutes: [minutes] });
    const { results } = await list(`ordering=${ordering}`);
    expect(results.map(({ invoice_number }) => Number(invoice_number.slice(4)))).toEqual(expected);
  });

  it("keeps those of one moment in the order of their numbers", async () => {
    const { db, organization, list } = await setUp();
    for (const number of [4, 1, 3, 2]) await anInvoice(db, organization, { number, created_at: day(1) });
    for (const [ordering, expected] of [
      ["-created_at", [4, 3, 2, 1]],
      ["amount", [1, 2, 3, 4]],
    ] as const) {
      const { results } = await list(`ordering=${ordering}`);
      expect(results.map(({ invoice_number }) => Number(invoice_number.slice(4)))).toEqual(expected);
    }
  });

  it("lists credit notes only when they are asked for, and tells their invoices how much was paid back", async () => {
    const { db, organization, list } = await setUp();
    const [part, whole] = [await anInvoice(db, organization), await anInvoice(db, organization)];
    const credits = [
      await anInvoice(db, organization, { nature: "CREDIT", refunds_uuid: part, minutes: [20], created_at: day(20) }),
      await anInvoice(db, organization, { nature: "CREDIT", refunds_uuid: whole, minutes: [60], created_at: day(21) }),
    ];
    const invoices = await list("nature=SUBSCRIPTION");
    const refOf = (uuid: string) => invoices.results.find((invoice) => invoice.uuid === uuid)!;
    expect([invoices.count, refOf(part).ref_transaction, refOf(whole).ref_transaction]).toEqual([
      2,
      { uuid: credits[0], amount: 100 },
      { uuid: credits[1], amount: 300 },
    ]);
    expect([invoiceState(refOf(part)), invoiceState(refOf(whole))]).toEqual(["PARTIALLY_REFUNDED", "REFUNDED"]);
    const { results } = await list("nature=CREDIT");
    expect(results.map(({ uuid, amount }) => [uuid, amount])).toEqual([
      [credits[1], -300],
      [credits[0], -100],
    ]);
  });

  it.each([
    ["PENDING", false],
    ["FAILED", true],
    ["ACCEPTED", false],
    ["VOID", false],
    ["UNCOLLECTIBLE", true],
    ["UNKNOWN", false],
  ] as const)("says where to pay one that is %s: %s", async (status, isPaid) => {
    const { db, organization, list } = await setUp();
    const uuid = await anInvoice(db, organization, { statuses: ["PENDING", status] });
    const [invoice] = (await list()).results;
    expect(invoice?.payment_url?.replace(/^.*\/administration/, "") ?? null).toBe(
      isPaid ? `/invoices/${uuid}?pay` : null,
    );
  });

  it("is refused to all but managers, and an order or page that is none", async () => {
    const { as, organization, manager } = await setUp();
    for (const role of ["user", "guest"] as const)
      expect((await (await as(role === "user" ? { organization } : { role })).get(path)).statusCode).toBe(403);
    for (const query of ["ordering=tax", "nature=GIFT", "page=0", "page_size=5001"])
      expect((await manager.get(`${path}?${query}`)).statusCode).toBe(400);
  });

  it("finds pages of 10,000 invoices with as many queries, however deep and large", async () => {
    const { db, organization, manager } = await setUp();
    await sql`INSERT INTO invoices
      SELECT gen_random_uuid(), ${organization}, NULL, n, 'SUBSCRIPTION', NULL, 'metered', now(), now(), 'USD', n % 50, 0, n % 50, NULL, 0, '{}',
        ${day(1)}::timestamptz + n / 3 * interval '1 minute', now() FROM generate_series(1, 10000) n`.execute(db);
    await sql`INSERT INTO invoice_statuses SELECT uuid, 1, 'PENDING', '', now() FROM invoices`.execute(db);
    await sql`ANALYZE invoices, invoice_statuses`.execute(db);
    let asked = 0;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        asked++;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const seen = new Set<string>();
    const counts: number[] = [];
    for (const page of [1, 2, 99, 100]) {
      asked = 0;
      const ordering = [{ field: "amount" as const, descending: true }];
      const query = { page, page_size: 100, nature: "SUBSCRIPTION" as const, ordering };
      const deps = { db: counted, pagesAt: () => "https://devices.example" };
      for (const { uuid } of (await listInvoices(deps, organization, query)).results) seen.add(uuid);
      counts.push(asked);
    }
    expect([seen.size, new Set(counts)]).toEqual([400, new Set([4])]);
    const last = (await manager.get(`${path}?page=667&page_size=15`)).json();
    expect([last.count, last.results.length, last.next]).toEqual([10_000, 10, null]);
    const plan = await sql<{
      "QUERY PLAN": string;
    }>`EXPLAIN SELECT * FROM invoices WHERE organization_uuid = ${organization}
      AND nature = 'SUBSCRIPTION' ORDER BY created_at DESC, uuid DESC LIMIT 15 OFFSET 9000`.execute(db);
    expect(plan.rows.map((row) => row["QUERY PLAN"]).join("\n")).not.toContain("Sort");
  });
});

describe("GET /v1/billing/transactions/:uuid", () => {
  it("tells tax, free minutes and lines", async () => {
    const { db, organization, manager } = await setUp();
    const uuid = await anInvoice(db, organization, {
      minutes: [90, 10],
      tax: 95,
      tax_rate: { display_name: "VAT", jurisdiction: "DE", percentage: 19 },
      balance_used: 60,
    });
    const invoice = (await manager.get(`${path}/${uuid}`)).json<InvoiceDetail>();
    expect(invoice).toMatchObject({
      net: 500,
      tax: 95,
      amount: 595,
      tax_rate: { display_name: "VAT", jurisdiction: "DE", percentage: 19 },
      balance_used: 60,
      bill_to: { name: "Fernworks", company_name: "Fernworks GmbH", vat_number: "" },
      refunds: null,
      line_count: 2,
    });
    expect(invoice.lines[0]).toEqual({
      recipe: "Recipe 0",
      started_at: "2026-01-05T00:00:00.000Z",
      ended_at: "2026-01-05T01:30:00.000Z",
      duration: 5400,
      quantity: 90,
      price: 5,
      amount: 450,
    });
  });

  it("tells of a credit note which invoice it pays back", async () => {
    const { db, organization, manager } = await setUp();
    const refunds_uuid = await anInvoice(db, organization);
    const uuid = await anInvoice(db, organization, { nature: "CREDIT", refunds_uuid });
    const { refunds } = (await manager.get(`${path}/${uuid}`)).json<InvoiceDetail>();
    expect(refunds).toEqual({ uuid: refunds_uuid, invoice_number: "INV-000001" });
  });

  it("tells the first lines of many, and how many there are", async () => {
    const { db, organization, manager } = await setUp();
    const uuid = await anInvoice(db, organization, { minutes: Array.from({ length: 1_200 }, () => 1) });
    const { lines, line_count } = (await manager.get(`${path}/${uuid}`)).json<InvoiceDetail>();
    expect([lines.length, line_count]).toEqual([limits.invoiceLinesShown, 1_200]);
    const file = await manager.get(`${path}/${uuid}/lines`);
    expect(file.headers["content-disposition"]).toContain("INV-000001.csv");
    const rows = file.body.trimEnd().split("\r\n");
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([
      1_201,
      "\uFEFFRecipe,Start (UTC),End (UTC),Duration in seconds,Quantity,Price,Amount",
      "Recipe 2,2026-01-05T00:00:00.000Z,2026-01-05T00:01:00.000Z,60,1,0.05,0.05",
    ]);
  });

  it("answers with as many queries for many lines as for few", async () => {
    const { db, organization } = await setUp();
    let asked = 0;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        asked++;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const queriesFor = async (lines: number) => {
      const uuid = await anInvoice(db, organization, { minutes: Array.from({ length: lines }, () => 1) });
      asked = 0;
      await getInvoice(
        { db: counted, pagesAt: () => "https://devices.example", payments: { minimum: 1 } },
        organization,
        uuid,
      );
      return asked;
    };
    expect([await queriesFor(1), await queriesFor(500)]).toEqual([9, 9]);
  });

  it.each(["", "/lines", "/invoice-url"])(
    "answers of another organization's%s as if it were not there",
    async (what) => {
      const { db, manager } = await setUp();
      const theirs = await anInvoice(db, await anOrganization(db));
      for (const uuid of [theirs, randomUUID()]) {
        const answer = await manager.get(`${path}/${uuid}${what}`);
        expect([answer.statusCode, answer.json().code]).toEqual([404, "INVOICE_NOT_FOUND"]);
      }
    },
  );
});

describe("GET /v1/billing/transactions/:uuid/invoice-url", () => {
  it("answers a link that anybody may open for a while, and no longer", async () => {
    const { db, organization, manager, call, clock } = await setUp();
    const uuid = await anInvoice(db, organization);
    const { url, expires_at } = (await manager.get(`${path}/${uuid}/invoice-url`)).json();
    expect(expires_at).toBe("2026-03-02T09:05:00.000Z");
    const file = await call("GET", pathOf(url));
    expect([file.statusCode, file.headers["content-type"], file.headers["content-disposition"]]).toEqual([
      200,
      "application/pdf",
      expect.stringContaining('filename="INV-000001.pdf"'),
    ]);
    expect((await readPdf(file.rawPayload)).title).toBe("Invoice INV-000001");
    await clock.advance(5 * 60_000);
    const late = await call("GET", pathOf(url));
    expect([late.statusCode, late.json().code]).toEqual([410, "INVOICE_LINK_EXPIRED"]);
  });

  it("opens nothing for a key that was changed, made up, or sealed for something else", async () => {
    const { db, organization, manager, call, clock } = await setUp();
    const uuid = await anInvoice(db, organization);
    const { url } = (await manager.get(`${path}/${uuid}/invoice-url`)).json();
    const key = url.split("/").at(-1)!;
    const other = new InvoiceLinks(await sealerFor(db, "something else"), clock);
    const keys = [
      `${key.slice(0, -4)}AAAA`,
      key.slice(0, 40),
      uuid,
      "..%2f..%2fetc",
      other.make("https://devices.example", uuid, linkTimes.page).url.split("/").at(-1)!,
    ];
    for (const wrong of keys) expect((await call("GET", `/v1/billing/invoice-files/${wrong}`)).statusCode).toBe(404);
  });

  it("names on the PDF who bills whom for what", async () => {
    const { db, organization, manager, call } = await setUp();
    const uuid = await anInvoice(db, organization, {
      currency: "EUR",
      minutes: [90, 10],
      tax: 95,
      tax_rate: { display_name: "VAT", jurisdiction: "DE", percentage: 19 },
    });
    const { url } = (await manager.get(`${path}/${uuid}/invoice-url`)).json();
    const { lines, attached } = await readPdf((await call("GET", pathOf(url))).rawPayload);
    for (const line of [
      "Fern & Glass SAS",
      "Fernworks GmbH",
      "10115 Berlin",
      "Net | €5.00",
      "Tax (19% VAT DE) | €0.95",
      "Total | €5.95",
    ])
      expect(lines).toContain(line);
    expect(lines).toContain("Recipe 0 | 2026-01-05 00:00 | 2026-01-05 01:30 | 90 | €0.05 | €4.50");
    expect(attached["factur-x.xml"]).toContain("<ram:GrandTotalAmount>5.95</ram:GrandTotalAmount>");
  });
});

describe("POST /v1/billing/transactions/:uuid/pay", () => {
  async function paying(outcome: ChargeOutcome) {
    const { db, organization, audit, ...test } = await setUp();
    const charged: string[] = [];
    const collect = async (uuid: string) => {
      charged.push(uuid);
      return outcome;
    };
    const limiter = { take: async () => undefined } as never;
    const deps = { db, audit, limiter, collect, payments: { minimum: 1 } };
    const pay = (uuid: string, who = organization) => payInvoice(deps, who, { uuid }, byService);
    return { ...test, db, organization, pay, charged };
  }

  it.each([
    [
      { kind: "accepted", ref: "a" },
      { outcome: "accepted", reason: null, requires_action: null },
    ],
    [
      { kind: "refused", ref: "b", reason: "Insufficient funds." },
      { outcome: "refused", reason: "Insufficient funds.", requires_action: null },
    ],
    [
      { kind: "requires_action", ref: "c", clientSecret: "secret" },
      { outcome: "requires_action", reason: null, requires_action: { client_secret: "secret" } },
    ],
  ] as const)("answers what became of it, and records it: %j", async (outcome, answer) => {
    const { db, organization, pay, charged, audited } = await paying(outcome);
    const uuid = await anInvoice(db, organization, { statuses: ["PENDING", "FAILED"] });
    expect([await pay(uuid), charged]).toEqual([{ ...answer, amount: 300, also_pays: [] }, [uuid]]);
    expect((await audited()).at(-1)).toMatchObject({
      action: "invoice.pay",
      subject: `invoice ${uuid}`,
      details: { number: "INV-000001", outcome: outcome.kind, amount: 300 },
    });
  });

  it("charges nothing for credit notes and other organizations' invoices", async () => {
    const { db, organization, pay, charged } = await paying({ kind: "accepted", ref: "a" });
    const credit = await anInvoice(db, organization, { nature: "CREDIT" });
    await expect(pay(credit)).rejects.toThrow(expect.objectContaining({ code: "INVOICE_NOT_PAYABLE" }));
    const theirs = await anInvoice(db, await anOrganization(db));
    await expect(pay(theirs)).rejects.toThrow(expect.objectContaining({ code: "INVOICE_NOT_FOUND" }));
    expect(charged).toEqual([]);
  });
});

it("makes no file and charges nothing for who has asked too often", async () => {
  const { db, organization, audit } = await setUp();
  const uuid = await anInvoice(db, organization);
  const taken: string[] = [];
  const take = async ({ name }: { name: string }) => {
    taken.push(name);
    throw new AppError("TOO_MANY_REQUESTS");
  };
  const never = new Proxy({}, { get: () => () => expect.unreachable() });
  const deps = {
    db,
    audit,
    limiter: { take },
    links: never,
    collect: () => expect.unreachable(),
    payments: { minimum: 1 },
  };
  for (const ask of [
    () => invoiceUrl(deps as never, organization, uuid, "https://fern.test"),
    () => invoiceLines(deps as never, organization, uuid),
    () => payInvoice(deps as never, organization, { uuid }, byService),
  ])
    await expect(ask()).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  expect(taken).toEqual(["files of invoices", "files of invoices", "payments of invoices"]);
});

describe("the mail of a new invoice", () => {
  async function mailed(
    fields: Parameters<typeof anInvoice>[2] = {},
    contact: string | null = "bills@fern.test",
    waiting = 0,
  ) {
    const { db, clock, manager, organization, call } = await setUp();
    const pagesAt = () => "https://devices.example";
    const invoiceLinks = new InvoiceLinks(await sealerFor(db, "invoice-links"), clock);
    const deps = { db, clock, pagesAt, invoiceLinks, payments: { minimum: 50 } };
    const worker = new JobWorker({ db, clock, log: createLog("silent", "test"), jobs: [mailInvoiceJob], deps });
    await aUser(db, { organization });
    await aUser(db, { organization, role: "manager", fields: { is_enabled: false } });
    await db.updateTable("organizations").set({ additional_billing_contact_email: contact }).execute();
    if (waiting > 0) {
      const small = await anInvoice(db, organization, { minutes: [waiting / 5] });
      await db.updateTable("invoice_statuses").set({ waits: true }).where("invoice_uuid", "=", small).execute();
    }
    const uuid = await anInvoice(db, organization, fields);
    for (let time = 0; time < 2; time++) await mailInvoice(db, clock, uuid);
    await worker.runDue();
    // As if it had been killed when it was done.
    await mailInvoiceJob.handle(deps, { invoice: uuid }, new AbortController().signal);
    const { rows } = await sql<{ to_address: string; subject: string; text: string }>`
      SELECT to_address, subject, text FROM mails ORDER BY to_address`.execute(db);
    return { rows, uuid, manager, call, clock };
  }

  it("goes once to managers with a link to the page, and to the billing contact with one to the PDF", async () => {
    const { rows, uuid, manager, call, clock } = await mailed();
    expect(rows.map(({ to_address, subject }) => [to_address, subject])).toEqual([
      ["bills@fern.test", "Invoice INV-000001 for Fernworks"],
      [manager.user.email, "Invoice INV-000001 for Fernworks"],
    ]);
    expect(rows[1]?.text).toContain(`Open invoice: https://devices.example/administration/invoices/${uuid}\n`);
    expect(rows[1]?.text).toContain("$3.00");
    const [, url = ""] = /Download PDF: (\S+)/.exec(rows[0]?.text ?? "") ?? [];
    await clock.advance(59 * 24 * 60 * 60_000);
    expect((await call("GET", pathOf(url))).headers["content-type"]).toBe("application/pdf");
  });

  it("says what is charged in all where it also pays others that were too little", async () => {
    const { rows } = await mailed({}, null, 45);
    expect(rows[0]?.text.replaceAll("\n", " ")).toContain("$3.45 are charged in all");
    expect(rows[0]?.text).toContain("INV-000001 ($0.45).");
    expect((await mailed({ statuses: ["PENDING", "ACCEPTED"] }, null, 45)).rows[0]?.text).not.toContain("in all");
    expect((await mailed({}, null)).rows[0]?.text).not.toContain("in all");
  });

  it("tells of a credit note what is paid back", async () => {
    const { rows } = await mailed({ nature: "CREDIT" }, null);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ subject: "Credit note INV-000001 for Fernworks" });
    expect(rows[0]?.text).toContain("$3.00 are paid back");
  });
});
