import type { Organization, Subscription } from "@terrarium/contract";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { MeContext } from "../../session/user.ts";
import { manager, organizationId, someSettings } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import BillingPage from "./BillingPage.tsx";
import { anInvoice, aPlan, withPlan } from "./testing/plans.ts";

const confirm = vi.hoisted(() => vi.fn<(secret: string) => Promise<{ error?: string }>>());
vi.mock("../../shared/payments/confirm-payment.ts", () => ({ confirmPayment: confirm }));

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  confirm.mockReset();
  await page.viewport(1440, 900);
});

const aBalance = { minutes: 42, amount: 1_250, waiting: 0, currency: "USD" };
const aUsage = {
  period_start: "2026-03-01T09:00:00.000Z",
  period_end: "2026-03-08T09:00:00.000Z",
  minutes: 292,
  free_minutes: 42,
  billed_minutes: 250,
  current_usage_cents: 1_250,
  threshold_cents: 5_000,
  currency: "USD",
};

async function open(
  plan: Subscription | null = null,
  organization: Organization = withPlan(plan),
  answers: Parameters<typeof fakeService>[0] = {},
) {
  const service = fakeService({
    "GET /v1/settings": () => someSettings({ links: { ...someSettings().links, support: "/help" } }),
    "GET /v1/organizations/:uuid": () => organization,
    "GET /v1/billing/balance": () => aBalance,
    "GET /v1/billing/subscriptions": () => aPage(plan ? [plan] : []),
    "GET /v1/billing/subscriptions/:uuid/usage": () => aUsage,
    "GET /v1/billing/transactions": () => aPage([anInvoice("ACCEPTED")]),
    "GET /v1/billing/addresses": () => aPage([{}]),
    "GET /v1/billing/cards": () => aPage([{}]),
    "GET /v1/billing/payment-methods": () => aPage([]),
    "POST /v1/billing/subscriptions": () => ({ ...aPlan(), requires_action: null }),
    "PUT /v1/billing/subscriptions/:uuid": () => plan,
    "DELETE /v1/billing/subscriptions/:uuid": () => plan,
    "POST /v1/organizations/:uuid/premium-offer-request": () => null,
    "POST /v1/organizations/:uuid/trial-request": () => null,
    "PUT /v2/users/:uuid": () => manager,
    ...answers,
  });
  const screen = await render(
    <InTestApp address="/administration/billing">
      <MeContext.Provider value={manager}>
        <BillingPage />
        <Snacks />
      </MeContext.Provider>
    </InTestApp>,
  );
  const failures: unknown[] = [];
  const note = (event: Event) => failures.push((event as CustomEvent).detail);
  addEventListener("subscribe:error", note);
  onTestFinished(() => removeEventListener("subscribe:error", note));
  const press = (name: string | RegExp) => screen.getByRole("button", { name }).click();
  const dialog = (name?: string) => screen.getByRole("dialog", name === undefined ? {} : { name });
  const paths = () => service.calls.map(({ method, path }) => `${method} ${path}`);
  return { screen, service, press, dialog, failures, paths };
}

/** Timers that stand still: what is waited for must not come by itself. */
function stopTimers() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Long enough for a reply to be read. */
async function frames(count = 10): Promise<void> {
  for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
}

/** `vi.waitFor` and `expect.element` would move the timers on. */
async function until(is: () => boolean): Promise<void> {
  while (!is()) await frames(1);
}

it("shows parts where they stay: each once all above it is there", async () => {
  const [plans, methods] = [Promise.withResolvers<object>(), Promise.withResolvers<object>()];
  const { screen } = await open(null, withPlan(null), {
    "GET /v1/billing/subscriptions": () => plans.promise,
    "GET /v1/billing/payment-methods": () => methods.promise,
  });
  const heading = (name: string) => screen.getByRole("heading", { name });
  await expect.element(screen.getByLabelText(/^Loading/).first()).toBeVisible();
  expect(heading("Payment methods").elements()).toEqual([]);
  plans.resolve(aPage([]));
  await expect.element(heading("Payment methods")).toBeVisible();
  expect(heading("Billing information").elements()).toEqual([]);
  methods.resolve(aPage([]));
  await expect.element(heading("Billing information")).toBeVisible();
});

