import { ThemeProvider } from "@mui/material";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, Outlet } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, describe, expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Snacks } from "../../components/Snacks.tsx";
import { queryClient, session } from "../../session/client.ts";
import { aPuzzle, aUser, someSettings } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { theme } from "../../theme/theme.ts";
import ForgotPasswordPage from "./ForgotPasswordPage.tsx";
import NewPasswordPage from "./NewPasswordPage.tsx";

const KEY = "k_3y-".repeat(8);
const EMAIL = "mara@northwind.example";
const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;

const WithSnacks = () => (
  <>
    <Snacks />
    <Outlet />
  </>
);

async function open(address: string, answers: Record<string, () => unknown> = {}) {
  const service = fakeService({
    "GET /v1/settings": () => someSettings(),
    "GET /v1/users/puzzle": () => aPuzzle(),
    "POST /v1/users/password/request": () => new Response(null, { status: 204 }),
    [`GET /v1/users/password/reset/${KEY}`]: () => ({ email: EMAIL }),
    "PUT /v1/users/password/reset": () => new Response(null, { status: 204 }),
    ...answers,
  });
  const pages = [
    { path: "/password-reset", Component: ForgotPasswordPage },
    { path: "/password-reset/new/:key", Component: NewPasswordPage },
    { path: "/signin", element: <h1>Sign in</h1> },
  ];
  const routes = [{ Component: WithSnacks, children: pages }];
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  const shown = await render(
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  return { shown, sent: (method: string) => service.to(method, /password/).map(({ body }) => body) };
}

afterEach(() => {
  session.close();
  queryClient.clear();
});

describe("the page for a forgotten password", () => {
  it("sends a link with the Enter key, and says where it went, without telling whether there is such an account", async () => {
    const { shown, sent } = await open("/password-reset");
    await expect.element(shown.getByLabelText("Email")).toHaveFocus();
    await userEvent.keyboard(` ${EMAIL}{Enter}`);
    await expect.element(shown.getByRole("heading", { name: "Check your mail" })).toBeVisible();
    await expect.element(shown.getByText(/^If mara@northwind.example belongs to an account/)).toBeVisible();
    const [{ turnstileCaptcha_token: proof = "", ...body } = {}, ...others] = sent("POST") as Record<string, string>[];
    expect([body, others]).toEqual([{ email: EMAIL }, []]);
    expect(JSON.parse(atob(proof))).toMatchObject({ challenge: aPuzzle() });
  });

  it("asks for an address before it sends anything", async () => {
    const { shown, sent } = await open("/password-reset");
    await shown.getByRole("button", { name: "Send link" }).click();
    await expect.element(shown.getByText("Required")).toBeVisible();
    await shown.getByLabelText("Email").fill("mara");
    await expect.element(shown.getByText("Use a valid email address")).toBeVisible();
    expect(sent("POST")).toEqual([]);
  });

  it.each([
    ["INTERNAL_ERROR", "Fail to request password reset. Try again in a moment."],
    ["BOT_CHECK_FAILED", "Fail to request password reset. The check that you are no robot did not succeed; try again."],
    [
      "TOO_MANY_REQUESTS",
      "Too many requests. A link that you already have still works; wait a while before you ask for another.",
    ],
  ] as const)("says in place that it heard %s, and keeps the address", async (code, sentence) => {
    const { shown } = await open("/password-reset", { "POST /v1/users/password/request": refuse(code) });
    await shown.getByLabelText("Email").fill(EMAIL);
    await shown.getByRole("button", { name: "Send link" }).click();
    await expect.element(shown.getByRole("alert")).toHaveTextContent(sentence);
    await expect.element(shown.getByLabelText("Email")).toHaveValue(EMAIL);
  });

  it("lets one try another address, and leads back", async () => {
    const { shown } = await open("/password-reset");
    await shown.getByLabelText("Email").fill(EMAIL);
    await userEvent.keyboard("{Enter}");
    await shown.getByRole("button", { name: "Use another address" }).click();
    await expect.element(shown.getByLabelText("Email")).toHaveFocus();
    await shown.getByRole("link", { name: "Back to sign in" }).click();
    await expect.element(shown.getByRole("heading", { name: "Sign in" })).toBeVisible();
  });
});

describe("the page for a new password", () => {
  const address = `/password-reset/new/${KEY}`;
  const type = async (shown: Awaited<ReturnType<typeof open>>["shown"], password: string, confirm = password) => {
    await shown.getByLabelText("New password").fill(password);
    await shown.getByLabelText("Confirm password").fill(confirm);
    await userEvent.keyboard("{Enter}");
  };

  it("says whose it is, sets it, ends this browser's session of the account, and leads to sign-in", async () => {
    session.open({ token, user: aUser({ email: EMAIL }) });
    const { shown, sent } = await open(address);
    await expect.element(shown.getByText(/^For mara@northwind.example/)).toBeVisible();
    await expect.element(shown.getByLabelText("New password")).toHaveFocus();
    await type(shown, "a better horse 2");
    await expect.element(shown.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect.element(shown.getByText("Your password was changed. Sign in with it.")).toBeVisible();
    expect(sent("PUT")).toEqual([{ reset_key: KEY, new_password: "a better horse 2" }]);
    expect([session.current, session.hasSignedOut]).toEqual([undefined, true]);
  });

  it("leaves somebody else signed in", async () => {
    session.open({ token, user: aUser({ email: "kim@northwind.example" }) });
    const { shown } = await open(address);
    await type(shown, "a better horse 2");
    await expect.element(shown.getByRole("heading", { name: "Sign in" })).toBeVisible();
    expect(session.current?.user.email).toBe("kim@northwind.example");
  });

  it.each([
    ["short 1", "Use 8 characters or more"],
    ["12345678", "Use at least one letter"],
    ["abcdefgh", "Use at least one number"],
    [`1${"a".repeat(128)}`, "Use up to 128 characters"],
  ])("has the rules of the service: %s", async (password, sentence) => {
    const { shown, sent } = await open(address);
    await type(shown, password);
    await expect.element(shown.getByText(sentence)).toBeVisible();
    expect(sent("PUT")).toEqual([]);
  });

  it("wants the same password twice", async () => {
    const { shown, sent } = await open(address);
    await type(shown, "a better horse 2", "a better house 2");
    await expect.element(shown.getByText("Confirm with same password")).toBeVisible();
    expect(sent("PUT")).toEqual([]);
  });

  it.each([
    ["PASSWORD_TOO_COMMON", "This password is too common. Choose another."],
    ["INTERNAL_ERROR", "Fail to update password. Try again in a moment."],
    ["TOO_MANY_REQUESTS", "Too many tries. Wait a while, then try again."],
  ] as const)("says in place that it heard %s, and keeps what was typed", async (code, sentence) => {
    const { shown } = await open(address, { "PUT /v1/users/password/reset": refuse(code) });
    await type(shown, "a better horse 2");
    await expect.element(shown.getByText(sentence)).toBeVisible();
    await expect.element(shown.getByLabelText("New password")).toHaveValue("a better horse 2");
  });

  it("says that a link has expired, and leads to a new one", async () => {
    const { shown } = await open(address, { [`GET /v1/users/password/reset/${KEY}`]: refuse("LINK_EXPIRED") });
    await expect.element(shown.getByRole("heading", { name: "This link has expired." })).toBeVisible();
    await shown.getByRole("link", { name: "Ask for a new link" }).click();
    await expect.element(shown.getByLabelText("Email")).toBeVisible();
  });

  it("mails another one to somebody who is signed in, and cannot go where an address is asked for", async () => {
    session.open({ token, user: aUser({ email: EMAIL }) });
    const { shown, sent } = await open(address, {
      [`GET /v1/users/password/reset/${KEY}`]: refuse("LINK_EXPIRED"),
    });
    await shown.getByRole("button", { name: "Mail a link to set a password" }).click();
    await expect.element(shown.getByText(/^A link is on its way to mara@northwind.example/)).toBeVisible();
    expect(sent("POST")).toEqual([expect.objectContaining({ email: EMAIL })]);
    await expect.element(shown.getByRole("link", { name: "Ask for a new link" })).not.toBeInTheDocument();
  });

  it("says so too when it expires while one types", async () => {
    let isOld = false;
    const { shown } = await open(address, {
      [`GET /v1/users/password/reset/${KEY}`]: () => (isOld ? refuse("LINK_EXPIRED")() : { email: EMAIL }),
      "PUT /v1/users/password/reset": refuse("LINK_EXPIRED"),
    });
    await expect.element(shown.getByLabelText("New password")).toBeVisible();
    isOld = true;
    await type(shown, "a better horse 2");
    await expect.element(shown.getByRole("heading", { name: "This link has expired." })).toBeVisible();
  });

  it("says that the service could not be asked, and asks again", async () => {
    let isDown = true;
    const { shown } = await open(address, {
      [`GET /v1/users/password/reset/${KEY}`]: () => (isDown ? refuse("NOT_AUTHENTICATED")() : { email: EMAIL }),
    });
    await expect.element(shown.getByRole("heading", { name: "The link could not be checked" })).toBeVisible();
    isDown = false;
    await shown.getByRole("button", { name: "Try again" }).click();
    await expect.element(shown.getByLabelText("New password")).toBeVisible();
  });
});
