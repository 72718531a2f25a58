import { ThemeProvider } from "@mui/material";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { queryClient, session } from "../../session/client.ts";
import { knownBrowser } from "../../session/known-browser.ts";
import { aUser } from "../../testing/factories.ts";
import { aUsedPasskey, fakePasskeys } from "../../testing/fake-passkeys.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { theme } from "../../theme/theme.ts";
import SignInPage from "./SignInPage.tsx";

const account = { email: "guest@demo.test", password: "terrarium1", role: "guest" };
const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;
const signedIn = () => ({ token, user: aUser(), browser_token: "browser.1" });

/** The page where one was sent by another, which is there to come back to. */
async function open(
  login: () => unknown = signedIn,
  demo_accounts: object[] | Promise<object[]> = [],
  passkeys_at: string | null = null,
) {
  const service = fakeService({
    "POST /v1/passkeys/options": () => ({ challenge: "AQID", rpId: "localhost", timeout: 300_000 }),
    "POST /v1/passkeys/login": login,
    "POST /v1/users/login": login,
    "POST /v1/users/login/second-factor": signedIn,
    "POST /v1/users/activate/resend": () => new Response(null, { status: 204 }),
    "GET /v1/settings": async () => ({ version: "0.0.0", demo_accounts: await demo_accounts, passkeys_at }),
  });
  const routes = [
    { path: "/signin", Component: SignInPage },
    { path: "/profile", element: <h1>Your profile</h1> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ["/signin?redirect=/profile"] });
  const shown = await render(
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  const asked = (path = /login/) => service.to("POST", path).map(({ body }) => body);
  return { shown, asked };
}

beforeEach(() => page.viewport(1280, 800));
afterEach(() => {
  session.close();
  localStorage.clear();
  queryClient.clear();
});

describe("the sign-in page", () => {
  it("signs in with the Enter key and goes where one wanted to go", async () => {
    const { shown, asked } = await open();
    await shown.getByLabelText("Email").fill("mara@northwind.example");
    await shown.getByLabelText("Password", { exact: true }).fill("secret123");
    await userEvent.keyboard("{Enter}");
    await expect.element(shown.getByRole("heading", { name: "Your profile" })).toBeVisible();
    expect(session.current?.token).toBe(token);
    expect(asked()[0]).toEqual({ email: "mara@northwind.example", password: "secret123" });
  });

  it.each([
    [390, 844],
    [1440, 900],
  ])("does not move when the demo accounts arrive, %i pixels wide", async (width, height) => {
    await page.viewport(width, height);
    const { promise: accounts, resolve } = Promise.withResolvers<object[]>();
    const { shown } = await open(signedIn, accounts);
    const form = shown.getByRole("button", { name: "Sign in" });
    await expect.element(form).toBeVisible();
    const { top } = form.element().getBoundingClientRect();
    resolve(["manager", "user", "guest"].map((role) => ({ ...account, role })));
    await expect.element(shown.getByRole("button", { name: /^Guest/ })).toBeVisible();
    expect(form.element().getBoundingClientRect().top).toBe(top);
  });

  it("says at the next sign-in that the browser is known, also after a sign-out", async () => {
    for (const browser_token of [undefined, "browser.1"]) {
      const { shown, asked } = await open(signedIn, [account]);
      await shown.getByRole("button", { name: /^Guest/ }).click();
      await expect.element(shown.getByRole("heading", { name: "Your profile" })).toBeVisible();
      expect(asked().at(-1)).toEqual({ email: account.email, password: account.password, browser_token });
      session.close({ bySelf: true });
      await shown.unmount();
    }
  });

  it("keeps where one was going on the way to a new account, and to a new password", async () => {
    const { shown } = await open();
    for (const [name, page] of [
      ["Create an account", "/"],
      ["Forgot your password?", "/password-reset"],
    ] as const)
      await expect.element(shown.getByRole("link", { name })).toHaveAttribute("href", `${page}?redirect=%2Fprofile`);
  });

  it("has the focus in its first field, so that one can type at once", async () => {
    const { shown } = await open();
    await expect.element(shown.getByLabelText("Email")).toHaveFocus();
  });

  it("asks for what is missing and sends nothing", async () => {
    const { shown, asked } = await open();
    await shown.getByLabelText("Email").fill("nobody");
    await shown.getByRole("button", { name: "Sign in" }).click();
    await expect.element(shown.getByText("Use a valid email address")).toBeVisible();
    await expect.element(shown.getByText("Required")).toBeVisible();
    expect(asked()).toEqual([]);
  });

  it("says what is wrong with a field when one leaves it, and takes it back while one mends it", async () => {
    const { shown } = await open();
    const email = shown.getByLabelText("Email");
    const submit = shown.getByRole("button", { name: "Sign in" }).element();
    const { top } = submit.getBoundingClientRect();
    await email.fill("nobody");
    await expect.element(shown.getByText("Use a valid email address")).not.toBeInTheDocument();
    await userEvent.keyboard("{Tab}");
    await expect.element(shown.getByText("Use a valid email address")).toBeVisible();
    await expect.element(shown.getByText("Required")).not.toBeInTheDocument();
    expect(submit.getBoundingClientRect().top).toBe(top);
    await email.fill("mara@northwind.example");
    await expect.element(shown.getByText("Use a valid email address")).not.toBeInTheDocument();
  });

  it.each([
    ["BAD_USERNAME_PASSWORD", "Fail to log in. Wrong email address or password."],
    ["USER_NOT_ENABLED", "This account is not enabled. Ask your manager."],
    ["ORIGIN_NOT_ALLOWED", "Nobody can sign in at this address. Its operator can name it in TERRARIUM_PUBLIC_URL."],
    ["TOO_MANY_REQUESTS", "Too many tries. Wait a while, then try again."],
    ["INTERNAL_ERROR", "Fail to log in. Try again in a moment."],
  ] as const)("stays, keeps what was typed and says why when it hears %s", async (code, sentence) => {
    const { shown } = await open(refuse(code));
    await shown.getByLabelText("Email").fill("mara@northwind.example");
    await shown.getByLabelText("Password", { exact: true }).fill("secret123");
    await shown.getByRole("button", { name: "Sign in" }).click();
    await expect.element(shown.getByText(sentence)).toBeVisible();
    await expect.element(shown.getByLabelText("Email")).toHaveValue("mara@northwind.example");
    await expect.element(shown.getByLabelText("Password", { exact: true })).toHaveValue("secret123");
    expect(session.current).toBeUndefined();
  });

  it("offers to send the mail that confirms the address again when the sign-in failed, and only then", async () => {
    const { shown, asked } = await open(refuse("BAD_USERNAME_PASSWORD"));
    const sentence = shown.getByText(/^If you have just signed up, confirm your email address first/);
    const submit = shown.getByRole("button", { name: "Sign in" });
    await shown.getByLabelText("Email").fill("mara@northwind.example ");
    await shown.getByLabelText("Password", { exact: true }).fill("secret123");
    await expect.element(sentence).not.toBeInTheDocument();
    const { top } = submit.element().getBoundingClientRect();
    await submit.click();
    await expect.element(sentence).toBeVisible();
    await shown.getByRole("button", { name: "Send the mail again" }).click();
    await expect.element(shown.getByText(/^Sent again/)).toBeVisible();
    expect(asked(/resend/)).toEqual([{ email: "mara@northwind.example" }]);
    expect(submit.element().getBoundingClientRect().top).toBe(top);
  });

  it("goes on with the second factor when it is asked for, and back", async () => {
    const { shown, asked } = await open(refuse("SECOND_FACTOR_REQUIRED", { ticket: "t1", methods: "totp recovery" }));
    const password = shown.getByLabelText("Password", { exact: true });
    await shown.getByLabelText("Email").fill("mara@northwind.example");
    await password.fill("secret123");
    const blank = vi.fn();
    const watch = new MutationObserver(() => document.querySelector("h1") ?? blank());
    watch.observe(document.body, { subtree: true, childList: true });
    await userEvent.keyboard("{Enter}");
    await expect.element(shown.getByRole("heading", { name: "Confirm it is you" })).toBeVisible();
    watch.disconnect();
    expect(blank).not.toHaveBeenCalled();
    await shown.getByRole("button", { name: "Back to sign-in" }).click();
    await expect.element(password).toHaveValue("");
    await shown.getByLabelText("Email").fill("mara@northwind.example");
    await password.fill("secret123");
    await userEvent.keyboard("{Enter}");
    await shown.getByLabelText("Code", { exact: true }).fill("123 456");
    await userEvent.keyboard("{Enter}");
    await expect.element(shown.getByRole("heading", { name: "Your profile" })).toBeVisible();
    expect(asked(/second-factor/)).toMatchObject([{ ticket: "t1", method: "totp", code: "123456" }]);
    expect(session.current?.token).toBe(token);
  });

  it("shows the password when asked, and tells password managers what the fields are", async () => {
    const { shown } = await open();
    const password = shown.getByLabelText("Password", { exact: true });
    await expect.element(password).toHaveAttribute("type", "password");
    await shown.getByRole("button", { name: "Show password" }).click();
    await expect.element(password).toHaveAttribute("type", "text");
    await expect.element(password).toHaveAttribute("autocomplete", "current-password");
    await expect.element(shown.getByLabelText("Email")).toHaveAttribute("autocomplete", "username webauthn");
  });

  it("signs in with a passkey and goes where one wanted to go", async () => {
    fakePasskeys({ get: aUsedPasskey });
    const { shown, asked } = await open(signedIn, [], location.origin);
    await shown.getByRole("button", { name: "Sign in with a passkey" }).click();
    await expect.element(shown.getByRole("heading", { name: "Your profile" })).toBeVisible();
    expect([session.current?.token, knownBrowser.token]).toEqual([token, "browser.1"]);
    expect(asked()).toMatchObject([{ credential: { id: "AQID" } }]);
  });

  it.each([null, "https://devices.example"])("offers no passkeys where they can be used at %s", async (at) => {
    const { shown } = await open(signedIn, [account], at);
    await expect.element(shown.getByRole("button", { name: /^Guest/ })).toBeVisible();
    expect(shown.getByRole("button", { name: /passkey/ }).elements()).toEqual([]);
  });

  it("offers no passkeys in a browser that has none", async () => {
    const own = Object.getOwnPropertyDescriptor(globalThis, "PublicKeyCredential")!;
    Reflect.deleteProperty(globalThis, "PublicKeyCredential");
    onTestFinished(() => void Object.defineProperty(globalThis, "PublicKeyCredential", own));
    const { shown } = await open(signedIn, [account], location.origin);
    await expect.element(shown.getByRole("button", { name: /^Guest/ })).toBeVisible();
    expect(shown.getByRole("button", { name: /passkey/ }).elements()).toEqual([]);
  });

  it("offers no accounts but those of a demonstration", async () => {
    const { shown } = await open();
    await expect.poll(() => queryClient.getQueryData(["settings"])).toBeDefined();
    await expect.element(shown.getByRole("region", { name: "Demo accounts" })).not.toBeInTheDocument();
    expect(shown.getByRole("button").elements().length).toBe(2);
  });

  it("lends the accounts of a demonstration, and says what each may do", async () => {
    const { shown, asked } = await open(signedIn, [account]);
    await expect.element(shown.getByRole("button", { name: /^Guest.*only what is shared/ })).toBeVisible();
    await shown.getByRole("button", { name: /^Guest/ }).click();
    await expect.element(shown.getByRole("heading", { name: "Your profile" })).toBeVisible();
    expect(asked()[0]).toEqual({ email: account.email, password: account.password });
  });
});