describe("the plans", () => {
  it("are offered with their prices to who has none", async () => {
    const { screen } = await open();
    for (const text of ["$0.05", "$170.98", "$206.00 month by month", "Save 17% with a year", "No plan"])
      await expect.element(screen.getByText(text)).toBeVisible();
    await expect.element(screen.getByText("42", { exact: true })).toBeVisible();
    expect(screen.getByText("Current plan", { exact: true }).elements()).toHaveLength(1);
    expect(nameless()).toEqual([]);
  });

  it.each([
    [aPlan("payg"), "Pay-as-you-go"],
    [aPlan("annual"), "Unlimited"],
  ] as const)("show which one is current: %#", async (plan, name) => {
    const { screen } = await open(plan);
    const card = screen.getByRole("listitem").filter({ hasText: "Current plan" });
    await expect.element(card.getByRole("heading", { name })).toBeVisible();
    expect(card.getByRole("button").elements()).toEqual([]);
  });

  it("are billed at what holds for the plan that runs", async () => {
    const usage = { ...aUsage, threshold_cents: 12_345 };
    const { screen } = await open(aPlan("payg"), undefined, {
      "GET /v1/billing/subscriptions/:uuid/usage": () => usage,
    });
    await expect.element(screen.getByText(/^\$0\.05 for each minute.* or sooner at \$123\.45\.$/)).toBeVisible();
  });

  it("that were agreed are current, with a way to us", async () => {
    const { screen } = await open(null, withPlan(null, { type: "fixed" }));
    const card = screen.getByRole("listitem").filter({ hasText: "Fixed plan" });
    await expect.element(card.getByText("Current plan", { exact: true })).toBeVisible();
    await expect.element(card.getByRole("link", { name: "Contact us" })).toHaveAttribute("href", "/help");
  });

  it("fit a phone", async () => {
    await page.viewport(390, 844);
    const { screen } = await open(aPlan("annual", { ends: true }));
    await expect.element(screen.getByText("Ends March 1, 2027")).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

describe("starting pay-as-you-go", () => {
  it("costs nothing today, checks addresses and then cards, and reads the organization at once", async () => {
    const { screen, press, dialog, service, paths } = await open();
    await press("Start pay-as-you-go");
    await expect.element(dialog().getByText("$0.00", { exact: true })).toBeVisible();
    await expect.element(dialog().getByText(/When your use comes to \$50\.00/)).toBeVisible();
    const before = service.to("GET", /organizations/).length;
    stopTimers();
    await dialog().getByRole("button", { name: "Start pay-as-you-go" }).click();
    let waited = 0;
    await until(() => {
      vi.advanceTimersByTime(1);
      return ++waited > 1_000 || screen.getByText("Pay-as-you-go has started").elements().length > 0;
    });
    expect(waited).toBeLessThan(1_000);
    const asked = paths().filter((path) => /addresses|cards|POST/.test(path));
    expect(asked).toEqual(["GET /v1/billing/addresses", "GET /v1/billing/cards", "POST /v1/billing/subscriptions"]);
    expect(service.to("POST", /subscriptions/)[0]?.body).toEqual({ plan: "payg", price: 5 });
    await until(() => service.to("GET", /organizations/).length > before);
    await expect.element(dialog()).not.toBeInTheDocument();
  });

  it.each([
    ["addresses", "Add a billing address first.", "Add an address"],
    ["cards", "Add a payment method first.", "Add a card"],
  ])("needs %s: without, nothing is sent", async (what, says, offers) => {
    const { screen, press, dialog, service } = await open(null, withPlan(null), {
      [`GET /v1/billing/${what}`]: () => aPage([]),
    });
    await press("Start pay-as-you-go");
    await dialog().getByRole("button", { name: "Start pay-as-you-go" }).click();
    await expect.element(screen.getByText(says)).toBeVisible();
    await expect.element(screen.getByRole("link", { name: offers })).toBeVisible();
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(service.to("POST", /subscriptions/)).toEqual([]);
  });

  it("that fails closes the dialog, says so, and tells the page", async () => {
    const { screen, press, dialog, failures } = await open(null, withPlan(null), {
      "POST /v1/billing/subscriptions": refuse("INTERNAL_ERROR"),
    });
    await press("Start pay-as-you-go");
    await dialog().getByRole("button", { name: "Start pay-as-you-go" }).click();
    await expect.element(screen.getByText("Fail to start the plan.")).toBeVisible();
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(failures).toMatchObject([{ plan: "payg", error: { code: "INTERNAL_ERROR" } }]);
  });

  it.each([
    ["UNPAID_INVOICES", "Pay your open invoices first"],
    ["OTHER_PLAN_ACTIVE", "Cancel your current plan first"],
  ] as const)("says what the service knew first: %s", async (code, title) => {
    const { press, dialog } = await open(null, withPlan(null), { "POST /v1/billing/subscriptions": refuse(code) });
    await press("Start pay-as-you-go");
    await dialog().getByRole("button", { name: "Start pay-as-you-go" }).click();
    await expect.element(dialog(title)).toBeVisible();
  });
});

it.each([
  ["PRICE_CHANGED", "The price has changed. Look at it again."],
  ["TOO_MANY_RUNNING_VDS", "More devices are running than this plan is for. Choose as many, or stop some first."],
  ["INVALID_LICENSE", "Your license is invalid."],
] as const)("says why a plan does not start, and reads prices anew: %s", async (code, words) => {
  const { screen, press, dialog, paths } = await open(null, withPlan(null), {
    "POST /v1/billing/subscriptions": refuse(code),
  });
  await press("Start pay-as-you-go");
  const before = paths().filter((path) => path.endsWith("/settings")).length;
  await dialog().getByRole("button", { name: "Start pay-as-you-go" }).click();
  await expect.element(screen.getByText(words)).toBeVisible();
  const read = () => paths().filter((path) => path.endsWith("/settings")).length - before;
  await vi.waitFor(() => expect(read()).toBe(code === "PRICE_CHANGED" ? 1 : 0));
});

describe("starting Unlimited", () => {
  it("is annual at first, and its total follows the period, the devices and the tax", async () => {
    const rate = { display_name: "VAT", jurisdiction: "FR", percentage: 20 };
    const { press, dialog } = await open(null, { ...withPlan(null), tax_rate: rate });
    await press("Choose Unlimited");
    const says = async (text: string) => {
      await expect.element(dialog().getByText(text, { exact: true })).toBeVisible();
    };
    await expect
      .element(dialog().getByRole("button", { name: "Annual, −17%" }))
      .toHaveAttribute("aria-pressed", "true");
    await says("1 × 12 months × $206.00");
    await says("Annual discount −17%");
    await says("-$420.24");
    await says("20% VAT FR: $410.35");
    await says("$2,462.11");
    await dialog().getByRole("spinbutton", { name: "Devices at once" }).fill("3");
    await says("$7,386.34");
    await dialog().getByRole("button", { name: "Monthly" }).click();
    await says("3 × $206.00");
    await says("$741.60");
    expect(
      dialog()
        .getByText(/discount/)
        .elements(),
    ).toEqual([]);
  });

  it.each([
    [null, "-"],
    [{ display_name: "VAT", jurisdiction: "US", percentage: 0 }, "0"],
  ])("shows what is known of the tax: %#", async (tax_rate, shown) => {
    const { press, dialog } = await open(null, { ...withPlan(null), tax_rate });
    await press("Choose Unlimited");
    const tax = dialog().getByRole("definition").filter({ hasText: shown });
    await expect.element(tax.getByText(shown, { exact: true }).first()).toBeVisible();
    await expect.element(dialog().getByRole("button", { name: "Pay $2,051.76 and start" })).toBeVisible();
  });

  it("asks for nothing where the plan is free, whatever waits", async () => {
    const settings = someSettings();
    const { press, dialog } = await open(null, withPlan(null), {
      "GET /v1/settings": () => ({ ...settings, offer: { ...settings.offer, unlimited_monthly_cents: 0 } }),
      "GET /v1/billing/balance": () => ({ ...aBalance, waiting: 45 }),
    });
    await press("Choose Unlimited");
    await expect.element(dialog().getByRole("button", { name: "Pay $0.00 and start" })).toBeVisible();
  });

  it("says what was too little to be charged before, and charges what it says", async () => {
    const { press, dialog, service } = await open(null, withPlan(null), {
      "GET /v1/billing/balance": () => ({ ...aBalance, waiting: 45 }),
    });
    await press("Choose Unlimited");
    await dialog().getByRole("button", { name: "Monthly" }).click();
    await expect.element(dialog().getByText("Earlier invoices, too small to be charged alone")).toBeVisible();
    await expect.element(dialog().getByText("$0.45", { exact: true })).toBeVisible();
    await expect.element(dialog().getByText("$206.45", { exact: true })).toBeVisible();
    await dialog().getByRole("button", { name: "Pay $206.45 and start" }).click();
    await vi.waitFor(() => expect(service.to("POST", /subscriptions/)[0]?.body).toMatchObject({ total: 20_645 }));
  });

  it("takes 1 to 20 devices, and a held button counts on", async () => {
    const { press, dialog } = await open();
    await press("Choose Unlimited");
    const field = dialog().getByRole("spinbutton", { name: "Devices at once" });
    await expect.element(dialog().getByRole("button", { name: "One device less" })).toHaveAttribute("aria-disabled");
    await field.fill("21");
    await expect.element(field).toHaveValue("20");
    await field.fill("0");
    await userEvent.tab();
    await expect.element(field).toHaveValue("1");
    const more = dialog().getByRole("button", { name: "One device more" });
    await more.click();
    await expect.element(field).toHaveValue("2");
    stopTimers();
    const hold = (type: string) =>
      more.element().dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1 }));
    hold("pointerdown");
    await new Promise(requestAnimationFrame);
    vi.advanceTimersByTime(299);
    await expect.element(field).toHaveValue("2");
    vi.advanceTimersByTime(1);
    await expect.element(field).toHaveValue("3");
    vi.advanceTimersByTime(100);
    await expect.element(field).toHaveValue("4");
    hold("pointerup");
    more.element().dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await new Promise(requestAnimationFrame);
    vi.advanceTimersByTime(1_000);
    await expect.element(field).toHaveValue("4");
  });

  it("waits five seconds before it reads the organization again", async () => {
    const { screen, press, dialog, service } = await open();
    await press("Choose Unlimited");
    const pay = dialog().getByRole("button", { name: "Pay $2,051.76 and start" });
    await expect.element(pay).toBeVisible();
    stopTimers();
    // A click of the test's own would move the timers on as well.
    (pay.element() as HTMLElement).click();
    await until(() => service.to("POST", /subscriptions/).length === 1);
    expect(service.to("POST", /subscriptions/)[0]?.body).toEqual({
      plan: "annual",
      quantity: 1,
      price: 205_176,
      total: 205_176,
    });
    await until(() => dialog().getByRole("button", { name: "Starting your plan" }).elements().length > 0);
    await frames();
    const before = service.to("GET", /organizations/).length;
    vi.advanceTimersByTime(4_999);
    await frames();
    expect(service.to("GET", /organizations/)).toHaveLength(before);
    vi.advanceTimersByTime(1);
    await until(() => service.to("GET", /organizations/).length > before);
    await expect.element(screen.getByText("Unlimited has started")).toBeVisible();
  });

  const secret = "pi_1_secret_2";
  const asksBank = () => ({ ...aPlan("annual"), requires_action: { client_secret: secret } });

  it("lets the bank confirm the payment, and goes on", async () => {
    confirm.mockResolvedValue({});
    const { screen, press, dialog, service } = await open(null, withPlan(null), {
      "POST /v1/billing/subscriptions": asksBank,
    });
    await press("Choose Unlimited");
    const before = service.to("GET", /organizations/).length;
    stopTimers();
    await dialog().getByRole("button", { name: /^Pay/ }).click();
    await until(() => confirm.mock.calls.length > 0);
    expect(confirm).toHaveBeenCalledExactlyOnceWith(secret);
    await frames();
    vi.advanceTimersByTime(5_000);
    await until(() => service.to("GET", /organizations/).length > before);
    await expect.element(screen.getByText("Unlimited has started")).toBeVisible();
  });

  it("says what the bank said when it refused", async () => {
    confirm.mockResolvedValue({ error: "Your bank declined this authentication." });
    const { screen, press, dialog, failures } = await open(null, withPlan(null), {
      "POST /v1/billing/subscriptions": asksBank,
    });
    await press("Choose Unlimited");
    await dialog().getByRole("button", { name: /^Pay/ }).click();
    await expect.element(screen.getByText("Your bank declined this authentication.")).toBeVisible();
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(failures).toHaveLength(1);
  });
});

describe("choosing a plan", () => {
  it("leads a debtor to the invoices, and starts nothing", async () => {
    const { press, dialog, service } = await open(null, { ...withPlan(null), is_debtor: true });
    for (const act of ["Start pay-as-you-go", "Choose Unlimited"]) {
      await press(act);
      const link = dialog("Pay your open invoices first").getByRole("link", { name: "See invoices" });
      await expect.element(link).toHaveAttribute("href", "/administration/invoices");
      await dialog().getByRole("button", { name: "Close" }).click();
    }
    expect(service.to("POST", /./)).toEqual([]);
  });

  it("beside another takes its cancellation first", async () => {
    const { press, dialog } = await open(aPlan("payg"));
    await press("Choose Unlimited");
    await expect.element(dialog("Cancel your current plan first").getByText(/has pay-as-you-go/)).toBeVisible();
    await dialog().getByRole("button", { name: "Cancel plan" }).click();
    await expect.element(dialog("Cancel pay-as-you-go?")).toBeVisible();
  });
});

it.each([
  ["without a plan", null, 1],
  ["but not with an upfront plan, whose limit is its own", aPlan("annual"), 0],
])("tells how many devices pay-as-you-go has %s", async (_, plan, count) => {
  const { screen } = await open(plan, withPlan(plan));
  await expect.element(screen.getByText("Your free minutes go first")).toBeVisible();
  expect(
    screen
      .getByRole("listitem")
      .getByText(/^Up to (?!20)\d+ devices at once$/)
      .elements(),
  ).toHaveLength(count);
});

describe("ending a plan", () => {
  it("that is paid by use says what is billed and what stops", async () => {
    const plan = aPlan("payg");
    const { screen, press, dialog, service } = await open(plan);
    await press("Cancel plan");
    await expect.element(dialog().getByText("What you have used is billed now: $12.50, and tax.")).toBeVisible();
    await expect.element(dialog().getByText(/^3 running devices stop at once/)).toBeVisible();
    await expect.element(dialog().getByText(/as long as \d+ free minutes are left/)).toBeVisible();
    await expect.element(dialog().getByRole("button", { name: "Keep plan" })).toHaveFocus();
    await dialog().getByRole("button", { name: "Cancel pay-as-you-go" }).click();
    await expect.element(screen.getByText("Pay-as-you-go is cancelled")).toBeVisible();
    expect(service.to("DELETE", /subscriptions/)[0]?.path).toContain(plan.uuid);
  });

  it("says that no device starts where no free minutes are left, and keeps the plan when that is chosen", async () => {
    const { press, dialog, service } = await open(aPlan("payg"), withPlan(aPlan("payg")), {
      "GET /v1/billing/balance": () => ({ minutes: 0, amount: 0, waiting: 0, currency: "USD" }),
    });
    await press("Cancel plan");
    await expect.element(dialog().getByText(/no device starts until you choose a plan/)).toBeVisible();
    await dialog().getByRole("button", { name: "Keep plan" }).click();
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(service.to("DELETE", /./)).toEqual([]);
  });

  it("that is paid in advance keeps it until its last day", async () => {
    const { screen, press, dialog, service } = await open(aPlan("annual"));
    await press("Cancel plan");
    await expect.element(dialog().getByText(/It stays until March 1, 2027/)).toBeVisible();
    await expect.element(dialog().getByRole("button", { name: "Keep plan" })).toBeVisible();
    await dialog().getByRole("button", { name: "Cancel Unlimited" }).click();
    await expect.element(screen.getByText("Unlimited ends on March 1, 2027")).toBeVisible();
    expect(service.to("PUT", /subscriptions/)[0]?.body).toEqual({ cancel_at_period_end: true });
  });

  it("can be taken back until then", async () => {
    // Its renewal was asked for before it got another price.
    const plan = aPlan("annual", { ends: true });
    const asked = { ...plan, renewal: { price: 190_000, ends_at: plan.current_period_end } };
    const { screen, press, dialog, service } = await open(asked);
    await expect.element(screen.getByText(/Stays until March 1, 2027/)).toBeVisible();
    await press("Restore plan");
    await expect.element(dialog().getByText(/\$1,900.00, and tax/)).toBeVisible();
    await dialog().getByRole("button", { name: "Restore Unlimited" }).click();
    await expect.element(screen.getByText("Unlimited renews on March 1, 2027")).toBeVisible();
    expect(service.to("PUT", /subscriptions/)[0]?.body).toEqual({ cancel_at_period_end: false });
  });

  it("cannot be taken back where the license ends", async () => {
    const plan = aPlan("annual", { ends: true });
    const { screen } = await open(plan, withPlan(plan, { expires_at: "2027-01-01T00:00:00.000Z" }));
    await expect
      .element(screen.getByText("Paid for a year. Stays until March 1, 2027, and does not renew."))
      .toBeVisible();
    await expect
      .element(screen.getByText("Your license ends January 1, 2027: no device starts from then on."))
      .toBeVisible();
    expect(screen.getByRole("button", { name: "Restore plan" }).query()).toBe(null);
  });

  it.each([
    [aPlan("payg"), "Cancel plan", "Cancel pay-as-you-go", "DELETE", "Fail to cancel the plan."],
    [aPlan("annual"), "Cancel plan", "Cancel Unlimited", "PUT", "Fail to cancel the plan."],
    [aPlan("annual", { ends: true }), "Restore plan", "Restore Unlimited", "PUT", "Fail to restore the plan."],
  ])("that fails says so in the dialog: %#", async (plan, act, sure, method, says) => {
    const { press, dialog } = await open(plan, withPlan(plan), {
      [`${method} /v1/billing/subscriptions/:uuid`]: refuse("INTERNAL_ERROR"),
    });
    await press(act);
    await dialog().getByRole("button", { name: sure }).click();
    await expect.element(dialog().getByText(says)).toBeVisible();
  });
});

describe("the warnings", () => {
  it.each([
    ["OVERDUE", true, /Pay it by March 11, 2026/],
    ["SUSPENDED", false, /It is cancelled on March 27, 2026/],
  ] as const)("of a plan that is %s lead to the invoices", async (status, is_active, says) => {
    const plan = aPlan("payg", { status });
    const { screen } = await open(plan, withPlan(plan, { is_active }));
    const alert = screen.getByRole("alert").filter({ hasText: says });
    await expect
      .element(alert.getByRole("link", { name: "See invoices" }))
      .toHaveAttribute("href", "/administration/invoices");
  });

  it("come by themselves to a page that is open", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    let status: "ACTIVE" | "OVERDUE" = "ACTIVE";
    const { screen } = await open(aPlan("payg"), withPlan(aPlan("payg")), {
      "GET /v1/billing/subscriptions": () => aPage([aPlan("payg", { status })]),
    });
    await expect.element(screen.getByText("Active", { exact: true })).toBeVisible();
    status = "OVERDUE";
    vi.advanceTimersByTime(30_000);
    await expect.element(screen.getByRole("alert")).toBeVisible();
  });

  it("tell of a renewal that failed, and when the plan is cancelled", async () => {
    const { screen } = await open(aPlan("annual"), withPlan(aPlan("annual")), {
      "GET /v1/billing/transactions": () => aPage([anInvoice("FAILED")]),
    });
    await expect.element(screen.getByText(/The plan is cancelled on March 1, 2027 unless/)).toBeVisible();
    await expect.element(screen.getByText("Paid for a year.", { exact: true })).toBeVisible();
  });
});

