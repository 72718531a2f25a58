import { type InvoiceState, invoiceState, subscriptionState } from "@terrarium/contract";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { findingsInBothModes, openPage } from "./support/browser.ts";
import { Customer } from "./support/customer.ts";
import { eventually, startDevice, untilState } from "./support/instances.ts";
import { signInAsOperator } from "./support/operator.ts";
import { serverAndBrowser } from "./support/serving.ts";

/** Nobody touches it for weeks. */
const FOREVER = { timeouts: { inactivity: 0, global: 0 } };

const planOf = async ({ client }: Customer) => (await client.subscriptions.list({ query: {} })).results[0];
const planIs = (customer: Customer, state: ReturnType<typeof subscriptionState>) => async () => {
  const plan = await planOf(customer);
  return plan !== undefined && subscriptionState(plan) === state;
};
const hasInvoices =
  (customer: Customer, state: InvoiceState, count = 1) =>
  async () => {
    const { results } = await customer.client.invoices.list({ query: {} });
    return results.filter((invoice) => invoiceState(invoice) === state).length >= count;
  };

describe("the whole life of a plan", () => {
  const started = serverAndBrowser();

  it("pay-as-you-go: started, billed, not paid until nothing starts, paid after all, and cancelled", async () => {
    const customer = await Customer.arrive(started, "Moss");
    const { page, button, press, says } = customer;

    // Whom to bill, and what to charge
    const start = async () => {
      await button("Start pay-as-you-go").click();
      await press("Start pay-as-you-go");
    };
    await start();
    await says("Add a billing address first.");
    await page.getByRole("link", { name: "Add an address" }).click();
    await customer.enter({ "Street and number": "1 Moss Lane", Postcode: "97201", City: "Portland" });
    await customer.choose("Country", "United States");
    await page.getByRole("region", { name: "Billing information" }).getByRole("button", { name: "Save" }).click();
    await says("The billing information was saved.");
    await start();
    await says("Add a payment method first.");
    await customer.addCard("4242 4242 4242 4242");
    await start();
    await says("Pay-as-you-go has started");

    // A week of use, billed
    const { uuid } = await startDevice(customer.client, FOREVER);
    await untilState(customer.client, uuid, "ONLINE");
    await customer.later("+8d", "a paid invoice", hasInvoices(customer, "ACCEPTED"));
    await says("Minutes used");
    await page.getByRole("link", { name: "Invoices" }).click();
    await page
      .getByRole("row", { name: /Paid/ })
      .first()
      .getByRole("button", { name: /^Details of/ })
      .click();
    await page.getByRole("heading", { name: /^Invoice/ }).waitFor();
    const download = page.waitForEvent("download");
    await button("Download PDF").click();
    expect((await readFile(await (await download).path())).subarray(0, 5).toString()).toBe("%PDF-");

    // A week that the card does not pay, until nothing starts
    await page.goto("/administration/billing");
    await customer.addCard("4000 0000 0000 0341");
    await customer.payWith("0341");
    await customer.pass("+8d", "an unpaid invoice", hasInvoices(customer, "FAILED"));
    // Plans are looked at once a minute, and when the clock was moved.
    await customer.later("+1h", "an overdue plan", planIs(customer, "OVERDUE"));
    await says("An invoice is overdue.");
    await customer.later("+7d", "a suspended plan", planIs(customer, "SUSPENDED"));
    await says("Your plan is suspended");
    await expect(startDevice(customer.client)).rejects.toMatchObject({ status: 403 });

    // Paid by another card, and ended
    await customer.payWith("4242");
    await page.getByRole("link", { name: "See invoices" }).first().click();
    const failed = page.getByRole("row", { name: /Failed/ });
    await failed.first().waitFor();
    for (let left = await failed.count(); left > 0; left--) {
      await failed
        .first()
        .getByRole("button", { name: /^Details of/ })
        .click();
      await button(/^Pay \$/).click();
      await says(/ is paid\.$/);
      await page.getByRole("link", { name: "Invoices", exact: true }).click();
      await page.getByRole("row", { name: /Paid/ }).first().waitFor();
      await expect.poll(() => failed.count()).toBe(left - 1);
    }
    await page.goto("/administration/billing");
    await page.getByText("Active", { exact: true }).waitFor();
    await button("Cancel plan").click();
    await press("Cancel pay-as-you-go");
    await says("Pay-as-you-go is cancelled");
    await says("No plan");
    expect(customer.errors).toEqual([]);
  });

  it("Unlimited: a year of two devices that the bank wants confirmed, kept, renewed, and let go", async () => {
    const customer = await Customer.arrive(started, "Fern");
    const { page, client, button, press, says } = customer;
    const address = { street: "1 Fern Lane", postcode: "97201", city: "Portland", country: "US" } as const;
    await client.billingAddresses.add({ body: address });
    await client.cards.add({ body: { token: "pm_card_visa" } });
    await page.reload();
    await customer.addCard("4000 0027 6000 3184");
    await customer.payWith("3184");
    const choose = async () => {
      await button("Choose Unlimited").click();
      await button("One device more").click();
    };
    await choose();
    await press(/^Pay \$4,103\.52 and start$/);
    await press("Refuse");
    await says("The payment was not confirmed.");
    await page.keyboard.press("Escape");
    await choose();
    await press(/^Pay/);
    await press("Confirm payment");
    await says("Unlimited has started");
    await page.getByText("2 devices at once", { exact: true }).waitFor();
    const devices = [await startDevice(client), await startDevice(client)];
    await expect(startDevice(client)).rejects.toMatchObject({ code: "TOO_MANY_RUNNING_VDS" });
    for (const { uuid } of devices) await client.instances.stop({ params: { uuid } });

    const end = async () => {
      await button("Cancel plan").click();
      await press("Cancel Unlimited");
      await says(/^Unlimited ends on/);
    };
    await end();
    await button("Restore plan").click();
    await press("Restore Unlimited");
    await says(/^Unlimited renews on/);
    await customer.payWith("4242");
    await customer.later("+366d", "a second paid year", hasInvoices(customer, "ACCEPTED", 2));
    await page.getByText("Active", { exact: true }).waitFor();
    await end();
    await customer.later(
      "+367d",
      "no plan",
      async () => (await planIs(customer, "CANCELLED")()) || !(await planOf(customer)),
    );
    await says("No plan");
    expect(await findingsInBothModes(page)).toEqual([]);
    expect(customer.errors).toEqual([]);
  });

  it("a trial: requested, approved, used up with a notice before the stop, and over", async () => {
    const customer = await Customer.arrive(started, "Birch");
    const { page, button, press, says } = customer;
    const { client } = customer;
    await button("Request a trial").click();
    await customer.choose("Country", "Portugal");
    await customer.enter({ "First name": "Bia", "Last name": "Sol", "Your role": "Lead", "Devices at once": "5" });
    await customer.enter({ "What your company does": "Apps", "What you will use devices for": "Tests" });
    await customer.choose("Employees", "11-50");
    await press("Request trial");
    await says("Your request was sent. You will hear from us by email.");
    await says(/^You asked for a trial on/);
    await started.server.operate("trials", "approve", "Birch");
    await page.reload();
    await says("Free trial");
    await says("1,000");
    await says("10 devices at once");

    // Its minutes, to the last
    const { uuid } = await startDevice(client, { name: "trunk", ...FOREVER });
    await untilState(client, uuid, "ONLINE");
    await started.server.operate("clock", "+15h");
    await page.reload();
    await says(/^(99|100)$/);
    await started.server.operate("clock", "+2h");
    const { stops_because } = await eventually("a notice", async () => {
      const device = await client.instances.get({ params: { uuid } });
      return device.stops_at !== null && device.stops_because === "minutes_used_up" && device;
    });
    expect(stops_because).toBe("minutes_used_up");
    await page.reload();
    await says("Your free minutes are used up. Choose a plan below to go on.");
    await page.goto(`/instance/${uuid}`);
    await says("Free minutes used up");
    await page.getByRole("timer", { name: /^(10|9):\d\d left before this device stops by itself$/ }).waitFor();
    await started.server.operate("clock", "+1h");
    await eventually("the device has stopped", async () =>
      (await started.server.instances()).every((device) => device.uuid !== uuid),
    );
    await expect(startDevice(client)).rejects.toMatchObject({ status: 403 });
    await customer.later("+14d", "its last day", async () => true);
    await says(/^It ended on/);
    expect(customer.errors).toEqual([]);
  });

  it("Premium: requested, and answered with a plan of its own", async () => {
    const customer = await Customer.arrive(started, "Oak");
    const { page, button, press, says } = customer;
    await button("Request an offer").click();
    await customer.choose("Country", "Portugal");
    await customer.enter({ "First name": "Rui", "Last name": "Sol", Company: "Oak & Sons", "Your role": "Lead" });
    await customer.enter({ "Devices at once": "50", "What your company does, and what you need devices for": "Tests" });
    await customer.choose("Employees", "201-1000");
    await page.getByRole("checkbox", { name: /privacy notice/ }).check();
    await press("Send");
    await says("Your request was sent. You will hear from us by email.");

    // What the operator does about it, in the console
    const operator = await openPage(started.browser, started.server.url);
    await signInAsOperator(operator.page, started.server, "ines@oak.example");
    await operator.page.goto("/operator/requests");
    await operator.page.getByRole("button", { name: "Read the request of Oak" }).click();
    const approve = operator.page.getByRole("dialog").getByRole("button", { name: "Approve" });
    await approve.click();
    await operator.page.getByLabel("Reason").fill("looked at by Ines");
    await approve.click();
    await operator.page.getByText(" the request of Oak").waitFor();
    await operator.page.goto("/operator/organizations");
    await operator.page.getByRole("button", { name: "Open Oak" }).click();
    await operator.page.getByRole("button", { name: "Change", exact: true }).click();
    await operator.page.getByRole("combobox", { name: "License" }).click();
    await operator.page.getByRole("option", { name: "Fixed plan" }).click();
    await operator.page.getByLabel("Devices at once").fill("50");
    await operator.page.getByText(/^Devices at once: \d+ → 50$/).waitFor();
    await operator.page.getByLabel("Reason").fill("as agreed");
    await operator.page.keyboard.press("Enter");
    await operator.page.getByText("0 of 50").waitFor();
    expect(operator.errors).toEqual([]);
    await operator.close();

    await page.reload();
    await says("Agreed with us for your organization.");
    await page.getByText("50 devices at once").first().waitFor();
    await page.goto("/mailbox");
    await page
      .getByRole("link", { name: /Your request for .* was approved/ })
      .first()
      .waitFor();
    expect(customer.errors).toEqual([]);
  });

  it("a fixed license: given until a day, with devices up to its limit, and over", async () => {
    const customer = await Customer.arrive(started, "Pine");
    const { client, says } = customer;
    const { time } = await client.settings.get();
    const day = new Date(Date.parse(time) + 30 * 24 * 3_600_000).toISOString().slice(0, 10);
    await started.server.operate("organizations", "license", "Pine", "fixed", "active", day);
    await started.server.operate("organizations", "limit", "Pine", "2");
    await customer.page.reload();
    await says(/^Agreed with us for your organization, until/);
    await says("2 devices at once");
    const devices = [await startDevice(client), await startDevice(client)];
    await expect(startDevice(client)).rejects.toMatchObject({ code: "TOO_MANY_RUNNING_VDS" });
    for (const { uuid } of devices) await client.instances.stop({ params: { uuid } });

    await customer.later("+31d", "its last day", async () => true);
    await says(/^It was agreed with us for your organization, and ended on/);
    await says("Your license has expired: no device starts.");
    await expect(startDevice(customer.client)).rejects.toMatchObject({ code: "LICENSE_EXPIRED" });
    expect(customer.errors).toEqual([]);
  });
});
