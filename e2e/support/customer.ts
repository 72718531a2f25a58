import type { Client } from "@terrarium/sdk";
import type { Browser, Page } from "playwright";
import { onTestFinished } from "vitest";
import { openPage, signIn } from "./browser.ts";
import { eventually } from "./instances.ts";
import { addManager } from "./operator.ts";
import type { TestServer } from "./server.ts";

const BILLING = "/administration/billing";

/** An organization of its own without a plan, and its manager before the page of plans. */
export class Customer {
  readonly #server: TestServer;
  readonly #account: { email: string; password: string };
  readonly page: Page;
  readonly errors: string[];
  #client: Client | undefined;

  private constructor(server: TestServer, account: Customer["account"], opened: { page: Page; errors: string[] }) {
    this.#server = server;
    this.#account = account;
    this.page = opened.page;
    this.errors = opened.errors;
  }

  static async arrive({ server, browser }: { server: TestServer; browser: Browser }, name: string): Promise<Customer> {
    const account = await addManager(server, name);
    const opened = await openPage(browser, server.url);
    onTestFinished(opened.close);
    const customer = new Customer(server, account, opened);
    await customer.signIn();
    return customer;
  }

  get account() {
    return this.#account;
  }

  /** What the manager may ask of the service, until the clock is moved. */
  get client(): Client {
    if (!this.#client) throw new Error("nobody has signed in");
    return this.#client;
  }

  /** Opens the page of plans; the next `client` is another one. */
  async signIn(): Promise<void> {
    this.#client = (await this.#server.signIn(this.#account)).client;
    await signIn(this.page, this.#account, BILLING);
  }

  /** Time passes until something has come of it. No session lasts as long, so the next `client` is another one. */
  async pass(move: string, what: string, look: () => Promise<boolean>): Promise<void> {
    await this.#server.operate("clock", move);
    const signInAnew = async () => (this.#client = (await this.#server.signIn(this.#account)).client);
    await signInAnew();
    // The server may have heard of the move only after that, which has ended this session too.
    await eventually(what, () => look().catch(async () => !(await signInAnew())));
  }

  /** Likewise, and the manager signs in anew. */
  async later(move: string, what: string, look: () => Promise<boolean>): Promise<void> {
    await this.page.evaluate(() => localStorage.clear());
    await this.pass(move, what, look);
    await signIn(this.page, this.#account, BILLING);
  }

  button = (name: string | RegExp) => this.page.getByRole("button", { name, exact: true });

  /** In the dialog that is open. */
  press = (name: string | RegExp) => this.page.getByRole("dialog").getByRole("button", { name, exact: true }).click();

  says = (text: string | RegExp) => this.page.getByText(text).first().waitFor();

  enter = async (fields: Record<string, string>) => {
    for (const [name, value] of Object.entries(fields)) await this.page.getByLabel(name, { exact: true }).fill(value);
  };

  choose = async (name: string, option: string) => {
    await this.page.getByRole("combobox", { name }).click();
    await this.page.getByRole("option", { name: option, exact: true }).click();
  };

  addCard = async (number: string) => {
    await this.button("Add card").click();
    const dialog = this.page.getByRole("dialog", { name: "Add a card" });
    await dialog.getByLabel("Card number").fill(number);
    await dialog.getByRole("button", { name: "Add card" }).click();
    await dialog.waitFor({ state: "hidden" });
  };

  payWith = async (last4: string) => {
    await this.button(`Make default: Visa •••• ${last4}`).click();
    await this.says(`Visa •••• ${last4} is charged from now on.`);
  };
}