describe("a plan that waits for its first payment", () => {
  it("can be neither cancelled nor taken for one, and what becomes of it shows by itself", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    let plan: Subscription | null = aPlan("annual", { status: "INCOMPLETE" });
    const { screen } = await open(null, withPlan(null), {
      "GET /v1/organizations/:uuid": () => withPlan(null, { subscription: plan }),
      "GET /v1/billing/subscriptions": () => aPage(plan ? [plan] : []),
    });
    await expect.element(screen.getByText("Waits for your bank")).toBeVisible();
    for (const name of ["Cancel plan", "Request a trial"])
      expect(screen.getByRole("button", { name }).elements()).toEqual([]);
    expect(screen.getByText("Minutes used").elements()).toEqual([]);
    plan = null;
    vi.advanceTimersByTime(3_000);
    await expect.element(screen.getByText("Waits for your bank")).not.toBeInTheDocument();
    await expect.element(screen.getByRole("button", { name: "Request a trial" })).toBeVisible();
  });
});

describe("what is over", () => {
  const trial = {
    kind: "individual",
    state: "APPROVED",
    requested_at: "2026-02-01T09:00:00.000Z",
    expires_at: "2026-03-01T09:00:00.000Z",
  } as const;
  it.each([
    [{ trial }, "It ended on March 1, 2026. Nothing was billed."],
    [{}, "Your free minutes could be used until March 1, 2026. Choose a plan below to go on."],
    [{ type: "fixed" }, "It was agreed with us for your organization, and ended on March 1, 2026."],
  ] as const)("is told as over: %#", async (license, says) => {
    const { screen } = await open(null, withPlan(null, { expires_at: "2026-03-01T09:00:00.000Z", ...license }));
    await expect.element(screen.getByText(says)).toBeVisible();
  });
});

