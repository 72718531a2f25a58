import {
  type Invoice,
  type InvoiceDetail,
  type InvoiceLine,
  type InvoiceState,
  invoiceStates,
} from "@terrarium/contract";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anId } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import InvoicePage from "./InvoicePage.tsx";
import InvoicesPage from "./InvoicesPage.tsx";

const confirm = vi.hoisted(() => vi.fn<(secret: string) => Promise<{ error?: string }>>());
vi.mock("../../shared/payments/confirm-payment.ts", () => ({ confirmPayment: confirm }));
beforeEach(() => void confirm.mockReset());

const at = "2026-03-09T12:00:00.000Z";

function anInvoice({ state, ...fields }: Partial<Invoice> & { state?: InvoiceState } = {}): Invoice {
  const uuid = anId();
  const isToPay = state === "FAILED" || state === "UNCOLLECTIBLE";
  return {
    uuid,
    created_at: at,
    amount: 12_345,
    currency: "USD",
    status_history: state === undefined ? [] : [{ status: state, created_at: at }],
    ref_transaction: null,
    invoice_number: "INV-000042",
    invoice_ready: true,
    payment_url: isToPay ? `https://pay.example/administration/invoices/${uuid}?pay` : null,
    plan: { usage_type: "metered" },
    period_start: "2026-03-02T12:00:00.000Z",
    period_end: at,
    due_at: "2026-04-08T12:00:00.000Z",
    ...fields,
  };
}

const aLine = (fields: Partial<InvoiceLine> = {}): InvoiceLine => ({
  recipe: "Pixel 7",
  started_at: "2026-03-02T23:30:09.000Z",
  ended_at: "2026-03-03T01:00:09.000Z",
  duration: 5_400,
  quantity: 90,
  price: 5,
  amount: 450,
  ...fields,
});

const aDetail = (invoice: Invoice, fields: Partial<InvoiceDetail> = {}): InvoiceDetail => ({
  net: 10_374,
  tax: 1_971,
  tax_rate: { display_name: "VAT", jurisdiction: "DE", percentage: 19 },
  balance_used: 60,
  charge: { amount: invoice.amount, also_pays: [] },
  bill_to: { name: "Northwind", company_name: "Northwind GmbH", vat_number: "" },
  refunds: null,
  reason: "",
  line_count: 1,
  lines: [aLine()],
  ...invoice,
  ...fields,
});

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

const path = "/v1/billing/transactions";

