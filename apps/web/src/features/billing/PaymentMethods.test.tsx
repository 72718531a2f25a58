import { AppError, type Card, type Organization, type PaymentMethod } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { queryClient } from "../../session/client.ts";
import { MeContext } from "../../session/user.ts";
import { confirmPayment } from "../../shared/payments/confirm-payment.ts";
import { SandboxBank } from "../../shared/payments/SandboxBank.tsx";
import { anId, anOrganization, manager, someSettings } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { BillingInformation } from "./BillingInformation.tsx";
import { PaymentMethods } from "./PaymentMethods.tsx";

const aCard = (fields: Partial<Card> = {}): Card => ({
  uuid: anId(),
  brand: "visa",
  last4: "4242",
  exp_month: 3,
  exp_year: 2099,
  is_default: false,
  created_at: "2026-03-02T09:00:00.000Z",
  ...fields,
});
const asMethod = (card: Card): PaymentMethod => ({
  uuid: card.uuid,
  type: "CARD",
  is_default: card.is_default,
  created_at: card.created_at,
  card,
});
const said = () => readSnacks().map(({ message }) => message);
const refusedWith = (code: "CARD_REFUSED", message: string) => () => {
  throw new AppError(code, { message });
};

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  queryClient.clear();
  await page.viewport(1440, 900);
});

/** Both sections, over a service that keeps cards and an organization. */
async function open({
  cards = [] as Card[],
  organization = anOrganization(),
  ...answers
}: { cards?: Card[]; organization?: Organization } & Record<string, unknown> = {}) {
  const now = { cards, organization };
  const service = fakeService({
    "GET /v1/settings": () => someSettings(),
    "GET /v1/billing/payment-methods": () => aPage(now.cards.map(asMethod)),
    "POST /v1/billing/cards/setup": () => ({ client_secret: "s", provider: "sandbox", publishable_key: null }),
    "POST /v1/billing/cards": () => {
      const card = aCard({ is_default: now.cards.length === 0 });
      now.cards = [...now.cards, card];
      return card;
    },
    "PUT /v1/billing/cards/:uuid": ({ path }) => {
      now.cards = now.cards.map((card) => ({ ...card, is_default: path.endsWith(card.uuid) }));
      return now.cards.find(({ is_default }) => is_default);
    },
    "DELETE /v1/billing/cards/:uuid": ({ path }) => {
      now.cards = now.cards.filter(({ uuid }) => !path.endsWith(uuid));
      return null;
    },
    "GET /v1/organizations/:uuid": () => now.organization,
    "PUT /v1/organizations/:uuid": ({ body }) =>
      (now.organization = { ...now.organization, ...(body as Partial<Organization>) }),
    ...(answers as Parameters<typeof fakeService>[0]),
  });
  const screen = await render(
    <InTestApp address="/administration/billing">
      <MeContext.Provider value={manager}>
        <PaymentMethods />
        <BillingInformation />
        <SandboxBank />
        <Snacks />
      </MeContext.Provider>
    </InTestApp>,
  );
  const region = (name: string) => screen.getByRole("region", { name });
  const dialog = screen.getByRole("dialog");
  return {
    screen,
    service,
    dialog,
    methods: region("Payment methods"),
    information: region("Billing information"),
    add: async (number: string) => {
      await region("Payment methods").getByRole("button", { name: "Add card" }).click();
      await dialog.getByLabelText("Card number").fill(number);
      await dialog.getByRole("button", { name: "Add card" }).click();
    },
    save: () => region("Billing information").getByRole("button", { name: "Save" }).click(),
    /** All that was sent anywhere. */
    sent: () => JSON.stringify(service.calls.map(({ path, body, query }) => [path, body, String(query)])),
  };
}