describe("without a plan", () => {
  it("says that there are no free minutes left", async () => {
    const { screen } = await open(null, withPlan(null, { minuteBalance: 0 }));
    await expect
      .element(screen.getByText("Your free minutes are used up. Choose a plan below to go on."))
      .toBeVisible();
  });

  it("offers nothing that is free where no device may start", async () => {
    const { screen } = await open(null, withPlan(null, { is_active: false }));
    await expect.element(screen.getByText("No plan", { exact: true })).toBeVisible();
    expect(screen.getByText(/free minutes now/).elements()).toEqual([]);
    expect(screen.getByRole("button", { name: "Request a trial" }).elements()).toEqual([]);
  });
});

describe("what does not load", () => {
  it.each([
    ["GET /v1/billing/balance", "Fail to fetch the balance."],
    ["GET /v1/billing/subscriptions/:uuid/usage", "Fail to fetch the usage."],
    ["GET /v1/billing/subscriptions", "Fail to fetch the subscription."],
    ["GET /v1/organizations/:uuid", "Fail to fetch the organization."],
  ])("is said in its place: %s", async (route, says) => {
    const { screen } = await open(aPlan("payg"), withPlan(aPlan("payg")), { [route]: refuse("INTERNAL_ERROR") });
    await expect.element(screen.getByText(says).first()).toBeVisible();
  });
});