/** The pages over a service that has some invoices. */
async function open(
  invoices: (Invoice | InvoiceDetail)[],
  {
    answers = {},
    address = "/administration/invoices",
  }: { answers?: Parameters<typeof fakeService>[0]; address?: string } = {},
) {
  const service = fakeService({
    [`GET ${path}`]: () => aPage(invoices, 200),
    [`GET ${path}/:uuid`]: (call) => invoices.find(({ uuid }) => call.path.endsWith(uuid)),
    [`GET ${path}/:uuid/invoice-url`]: () => ({ url: `${location.origin}/cloud/pdf`, expires_at: at }),
    "GET /pdf": () =>
      new Response("%PDF", { headers: { "content-disposition": 'attachment; filename="INV-000042.pdf"' } }),
    [`GET ${path}/:uuid/lines`]: () => new Response("Recipe"),
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <Routes>
        <Route path="/administration/invoices" element={<InvoicesPage />} />
        <Route path="/administration/invoices/:uuid" element={<InvoicePage />} />
      </Routes>
      <Snacks />
    </InTestApp>,
  );
  return { screen, service, asked: () => service.to("GET", new RegExp(`^${path}$`)).map(({ query }) => query) };
}

/** What was saved as a file since. */
function saved() {
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  return names;
}

describe("the invoices", () => {
  it("are asked for with the newest first, and shown with date, amount, status and actions", async () => {
    const { screen, asked } = await open([
      anInvoice({ state: "PENDING" }),
      anInvoice({ state: "ACCEPTED", currency: "EUR" }),
    ]);
    await expect.element(screen.getByRole("row", { name: /2026-03-09.*INV-000042.*\$123\.45.*Due/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /€123\.45.*Paid/ })).toBeVisible();
    const heads = screen.getByRole("columnheader").elements();
    expect(heads.map(({ textContent }) => textContent)).toEqual(["Date", "Number", "Amount", "Status", "Actions"]);
    expect(Object.fromEntries(asked()[0] ?? [])).toEqual({
      nature: "SUBSCRIPTION",
      ordering: "-created_at",
      page: "1",
      page_size: "15",
    });
    expect(nameless()).toEqual([]);
  });

  it.each(
    invoiceStates.map(
      (state) =>
        [
          state,
          {
            PENDING: "Due",
            FAILED: "Failed",
            ACCEPTED: "Paid",
            VOID: "Void",
            UNCOLLECTIBLE: "Uncollectible",
            REFUNDED: "Refunded",
            PARTIALLY_REFUNDED: "Partially refunded",
            UNKNOWN: "Unknown",
          }[state],
          state === "FAILED" || state === "UNCOLLECTIBLE",
        ] as const,
    ),
  )("show %s as %s, with a link to pay: %s", async (state, word, isToPay) => {
    const invoice = anInvoice({ state, payment_url: "https://pay.example/" });
    const { screen } = await open([invoice]);
    await expect.element(screen.getByText(word, { exact: true })).toBeVisible();
    const link = screen.getByRole("link", { name: "Pay INV-000042" });
    expect(link.elements().map((element) => element.getAttribute("href"))).toEqual(
      isToPay ? ["https://pay.example/"] : [],
    );
  });

  it.each([
    [{}, "Unknown"],
    [{ state: "ACCEPTED", ref_transaction: { uuid: anId(), amount: 12_344 } }, "Partially refunded"],
    [{ state: "FAILED", ref_transaction: { uuid: anId(), amount: 12_345 } }, "Refunded"],
  ] as const)("take the status from what was paid back, then from the last that happened: %j", async (fields, word) => {
    const { screen } = await open([anInvoice(fields)]);
    await expect.element(screen.getByText(word, { exact: true })).toBeVisible();
    expect(screen.getByRole("link", { name: /^Pay/ }).elements()).toEqual([]);
  });

  it("are sorted by date and amount, and by nothing else", async () => {
    const { screen, asked } = await open([anInvoice()]);
    const head = (name: string) => screen.getByRole("columnheader", { name });
    await head("Amount").getByRole("button").click();
    await head("Amount").getByRole("button").click();
    await head("Date").getByRole("button").click();
    await head("Date").getByRole("button").click();
    await vi.waitFor(() =>
      expect(asked().map((query) => query.get("ordering"))).toEqual([
        "-created_at",
        "amount",
        "-amount",
        "-created_at",
        "created_at",
      ]),
    );
    for (const name of ["Status", "Number", "Actions"]) expect(head(name).getByRole("button").elements()).toEqual([]);
  });

  it("have pages of 15, 30 and 60, are asked for anew, and are not searched", async () => {
    const { screen, asked } = await open([anInvoice()]);
    await screen.getByRole("combobox", { name: /rows/i }).click();
    const sizes = screen.getByRole("option").elements();
    expect(sizes.map(({ textContent }) => textContent)).toEqual(["15", "30", "60"]);
    await screen.getByRole("option", { name: "60" }).click();
    await vi.waitFor(() => expect(asked().at(-1)?.get("page_size")).toBe("60"));
    const before = asked().length;
    await screen.getByRole("button", { name: "Refresh" }).click();
    await vi.waitFor(() => expect(asked().length).toBe(before + 1));
    expect(screen.getByRole("searchbox").elements()).toEqual([]);
    await screen.unmount();
    const again = await open([anInvoice()]);
    await vi.waitFor(() => expect(again.asked()[0]?.get("page_size")).toBe("60"));
    localStorage.clear();
  });

  it("are said to be none, or not to have been fetched", async () => {
    const none = await open([], { answers: { [`GET ${path}`]: () => aPage([]) } });
    await expect.element(none.screen.getByText("There are no invoices yet")).toBeVisible();
    const failed = await open([], { answers: { [`GET ${path}`]: refuse("INTERNAL_ERROR") } });
    await expect.element(failed.screen.getByText("Fail to fetch invoices.")).toBeVisible();
  });

  it("are downloaded by a link that the service gives, or it is said that they were not", async () => {
    const names = saved();
    const { screen } = await open([anInvoice()]);
    await screen.getByRole("button", { name: "Download INV-000042" }).click();
    await vi.waitFor(() => expect(names).toEqual(["INV-000042.pdf"]));
  });

  it.each([
    ["link", { [`GET ${path}/:uuid/invoice-url`]: refuse("INTERNAL_ERROR") }],
    ["file", { "GET /pdf": refuse("SERVICE_UNAVAILABLE") }],
  ])("say that the download failed when there is no %s", async (_, answers) => {
    const names = saved();
    const { screen } = await open([anInvoice()], { answers });
    await screen.getByRole("button", { name: "Download INV-000042" }).click();
    await expect.element(screen.getByText("Fail to download the invoice.")).toBeVisible();
    expect(names).toEqual([]);
  });

  it("are cards on a phone", async () => {
    await browserPage.viewport(390, 844);
    const { screen } = await open([anInvoice({ state: "FAILED" })]);
    await expect.element(screen.getByRole("link", { name: "Pay" })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

describe("an invoice", () => {
  const openOne = (detail: InvoiceDetail, more: Parameters<typeof open>[1] = {}, query = "") =>
    open([detail], { address: `/administration/invoices/${detail.uuid}${query}`, ...more });

  it("is opened from the list, and leads back to it", async () => {
    const { screen } = await open([aDetail(anInvoice())]);
    await screen.getByRole("button", { name: "Details of INV-000042" }).click();
    await expect.element(screen.getByRole("heading", { name: "Invoice INV-000042" })).toBeVisible();
    await screen.getByRole("link", { name: "All invoices" }).click();
    await expect.element(screen.getByRole("button", { name: "Details of INV-000042" })).toBeVisible();
  });

  it("shows tax, free minutes, totals and lines with their times in UTC", async () => {
    const { screen } = await openOne(aDetail(anInvoice({ state: "ACCEPTED" })));
    for (const text of ["Northwind GmbH", "60 free minutes", "$103.74", "Tax (19% VAT DE)", "$19.71", "$123.45"])
      await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
    const heads = screen.getByRole("columnheader").elements();
    expect(heads.map(({ textContent }) => textContent)).toEqual([
      "Recipe",
      "Start (UTC)",
      "End (UTC)",
      "Duration",
      "Minutes",
      "Price",
      "Amount",
    ]);
    await expect
      .element(
        screen.getByRole("row", {
          name: /Pixel 7 2026-03-02 23:30:09 2026-03-03 01:00:09 1 h 30 min 90 \$0\.05 \$4\.50/,
        }),
      )
      .toBeVisible();
    expect(screen.getByRole("button", { name: /^Pay/ }).elements()).toEqual([]);
    expect(nameless()).toEqual([]);
  });

  it("shows many lines page by page, and where all of them are", async () => {
    const names = saved();
    const lines = Array.from({ length: 1_000 }, (_, index) => aLine({ recipe: `Recipe ${index + 1}` }));
    const { screen } = await openOne(aDetail(anInvoice(), { lines, line_count: 50_000 }));
    await expect.element(screen.getByText(/first 1,000 of 50,000 lines/)).toBeVisible();
    expect(screen.getByRole("row").elements()).toHaveLength(61);
    await screen.getByRole("button", { name: "Next page" }).click();
    await expect.element(screen.getByRole("row", { name: /^Recipe 61 / })).toBeVisible();
    await screen.getByRole("button", { name: "Lines as CSV" }).click();
    await vi.waitFor(() => expect(names).toEqual(["INV-000042.csv"]));
  });

  it("shows a credit note and its invoice as each other's", async () => {
    const invoice = anInvoice({ state: "ACCEPTED" });
    const credit = anInvoice({ amount: -500, invoice_number: "INV-000043" });
    const { screen } = await open(
      [
        aDetail({ ...invoice, ref_transaction: { uuid: credit.uuid, amount: 500 } }),
        aDetail(credit, { refunds: { uuid: invoice.uuid, invoice_number: "INV-000042" } }),
      ],
      { address: `/administration/invoices/${invoice.uuid}` },
    );
    await screen.getByRole("link", { name: "$5.00, credit note" }).click();
    await expect.element(screen.getByRole("heading", { name: "Credit note INV-000043" })).toBeVisible();
    await expect.element(screen.getByText("-$5.00")).toBeVisible();
    await expect.element(screen.getByRole("link", { name: "INV-000042" })).toBeVisible();
  });

  it.each([
    [{ outcome: "accepted", reason: null, requires_action: null }, "INV-000042 is paid."],
    [{ outcome: "refused", reason: "Insufficient funds.", requires_action: null }, /Insufficient funds\. Another/],
  ])("is paid, and says what came of it: %j", async (payment, words) => {
    const { screen, service } = await openOne(
      aDetail(anInvoice({ state: "FAILED" })),
      { answers: { [`POST ${path}/:uuid/pay`]: () => payment } },
      "?pay",
    );
    const button = screen.getByRole("button", { name: "Pay $123.45" });
    await expect.element(button).toHaveFocus();
    expect(service.to("POST", /pay/)).toEqual([]);
    await button.click();
    await expect.element(screen.getByText(words)).toBeVisible();
    // How it stands now is read anew.
    expect(service.to("GET", /transactions\/[^/]+$/).length).toBe(2);
  });

  it.each([
    ["again, with what the bank has confirmed", {}, 2, "INV-000042 is paid."],
    ["no more when the bank refuses", { error: "Your bank declined it." }, 1, /Your bank declined it\. Another/],
  ])("asks the bank, and charges %s", async (_, said, charges, words) => {
    confirm.mockResolvedValue(said);
    const secret = "pi_1_secret_2";
    const asks = { outcome: "requires_action", reason: null, requires_action: { client_secret: secret } };
    const paid = { outcome: "accepted", reason: null, requires_action: null };
    const answers = [asks, paid];
    const { screen, service } = await openOne(aDetail(anInvoice({ state: "FAILED" })), {
      answers: { [`POST ${path}/:uuid/pay`]: () => answers.shift() },
    });
    await screen.getByRole("button", { name: "Pay $123.45" }).click();
    await expect.element(screen.getByText(words)).toBeVisible();
    expect(confirm).toHaveBeenCalledExactlyOnceWith(secret);
    expect(service.to("POST", /pay/)).toHaveLength(charges);
  });

  it("says what it charges in all, and which invoices that pays besides", async () => {
    const small = anInvoice({ invoice_number: "INV-000041", amount: 45 });
    const charge = { amount: 12_390, also_pays: [{ uuid: small.uuid, invoice_number: "INV-000041", amount: 45 }] };
    const { screen, service } = await openOne(aDetail(anInvoice({ state: "FAILED" }), { charge }), {
      answers: { [`POST ${path}/:uuid/pay`]: refuse("PRICE_CHANGED") },
    });
    await expect.element(screen.getByText("Also pays INV-000041")).toBeVisible();
    const link = screen.getByRole("link", { name: "$0.45" });
    await expect.element(link).toHaveAttribute("href", `/administration/invoices/${small.uuid}`);
    await expect.element(screen.getByText("Charged in all")).toBeVisible();
    await expect.element(screen.getByText("$123.90", { exact: true })).toBeVisible();
    // Nothing else may be charged.
    await screen.getByRole("button", { name: "Pay $123.90" }).click();
    await expect.poll(() => service.to("POST", /pay/)[0]?.body).toEqual({ total: 12_390 });
  });

  it("is paid before it is charged", async () => {
    const { screen } = await openOne(aDetail(anInvoice({ state: "PENDING" })), {
      answers: { [`POST ${path}/:uuid/pay`]: () => ({ outcome: "accepted", reason: null, requires_action: null }) },
    });
    await screen.getByRole("button", { name: "Pay $123.45" }).click();
    await expect.element(screen.getByText("INV-000042 is paid.")).toBeVisible();
  });

  it.each([{ amount: -500 }, { amount: 0 }, { state: "ACCEPTED" }] as const)(
    "has nothing to pay: %j",
    async (fields) => {
      const { screen } = await openOne(aDetail(anInvoice({ state: "PENDING", ...fields })));
      await expect.element(screen.getByRole("heading", { name: "Invoice INV-000042" })).toBeVisible();
      expect(screen.getByRole("button", { name: /^Pay/ }).elements()).toEqual([]);
    },
  );

  it("that waits for the next one says so, and is not paid alone", async () => {
    const reason = "It is charged together with the next invoice.";
    const { screen } = await openOne(aDetail(anInvoice({ state: "PENDING" }), { reason, charge: null }));
    await expect.element(screen.getByText(reason)).toBeVisible();
    expect(screen.getByRole("button", { name: /^Pay/ }).elements()).toEqual([]);
    // Why a payment failed does not keep it from being paid.
    await screen.unmount();
    const failed = await openOne(aDetail(anInvoice({ state: "FAILED" }), { reason: "Your card was declined." }));
    await expect.element(failed.screen.getByRole("button", { name: "Pay $123.45" })).toBeVisible();
  });

  it.each([
    ["PAYMENT_METHOD_MISSING", "There is no payment method to pay with. Add one first."],
    ["INVOICE_NOT_PAYABLE", "There is nothing to pay for this invoice any more."],
    ["PRICE_CHANGED", "Another sum is charged by now. Look at it again."],
    ["INTERNAL_ERROR", "The payment was not made. Try again."],
  ] as const)("says why it is not paid: %s", async (code, words) => {
    const answers = { [`POST ${path}/:uuid/pay`]: refuse(code) };
    const { screen } = await openOne(aDetail(anInvoice({ state: "UNCOLLECTIBLE" })), { answers });
    await screen.getByRole("button", { name: "Pay $123.45" }).click();
    await expect.element(screen.getByText(words)).toBeVisible();
  });

  it("is said not to be there, or not to have loaded", async () => {
    const gone = await openOne(aDetail(anInvoice()), {
      answers: { [`GET ${path}/:uuid`]: refuse("INVOICE_NOT_FOUND") },
    });
    await expect.element(gone.screen.getByText("There is no such invoice")).toBeVisible();
    const failed = await openOne(aDetail(anInvoice()), {
      answers: { [`GET ${path}/:uuid`]: refuse("INTERNAL_ERROR") },
    });
    await expect.element(failed.screen.getByText("The invoice did not load.")).toBeVisible();
  });

  it("fits a phone, with long names of recipes", async () => {
    await browserPage.viewport(390, 844);
    const lines = [aLine({ recipe: "x".repeat(250) })];
    const { screen } = await openOne(aDetail(anInvoice({ state: "FAILED" }), { lines }));
    await expect.element(screen.getByText("Start (UTC)")).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    // What is to be done has a row of its own, and fills it.
    const pay = screen.getByRole("button", { name: /^Pay/ }).element();
    expect(pay.getBoundingClientRect().width).toBe(pay.parentElement?.getBoundingClientRect().width);
  });
});
