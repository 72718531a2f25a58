import { ThemeProvider } from "@mui/material";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient } from "../../session/client.ts";
import { aPuzzle, someSettings } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { soon } from "../../testing/soon.ts";
import { theme } from "../../theme/theme.ts";
import HomePage from "./HomePage.tsx";

const EMAIL = "ines@northwind.example";
const PASSWORD = "a better horse 2";

async function open({
  answers = {},
  address = "/",
}: { answers?: Record<string, (call: { body: unknown }) => unknown>; address?: string } = {}) {
  let puzzles = 0;
  const service = fakeService({
    "GET /v1/settings": () => someSettings(),
    "GET /v1/users/puzzle": () => aPuzzle(`0${++puzzles}`),
    "POST /v1/users": () => Response.json({ user: { email: EMAIL, is_validated: false } }, { status: 201 }),
    "POST /v1/users/activate/resend": () => new Response(null, { status: 204 }),
    ...answers,
  });
  const pages = [
    { path: "/", Component: HomePage },
    { path: "/signin", element: <h1>Sign in</h1> },
  ];
  const router = createMemoryRouter(pages, { initialEntries: [address] });
  const shown = await render(
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  const password = () => shown.getByLabelText("Password", { exact: true });
  const box = (name: RegExp) => shown.getByRole("checkbox", { name });
  return {
    shown,
    password,
    box,
    sent: () => service.to("POST", /^\/v1\/users$/).map(({ body }) => body as Record<string, string>),
    queries: () => service.to("POST", /^\/v1\/users/).map(({ query }) => query.toString()),
    resent: () => service.to("POST", /resend/).map(({ body }) => body),
    puzzles: () => service.to("GET", /puzzle/).length,
    async fill() {
      await shown.getByLabelText("Email").fill(EMAIL);
      await password().fill(PASSWORD);
      await shown.getByLabelText("Confirm password").fill(PASSWORD);
      await box(/terms/).click();
      await box(/privacy/).click();
    },
    submit: () => shown.getByRole("button", { name: "Create account" }).click(),
  };
}

afterEach(() => queryClient.clear());

describe("the form that creates an account", () => {
  it("sends what was typed with the solution of a puzzle, and says where the mail went", async () => {
    const { shown, fill, sent, submit } = await open();
    await fill();
    await shown.getByLabelText("Organization (optional)").fill(" Northwind ");
    await submit();
    await expect.element(shown.getByRole("heading", { name: "Check your mail" })).toBeVisible();
    await expect.element(shown.getByText(/^We have sent a mail to ines@northwind.example/)).toBeVisible();
    const [{ turnstileCaptcha_token: token = "", ...body } = {}, ...others] = sent();
    expect(others).toEqual([]);
    expect(body).toEqual({
      email: EMAIL,
      password: PASSWORD,
      organization_name: "Northwind",
      instances_zone: "europe",
      tnc_accepted: true,
    });
    const { challenge, solution } = JSON.parse(atob(token));
    expect(challenge).toEqual(aPuzzle("01"));
    expect(solution.derivedKey).toMatch(/^0[\da-f]{63}$/);
  });

  it.each([
    ["/start/r1?x=y", "redirect=%2Fstart%2Fr1%3Fx%3Dy"],
    ["//evil.example", ""],
    ["https://evil.example", ""],
  ])("keeps that one was going to %s, if it is a page of ours", async (redirect, query) => {
    const { shown, fill, queries, submit } = await open({ address: `/?redirect=${encodeURIComponent(redirect)}` });
    const signIn = shown.getByRole("link", { name: "Sign in" }).first();
    await expect.element(signIn).toHaveAttribute("href", `/signin${query && `?${query}`}`);
    await fill();
    await submit();
    await shown.getByRole("button", { name: "Send the mail again" }).click();
    await soon(() => expect(queries()).toEqual([query, query]));
  });

  it("sends the region that was chosen, and an address from the page's own address", async () => {
    const { shown, fill, sent, submit } = await open({ address: "/?email=kim%40northwind.example&utm_source=x" });
    await expect.element(shown.getByLabelText("Email")).toHaveValue("kim@northwind.example");
    await fill();
    await shown.getByRole("combobox", { name: "Region" }).click();
    await shown.getByRole("option", { name: "North America" }).click();
    await submit();
    await soon(() => expect(sent()[0]).toMatchObject({ instances_zone: "north america", organization_name: "" }));
  });

  it("offers the regions in which devices can run, the first unless another is chosen", async () => {
    const { shown, fill, sent, submit } = await open({
      answers: {
        "GET /v1/settings": () => someSettings({ zones: ["north america", "southeast asia"] }),
        "POST /v1/users": refuse("ZONE_NOT_AVAILABLE"),
      },
    });
    await fill();
    const region = shown.getByRole("combobox", { name: "Region" });
    await expect.element(region).toHaveTextContent("North America");
    await region.click();
    const names = shown.getByRole("option").elements();
    expect(names.map(({ textContent }) => textContent)).toEqual(["North America", "Southeast Asia"]);
    await userEvent.keyboard("{Escape}");
    await submit();
    await expect.element(shown.getByText(/^No device can run in this region/)).toBeVisible();
    expect(sent()).toMatchObject([{ instances_zone: "north america" }]);
  });

  it("solves the puzzle while the form is filled in, and not before", async () => {
    const { shown, puzzles } = await open();
    await expect.element(shown.getByText(/free minutes/)).toBeVisible();
    expect(puzzles()).toBe(0);
    await shown.getByLabelText("Email").click();
    await soon(() => expect(puzzles()).toBe(1));
    await shown.getByLabelText("Confirm password").click();
    expect(puzzles()).toBe(1);
  });

  it("asks for everything that is required, before it sends anything", async () => {
    const { shown, submit, sent } = await open();
    await submit();
    await expect.element(shown.getByText("Required").nth(4)).toBeVisible();
    await expect.element(shown.getByLabelText("Email")).toHaveFocus();
    expect(shown.getByText("Required").elements()).toHaveLength(5);
    expect(sent()).toEqual([]);
  });

  it.each([[/terms/], [/privacy/]])("wants the box for %s", async (name) => {
    const { shown, fill, box, submit, sent } = await open();
    await fill();
    await box(name).click();
    await submit();
    await expect.element(shown.getByText("Required")).toBeVisible();
    await expect.element(box(name)).toHaveAttribute("aria-invalid", "true");
    expect(sent()).toEqual([]);
  });

  it.each([
    ["Email", "ines", "Use a valid email address"],
    ["Password", "short 1", "Use 8 characters or more"],
    ["Password", "12345678", "Use at least one letter"],
    ["Password", "abcdefgh", "Use at least one number"],
    ["Password", `1${"a".repeat(128)}`, "Use up to 128 characters"],
    ["Confirm password", "a better house 2", "Confirm with same password"],
    ["Organization (optional)", "x".repeat(251), "Use up to 250 characters"],
  ])("has the rules of the service: %s %s", async (label, value, sentence) => {
    const { shown, fill, submit, sent } = await open();
    await fill();
    await shown.getByLabelText(label, { exact: true }).fill(value);
    await submit();
    await expect.element(shown.getByText(sentence)).toBeVisible();
    expect(sent()).toEqual([]);
  });

  it.each([
    ["INTERNAL_ERROR", /^Account creation fail/],
    ["TOO_MANY_REQUESTS", /^Account creation fail. Too many tries/],
    ["BOT_CHECK_FAILED", /^Account creation fail. The check that you are no robot/],
    ["DISPOSABLE_EMAIL", /^You may not use a disposable email.$/],
    ["PASSWORD_TOO_COMMON", /^This password is too common/],
  ] as const)(
    "says in place that it heard %s, keeps what was typed, and solves another puzzle",
    async (code, sentence) => {
      let isRefused = true;
      const { shown, password, box, fill, submit, sent } = await open({
        answers: {
          "POST /v1/users": () => (isRefused ? refuse(code)() : Response.json({ user: {} }, { status: 201 })),
        },
      });
      await fill();
      await submit();
      await expect.element(shown.getByText(sentence)).toBeVisible();
      await expect.element(shown.getByLabelText("Email")).toHaveValue(EMAIL);
      await expect.element(password()).toHaveValue(PASSWORD);
      await expect.element(box(/terms/)).toBeChecked();
      isRefused = false;
      await submit();
      await expect.element(shown.getByRole("heading", { name: "Check your mail" })).toBeVisible();
      const [first, second] = sent();
      expect(second?.["turnstileCaptcha_token"]).not.toBe(first?.["turnstileCaptcha_token"]);
    },
  );

  it.each([
    ["there is no puzzle to be had", "GET /v1/users/puzzle", () => aPuzzle("01")],
    ["it could not be read what the service wants", "GET /v1/settings", () => someSettings()],
  ] as const)("says so when %s, and tries again", async (_, asked, answer) => {
    let isDown = true;
    const { shown, fill, submit } = await open({
      answers: { [asked]: () => (isDown ? refuse("SERVICE_UNAVAILABLE")() : answer()) },
    });
    await fill();
    await submit();
    await expect.element(shown.getByText(/^Account creation fail/)).toBeVisible();
    isDown = false;
    await submit();
    await expect.element(shown.getByRole("heading", { name: "Check your mail" })).toBeVisible();
  });

  it("links to the documentation, and to the state of the service where there is one", async () => {
    const { shown } = await open();
    const footer = shown.getByRole("contentinfo");
    await expect.element(footer.getByRole("link", { name: "Documentation" })).toHaveAttribute("href", "/docs");
    expect(footer.getByRole("link", { name: "Status" }).elements()).toEqual([]);
  });

  it("links to both legal texts, in another tab", async () => {
    const { shown } = await open();
    for (const [name, href] of [
      ["terms and conditions", "/legal/terms-and-conditions/"],
      ["privacy notice", "/legal/privacy-policy/"],
    ] as const) {
      const link = shown.getByRole("group", { name: "Create an account" }).getByRole("link", { name });
      await expect.element(link).toHaveAttribute("href", href);
      await expect.element(link).toHaveAttribute("target", "_blank");
    }
  });

  it("shows what Turnstile asks where the service uses that, and sends its token", async () => {
    const rendered: { sitekey: string; callback: (token: string) => void }[] = [];
    window.turnstile = {
      render: (_, options) => {
        rendered.push(options);
        return "1";
      },
      reset: () => rendered[0]?.callback("t0ken 2"),
      remove: () => undefined,
    };
    onTestFinished(() => void delete window.turnstile);
    const { shown, fill, submit, sent, puzzles } = await open({
      answers: {
        "GET /v1/settings": () => someSettings({ turnstile_site_key: "k3y" }),
        "POST /v1/users": refuse("BOT_CHECK_FAILED"),
      },
    });
    await fill();
    await expect.element(shown.getByRole("group", { name: "Check that you are no robot" })).toBeInTheDocument();
    rendered[0]?.callback("t0ken");
    await submit();
    await expect.element(shown.getByText(/no robot/)).toBeVisible();
    await submit();
    await soon(() => expect(sent().map((body) => body["turnstileCaptcha_token"])).toEqual(["t0ken", "t0ken 2"]));
    expect([rendered[0]?.sitekey, puzzles()]).toEqual(["k3y", 0]);
  });
});

describe("what is shown when the mail was sent", () => {
  const arrive = async (answers = {}) => {
    const opened = await open({ answers });
    await opened.fill();
    await opened.submit();
    await expect.element(opened.shown.getByRole("heading", { name: "Check your mail" })).toBeVisible();
    return opened;
  };

  it("sends the mail again, and says when it did", async () => {
    const { shown, resent } = await arrive();
    await shown.getByRole("button", { name: "Send the mail again" }).click();
    await expect.element(shown.getByText(/^Sent again/)).toBeVisible();
    expect(resent()).toEqual([{ email: EMAIL }]);
  });

  it.each([
    ["TOO_MANY_REQUESTS", /^5 mails an hour are the most/],
    ["INTERNAL_ERROR", /^The mail could not be sent/],
  ] as const)("says in place that it heard %s", async (code, sentence) => {
    const { shown } = await arrive({ "POST /v1/users/activate/resend": refuse(code) });
    await shown.getByRole("button", { name: "Send the mail again" }).click();
    await expect.element(shown.getByText(sentence)).toBeVisible();
  });

  it.each([true, false])("leads to the mailbox of a demonstration: %s", async (has_mailbox) => {
    const { shown } = await arrive({ "GET /v1/settings": () => someSettings({ has_mailbox }) });
    expect(shown.getByRole("link", { name: "Open the mailbox" }).elements()).toHaveLength(has_mailbox ? 1 : 0);
  });

  it("lets one try another address, and keeps the rest but the password", async () => {
    const { shown, password } = await arrive();
    await expect.element(shown.getByRole("heading", { name: "Check your mail" })).toBeVisible();
    // What had the focus is gone each time.
    await expect.poll(() => document.activeElement?.textContent).toMatch(/^Check your mail/);
    await shown.getByRole("button", { name: "Use another address" }).click();
    await expect.element(shown.getByLabelText("Email")).toHaveValue(EMAIL);
    await expect.element(password()).toHaveValue("");
    await expect.element(shown.getByRole("group", { name: "Create an account" })).toHaveFocus();
  });
});

describe("what an account costs", () => {
  it.each([
    [5, 60, 14, "60 free minutes, to use within 14 days. Then $0.05 a minute. No card needed."],
    [1250, 1, 0, "$12.50 a minute."],
    [0, 1000, 30, "1,000 free minutes, to use within 30 days. No card needed."],
  ])("is what the service says: %d cents, %d minutes, %d days", async (minute_cents, minutes, days, sentence) => {
    const offer = { ...someSettings().offer, minute_cents, trial: { minutes, days } };
    const { shown } = await open({ answers: { "GET /v1/settings": () => someSettings({ offer }) } });
    await expect.element(shown.getByText(sentence)).toBeVisible();
  });
});

it.each([
  ["https://git.example/terrarium.git", "git clone https://git.example/terrarium.git terrarium"],
  [null, "npm start"],
])("says how to run it oneself, from where the operator says: %s", async (repository, line) => {
  const { links } = someSettings();
  const settings = someSettings({ links: { ...links, repository } });
  const { shown } = await open({ answers: { "GET /v1/settings": () => settings } });
  const commands = shown.getByRole("region", { name: "Run it yourself" });
  await expect.element(commands.getByText(line, { exact: false })).toBeVisible();
  expect(shown.getByText(/git clone/).elements()).toHaveLength(repository ? 1 : 0);
});

it("leads to sign-in, with the keyboard alone too, and fits a narrow phone", async () => {
  await page.viewport(320, 700);
  onTestFinished(() => page.viewport(1280, 800));
  const { shown } = await open();
  await expect.element(shown.getByText(/free minutes/)).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  await userEvent.tab();
  await expect.element(shown.getByRole("link", { name: "Sign in" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(shown.getByRole("heading", { name: "Sign in" })).toBeVisible();
});