describe("asking for an offer", () => {
  async function fill() {
    const opened = await open();
    const { screen, press, dialog } = opened;
    await press("Request an offer");
    const send = dialog().getByRole("button", { name: "Send" });
    await expect.element(send).toBeDisabled();
    for (const [name, choice] of [
      ["Country", "Sweden"],
      ["Employees", "11-50"],
    ] as const) {
      await dialog().getByRole("combobox", { name }).click();
      await screen.getByRole("option", { name: choice, exact: true }).click();
    }
    await dialog().getByLabelText("Your role").fill("Head of QA");
    await dialog().getByLabelText("Devices at once").fill("40");
    await dialog()
      .getByLabelText(/What your company does/)
      .fill("We test a banking app.");
    await expect.element(send).toBeDisabled();
    await dialog()
      .getByRole("checkbox", { name: /privacy notice/ })
      .click();
    await expect.element(send).toBeEnabled();
    return { ...opened, send };
  }

  it("sends what was filled in, and says that it was sent", async () => {
    const { screen, dialog, service, send } = await fill();
    await send.click();
    await expect.element(screen.getByText("Your request was sent. You will hear from us by email.")).toBeVisible();
    await expect.element(dialog()).not.toBeInTheDocument();
    expect(service.to("POST", /premium-offer-request/)).toMatchObject([
      {
        path: `/v1/organizations/${organizationId}/premium-offer-request`,
        body: {
          first_name: "Mara",
          last_name: "Lindqvist",
          email: "manager@demo.test",
          company_name: "Northwind Mobile",
          role: "Head of QA",
          country: "SE",
          nb_of_employees: "11-50",
          nb_of_concurrent_vd: "40",
          business_describe: "We test a banking app.",
        },
      },
    ]);
  });

  it("keeps what was filled in when it was not sent", async () => {
    const { screen, dialog, send } = await fill();
    fakeService({ "POST /v1/organizations/:uuid/premium-offer-request": refuse("INTERNAL_ERROR") });
    await send.click();
    await expect.element(screen.getByText("Your request was not sent. Try again.")).toBeVisible();
    await expect.element(dialog().getByLabelText("Your role")).toHaveValue("Head of QA");
  });

  it("refuses what cannot be", async () => {
    const { dialog, send } = await fill();
    for (const [field, value, says] of [
      ["First name", "", "Required"],
      ["Last name", " ", "Required"],
      ["First name", "x".repeat(251), "Use up to 250 characters"],
      ["Email", "abc", "Use a valid email address"],
      ["Company", "", "Required"],
    ] as const) {
      const input = dialog().getByLabelText(field, { exact: true });
      const before = (input.element() as HTMLInputElement).value;
      await input.fill(value);
      await userEvent.tab();
      await expect.element(dialog().getByText(says)).toBeVisible();
      await expect.element(send).toBeDisabled();
      await input.fill(before);
      await expect.element(send).toBeEnabled();
    }
  });
});