describe("the cards", () => {
  it("are listed with brand, last digits, expiry and which is the default", async () => {
    const { methods } = await open({
      cards: [
        aCard({ is_default: true }),
        aCard({ brand: "mastercard", last4: "4444", exp_month: 12, exp_year: 2020 }),
        aCard({ brand: "amex", last4: "0005" }),
        aCard({ brand: "elsewhere", last4: "1111" }),
      ],
    });
    await expect
      .element(methods.getByRole("listitem").first())
      .toHaveTextContent("Visa •••• 4242DefaultCredit card · expires 03/99Delete");
    await expect
      .element(methods.getByRole("listitem").nth(1))
      .toHaveTextContent("Mastercard •••• 4444Credit card · expired 12/20Make defaultDelete");
    await expect.element(methods.getByText("American Express •••• 0005")).toBeVisible();
    await expect.element(methods.getByText("Card •••• 1111")).toBeVisible();
    expect(nameless()).toEqual([]);
  });

  it("are said to be none", async () => {
    const { methods } = await open();
    await expect.element(methods.getByText("There is no card yet. A plan needs one.")).toBeVisible();
  });

  it("can be asked for again when they did not load", async () => {
    let isDown = true;
    const { methods } = await open({
      "GET /v1/billing/payment-methods": () => (isDown ? refuse("INTERNAL_ERROR")() : aPage([asMethod(aCard())])),
    });
    await expect.element(methods.getByText("Fail to fetch payment methods.")).toBeVisible();
    isDown = false;
    await methods.getByRole("button", { name: "Try again" }).click();
    await expect.element(methods.getByText("Visa •••• 4242")).toBeVisible();
  });

  it("change which is the default", async () => {
    const { methods } = await open({ cards: [aCard({ is_default: true }), aCard({ brand: "amex", last4: "0005" })] });
    await methods.getByRole("button", { name: "Make default: American Express •••• 0005" }).click();
    await expect
      .element(methods.getByRole("listitem").nth(1))
      .toHaveTextContent("American Express •••• 0005DefaultCredit card · expires 03/99Delete");
    expect(methods.getByText("Default", { exact: true }).elements()).toHaveLength(1);
  });

  it("are deleted when that is confirmed, which says what is charged then", async () => {
    const { methods, dialog, service } = await open({
      cards: [aCard({ is_default: true }), aCard({ brand: "amex", last4: "0005" })],
    });
    await methods.getByRole("button", { name: "Delete Visa •••• 4242" }).click();
    await expect.element(dialog.getByText(/American Express •••• 0005 becomes the default/)).toBeVisible();
    await expect.element(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    expect(service.to("DELETE", /cards/)).toEqual([]);
    await methods.getByRole("button", { name: "Delete Visa •••• 4242" }).click();
    await dialog.getByRole("button", { name: "Delete card" }).click();
    await expect.element(methods.getByText("Visa •••• 4242")).not.toBeInTheDocument();
  });

  it.each([
    ["CARD_IN_USE", "A card cannot be deleted while a plan is active. Cancel the plan first."],
    ["INTERNAL_ERROR", "Fail to delete the card."],
  ] as const)("say why they were not deleted: %s", async (code, sentence) => {
    const { methods, dialog } = await open({
      cards: [aCard({ is_default: true })],
      "DELETE /v1/billing/cards/:uuid": refuse(code),
    });
    await methods.getByRole("button", { name: "Delete Visa •••• 4242" }).click();
    await dialog.getByRole("button", { name: "Delete card" }).click();
    await expect.poll(said).toEqual([sentence]);
  });

  it("cannot be deleted while there is a plan, which a tip tells", async () => {
    const organization = anOrganization();
    organization.license.subscription = { uuid: anId() } as Organization["license"]["subscription"];
    const { screen, methods, dialog } = await open({ cards: [aCard({ is_default: true })], organization });
    const button = methods.getByRole("button", { name: /Delete Visa/ });
    await expect.element(button).toHaveAttribute("aria-disabled", "true");
    await button.hover();
    await expect.element(screen.getByRole("tooltip").getByText(/while a plan is active/)).toBeVisible();
    await button.click({ force: true });
    expect(dialog.elements()).toEqual([]);
  });

  it("say when the default was not changed", async () => {
    const { methods } = await open({ cards: [aCard()], "PUT /v1/billing/cards/:uuid": refuse("INTERNAL_ERROR") });
    await methods.getByRole("button", { name: /Make default/ }).click();
    await expect.poll(said).toEqual(["Fail to update the card."]);
  });

  it("are ten at most", async () => {
    const { methods } = await open({ cards: Array.from({ length: 10 }, () => aCard()) });
    await expect.element(methods.getByText(/which is the most it can have/)).toBeVisible();
    expect(methods.getByRole("button", { name: "Add card" }).elements()).toEqual([]);
  });
});

describe("adding a card", () => {
  it("sends a name in place of the number, which leaves the browser nowhere", async () => {
    const { methods, dialog, add, service, sent } = await open();
    await add("4242 4242 4242 4242");
    await expect.element(methods.getByText("Visa •••• 4242")).toBeVisible();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(service.to("POST", /cards$/).map(({ body }) => body)).toEqual([{ token: "pm_card_visa" }]);
    expect(sent().replaceAll(/\D/g, "")).not.toContain("4242424242424242");
    expect(JSON.stringify([localStorage, sessionStorage])).not.toMatch(/4242/);
  });

  it("tells what may be held on it, and offers the test cards", async () => {
    const { methods, dialog, service } = await open();
    await methods.getByRole("button", { name: "Add card" }).click();
    await expect.element(dialog.getByText(/\$1\.00 is held on the card and given back at once/)).toBeVisible();
    await dialog.getByRole("button", { name: "3782 822463 10005" }).click();
    await dialog.getByRole("button", { name: "Add card" }).click();
    await vi.waitFor(() =>
      expect(service.to("POST", /cards$/).map(({ body }) => body)).toEqual([{ token: "pm_card_amex" }]),
    );
    expect(nameless()).toEqual([]);
  });

  it.each([
    ["", "Required"],
    ["4242 4242 4242 4241", "Use one of the test cards"],
  ])("takes no %j for a number", async (number, sentence) => {
    const { dialog, add, service } = await open();
    await add(number);
    await expect.element(dialog.getByText(sentence)).toBeVisible();
    expect(service.to("POST", /cards$/)).toEqual([]);
  });

  it.each([
    [refusedWith("CARD_REFUSED", "Your card is not supported."), "Your card is not supported."],
    [refuse("CARD_PREPAID"), "Prepaid cards are not supported."],
    [refuse("INTERNAL_ERROR"), "Fail to add the card."],
  ])("says at the number why it was refused: %#", async (answer, sentence) => {
    const { dialog, add } = await open({ "POST /v1/billing/cards": answer });
    await add("4242 4242 4242 4242");
    await expect.element(dialog.getByText(sentence)).toBeVisible();
    await expect.element(dialog.getByLabelText("Card number")).toHaveValue("4242 4242 4242 4242");
  });

  it.each([
    ["INTERNAL_ERROR", "The form for the card could not be prepared."],
    ["PAYMENTS_NOT_AVAILABLE", "This installation takes no payments. Ask its operator."],
  ] as const)("says when it cannot begin: %s", async (code, sentence) => {
    const { methods, dialog } = await open({ "POST /v1/billing/cards/setup": refuse(code) });
    await methods.getByRole("button", { name: "Add card" }).click();
    await expect.element(dialog.getByText(sentence)).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
  });

  it("leaves the number to Stripe's own form where Stripe charges cards", async () => {
    const confirmSetup = vi
      .fn()
      .mockResolvedValueOnce({ error: { message: "Your card was declined." } })
      .mockResolvedValue({ setupIntent: { payment_method: "pm_1" } });
    const mount = vi.fn();
    const elements = vi.fn(() => ({
      create: () => ({ mount, destroy: vi.fn() }),
      submit: async () => ({}),
    }));
    const stripe = vi.fn(() => ({ elements, confirmSetup }));
    vi.stubGlobal("Stripe", stripe);
    const { methods, dialog, service } = await open({
      "POST /v1/billing/cards/setup": () => ({ client_secret: "seti_1", provider: "stripe", publishable_key: "pk_1" }),
    });
    await methods.getByRole("button", { name: "Add card" }).click();
    await vi.waitFor(() => expect(mount).toHaveBeenCalled());
    expect(stripe).toHaveBeenCalledWith("pk_1");
    expect(elements).toHaveBeenCalledWith(expect.objectContaining({ clientSecret: "seti_1" }));
    expect(dialog.getByLabelText("Card number").elements()).toEqual([]);
    await dialog.getByRole("button", { name: "Add card" }).click();
    await expect.element(dialog.getByText("Your card was declined.")).toBeVisible();
    await dialog.getByRole("button", { name: "Add card" }).click();
    await expect.element(methods.getByText("Visa •••• 4242")).toBeVisible();
    expect(service.to("POST", /cards$/).map(({ body }) => body)).toEqual([{ token: "pm_1" }]);
  });
});

describe("confirming a payment", () => {
  it("asks as a bank does in the sandbox", async () => {
    const { dialog, service } = await open({
      "POST /v1/billing/sandbox/confirmations": ({ body }: { body: unknown }) => ({
        outcome: (body as { is_confirmed: boolean }).is_confirmed ? "accepted" : "refused",
      }),
    });
    const confirmed = confirmPayment("pi_sandbox_1_secret");
    await dialog.getByRole("button", { name: "Confirm payment" }).click();
    expect(await confirmed).toEqual({});
    const refused = confirmPayment("pi_sandbox_2_secret");
    await dialog.getByRole("button", { name: "Refuse" }).click();
    expect(await refused).toEqual({ error: "The payment was not confirmed." });
    const closed = confirmPayment("pi_sandbox_3_secret");
    await expect.element(dialog.getByRole("button", { name: "Confirm payment" })).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    expect(await closed).toEqual({ error: "The payment was not confirmed." });
    await expect.element(dialog).not.toBeInTheDocument();
    expect(service.to("POST", /confirmations/).map(({ body }) => body)).toEqual([
      { client_secret: "pi_sandbox_1_secret", is_confirmed: true },
      { client_secret: "pi_sandbox_2_secret", is_confirmed: false },
      { client_secret: "pi_sandbox_3_secret", is_confirmed: false },
    ]);
  });

  it("asks Stripe's bank with the card that was tried", async () => {
    const confirmCardPayment = vi.fn(async () => ({ error: { message: "We are unable to authenticate you." } }));
    vi.stubGlobal("Stripe", () => ({
      retrievePaymentIntent: async () => ({
        paymentIntent: { status: "requires_payment_method", last_payment_error: { payment_method: { id: "pm_1" } } },
      }),
      confirmCardPayment,
    }));
    await open({ "GET /v1/settings": () => someSettings({ stripe_publishable_key: "pk_1" }) });
    expect(await confirmPayment("pi_1_secret")).toEqual({ error: "We are unable to authenticate you." });
    expect(confirmCardPayment).toHaveBeenCalledWith("pi_1_secret", { payment_method: "pm_1" });
  });
});

describe("the billing information", () => {
  const address = {
    street: "1 Moss Lane",
    additional_info: "Floor 2",
    city: "Berlin",
    state: null,
    postcode: "10115",
    country: "DE",
  };

  it("takes an address as a whole, with or without a state, or none", async () => {
    const { screen, information, save, service } = await open();
    await information.getByLabelText("Company name (optional)").fill("Moss Ltd");
    await save();
    await expect.element(screen.getByText("The billing information was saved.")).toBeVisible();
    await information.getByLabelText("City").fill("Berlin");
    await save();
    await expect.poll(() => screen.getByText("Required").elements().length).toBe(3);
    await information.getByLabelText("Street and number").fill("1 Moss Lane");
    await information.getByLabelText("Additional info (optional)").fill("Floor 2");
    await information.getByLabelText("Postcode").fill("10115");
    await screen.getByRole("combobox", { name: "Country" }).click();
    await screen.getByRole("option", { name: "Germany", exact: true }).click();
    await save();
    await expect.poll(() => service.to("PUT", /organizations/).length).toBe(2);
    const details = { company_name: "Moss Ltd", vat_number: "GB123456789", additional_billing_contact_email: null };
    expect(service.to("PUT", /organizations/).map(({ body }) => body)).toEqual([
      { ...details, address: null },
      { ...details, address },
    ]);
  });

  it("checks the VAT number by the country, and shows what the service says of it", async () => {
    const { information, save } = await open({
      organization: { ...anOrganization(), address, vat_number: "" },
      "PUT /v1/organizations/:uuid": () => {
        const message = "Nobody has this VAT number";
        throw new AppError("VAT_NUMBER_INVALID", { fields: [{ field: "vat_number", message }] });
      },
    });
    const field = information.getByLabelText("VAT number (optional)");
    await field.fill("FR40303265045");
    await save();
    await expect.element(information.getByText("This is no VAT number of this country")).toBeVisible();
    await field.fill("136 695 976");
    await save();
    await expect.element(information.getByText("Nobody has this VAT number")).toBeVisible();
  });

  it.each([
    [{ display_name: "VAT", jurisdiction: "DE", percentage: 19 }, "19% VAT (Germany) is added to invoices."],
    [
      { display_name: "Reverse charge", jurisdiction: "DE", percentage: 0 },
      "No tax is added: you account for it in Germany (reverse charge).",
    ],
    [{ display_name: "No tax", jurisdiction: "US", percentage: 0 }, "No tax is added to invoices (United States)."],
  ])("says what tax is added: %#", async (tax_rate, sentence) => {
    const { information } = await open({ organization: { ...anOrganization(), tax_rate } });
    await expect.element(information.getByText(sentence)).toBeVisible();
  });

  it("says when it was not saved, and keeps what was typed", async () => {
    const { information, save } = await open({ "PUT /v1/organizations/:uuid": refuse("BILLING_ADDRESS_IN_USE") });
    await information.getByLabelText("Company name (optional)").fill("Moss Ltd");
    await save();
    await expect.element(information.getByText("A billing address is needed while a plan is active.")).toBeVisible();
    await expect.element(information.getByLabelText("Company name (optional)")).toHaveValue("Moss Ltd");
  });
});

it("fits a phone with long names", async () => {
  await page.viewport(390, 844);
  const { methods } = await open({
    cards: [aCard({ brand: "amex", last4: "0005" }), aCard({ is_default: true })],
    organization: { ...anOrganization(), company_name: "Wholly-Unreasonable-Name-Without-A-Break-".repeat(6) },
  });
  await expect.element(methods.getByText("American Express •••• 0005")).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});