describe("asking for a trial", () => {
  it("sends it, and calls who asks as they say", async () => {
    const { screen, press, dialog, service } = await open();
    await press("Request a trial");
    await expect.element(dialog().getByText(/Up to 10 devices at once and 1,000 free minutes/)).toBeVisible();
    await expect.element(dialog().getByText(/That takes 2 business days/)).toBeVisible();
    expect(nameless()).toEqual([]);
    await dialog().getByRole("button", { name: "Request trial" }).click();
    expect(dialog().getByText("Required", { exact: true }).elements().length).toBeGreaterThanOrEqual(5);
    expect(service.to("POST", /trial/)).toEqual([]);
    await dialog().getByRole("button", { name: "Myself" }).click();
    await dialog().getByLabelText("First name").fill("Maria");
    await dialog().getByRole("combobox", { name: "Country" }).click();
    await screen.getByRole("option", { name: "Sweden", exact: true }).click();
    await dialog().getByLabelText("What you will use devices for").fill("My app");
    await dialog().getByRole("button", { name: "Request trial" }).click();
    await expect.element(screen.getByText("Your request was sent. You will hear from us by email.")).toBeVisible();
    expect(service.to("POST", /trial/)[0]?.body).toMatchObject({
      type_license: "individual",
      first_name: "Maria",
      country: "SE",
      use_cases: "My app",
      company_name: "",
    });
    expect(service.to("PUT", /v2\/users/)[0]?.body).toEqual({ first_name: "Maria", last_name: "Lindqvist" });
  });

  it("says below the address that a company needs its own", async () => {
    const { screen, press, dialog } = await open(null, withPlan(null), {
      "POST /v1/organizations/:uuid/trial-request": refuse("COMPANY_EMAIL_NEEDED"),
    });
    await press("Request a trial");
    for (const [name, choice] of [
      ["Country", "Sweden"],
      ["Employees", "11-50"],
    ] as const) {
      await dialog().getByRole("combobox", { name }).click();
      await screen.getByRole("option", { name: choice, exact: true }).click();
    }
    for (const name of ["Your role", "Devices at once", "What your company does", "What you will use devices for"])
      await dialog().getByLabelText(name).fill("4");
    await dialog().getByRole("button", { name: "Request trial" }).click();
    await expect.element(dialog().getByText("Use an address of your company")).toBeVisible();
  });

  it("is offered once, until it was rejected", async () => {
    const trial = { kind: "enterprise", requested_at: "2026-03-04T09:00:00.000Z", expires_at: null } as const;
    const asked = await open(null, withPlan(null, { trial: { ...trial, state: "REQUESTED" } }));
    await expect.element(asked.screen.getByText(/You asked for a trial on March 4, 2026/)).toBeVisible();
    expect(asked.screen.getByRole("button", { name: "Request a trial" }).elements()).toEqual([]);
    await asked.screen.unmount();
    const rejected = await open(null, withPlan(null, { trial: { ...trial, state: "REJECTED" } }));
    await expect.element(rejected.screen.getByRole("button", { name: "Request a trial" })).toBeVisible();
  });
});
