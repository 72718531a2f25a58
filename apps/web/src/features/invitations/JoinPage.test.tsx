import { ThemeProvider } from "@mui/material";
import { QueryClientProvider } from "@tanstack/react-query";
import { AppError } from "@terrarium/contract";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { queryClient, session } from "../../session/client.ts";
import { aUser, someSettings } from "../../testing/factories.ts";
import { type Call, fakeService, refuse } from "../../testing/fake-service.ts";
import { soon } from "../../testing/soon.ts";
import { theme } from "../../theme/theme.ts";
import JoinPage from "./JoinPage.tsx";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;
const invited = {
  email: "kim@example.com",
  organization: { name: "Northwind" },
  inviter: { first_name: "Mara", last_name: "Lind" },
  expired: false,
  has_account: false,
};

async function open(answers: Record<string, (call: Call) => unknown> = {}, state?: object, search = "") {
  const service = fakeService({
    "GET /v2/accounts/invites/i1": () => invited,
    "POST /v2/accounts/invites/i1": () => ({ token, user: aUser({ email: invited.email }) }),
    "GET /v1/settings": () =>
      someSettings({ sso_providers: [{ name: "google", label: "Google", is_stand_in: false }] }),
    ...answers,
  });
  const routes = [
    { path: "/join/:token", Component: JoinPage },
    { path: "/launchpad", element: <h1>Your devices</h1> },
    { path: "/recipes", element: <h1>Your recipes</h1> },
    { path: "/signin", element: <h1>Sign in</h1> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: [{ pathname: "/join/i1", search, state }] });
  const shown = await render(
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  return { shown, router, service, sent: () => service.to("POST", /invites/).map(({ body }) => body) };
}

afterEach(() => {
  for (const { id } of readSnacks()) closeSnack(id);
  session.close();
  queryClient.clear();
});

describe("the page of an invitation", () => {
  it("says who invites whom to what, and joins with a new password and the terms", async () => {
    const { shown, sent } = await open();
    await expect.element(shown.getByRole("heading", { name: "Join Northwind" })).toBeVisible();
    await expect.element(shown.getByText("Mara Lind invites you. You will sign in as kim@example.com.")).toBeVisible();
    await shown.getByLabelText("Choose a password").fill("short");
    await shown.getByRole("button", { name: "Join" }).click();
    await expect.element(shown.getByText("Use 8 characters or more")).toBeVisible();
    await expect.element(shown.getByText("Accept the terms to join")).toBeVisible();
    expect(sent()).toEqual([]);
    await shown.getByLabelText("Choose a password").fill("a better horse 2");
    await shown.getByRole("checkbox").click();
    await shown.getByRole("button", { name: "Join" }).click();
    await expect.element(shown.getByRole("heading", { name: "Your devices" })).toBeVisible();
    expect(sent()).toMatchObject([{ password: "a better horse 2", tnc_accepted: true }]);
    expect(session.current?.user.email).toBe("kim@example.com");
  });

  it("goes on with the second factor if one is asked for", async () => {
    const { shown } = await open({
      "GET /v2/accounts/invites/i1": () => ({ ...invited, has_account: true }),
      "POST /v2/accounts/invites/i1": refuse("SECOND_FACTOR_REQUIRED", { ticket: "t1", methods: "totp" }),
      "POST /v1/users/login/second-factor": () => ({ token, user: aUser(), browser_token: "b.1" }),
    });
    await shown.getByLabelText("Password", { exact: true }).fill("a better horse 2");
    await shown.getByRole("button", { name: "Join" }).click();
    await shown.getByLabelText("Code", { exact: true }).fill("123456");
    await shown.getByRole("button", { name: "Sign in" }).click();
    await expect.element(shown.getByRole("heading", { name: "Your devices" })).toBeVisible();
    expect(session.current?.token).toBe(token);
  });

  it("keeps where one was going on the way back from the second factor", async () => {
    const asks = refuse("SECOND_FACTOR_REQUIRED", { ticket: "t1", methods: "totp" });
    const answers = {
      "GET /v2/accounts/invites/i1": () => ({ ...invited, has_account: true }),
      "POST /v2/accounts/invites/i1": asks,
    };
    const { shown, router } = await open(answers, undefined, "?redirect=/recipes");
    await shown.getByLabelText("Password", { exact: true }).fill("a better horse 2");
    await shown.getByRole("button", { name: "Join" }).click();
    await shown.getByRole("button", { name: "Back to sign-in" }).click();
    await expect.element(shown.getByRole("heading", { name: "Sign in" })).toBeVisible();
    expect(router.state.location.search).toBe("?redirect=%2Frecipes");
  });

  it("asks somebody who has an account for its password", async () => {
    const { shown } = await open({
      "GET /v2/accounts/invites/i1": () => ({ ...invited, has_account: true }),
      "POST /v2/accounts/invites/i1": refuse("BAD_USERNAME_PASSWORD"),
    });
    await shown.getByLabelText("Password", { exact: true }).fill("guess");
    await shown.getByRole("button", { name: "Join" }).click();
    await expect.element(shown.getByText("This is not the password of the account.")).toBeVisible();
    await expect.element(shown.getByRole("link", { name: "Forgot your password?" })).toBeVisible();
    expect(session.current).toBeUndefined();
  });

  it.each([
    ["/recipes", "Your recipes"],
    ["//evil.example", "Your devices"],
  ])("leads on to %s when one has joined, if it is a page of ours", async (redirect, heading) => {
    const { shown, service } = await open(
      { "GET /v1/sso/oauth/login-url": refuse("SSO_PROVIDER_UNAVAILABLE") },
      undefined,
      `?redirect=${encodeURIComponent(redirect)}`,
    );
    await shown.getByRole("button", { name: "Continue with Google" }).click();
    await soon(() => expect(readSnacks()).toHaveLength(1));
    const [asked] = service.to("GET", /login-url/);
    expect(asked?.query.get("route_to")).toBe(redirect === "/recipes" ? "/recipes" : "/launchpad");
    await shown.getByLabelText("Choose a password").fill("a better horse 2");
    await shown.getByRole("checkbox").click();
    await shown.getByRole("button", { name: "Join" }).click();
    await expect.element(shown.getByRole("heading", { name: heading })).toBeVisible();
  });

  it("offers the providers, which are told what for", async () => {
    const asked: URLSearchParams[] = [];
    const loginUrl = ({ query }: Call) => {
      asked.push(query);
      return { url: "#provider" };
    };
    const { shown } = await open({ "GET /v1/sso/oauth/login-url": loginUrl });
    await shown.getByRole("button", { name: "Continue with Google" }).click();
    await expect
      .poll(() => asked.map((query) => [query.get("invitation_token"), query.get("route_from")]))
      .toEqual([["i1", "/join/i1"]]);
  });

  it("says that the browser is known, and remembers that it is", async () => {
    localStorage.setItem("terrarium.browser", "known.before");
    onTestFinished(() => localStorage.removeItem("terrarium.browser"));
    const { shown, sent } = await open({
      "GET /v2/accounts/invites/i1": () => ({ ...invited, has_account: true }),
      "POST /v2/accounts/invites/i1": () => ({ token, user: aUser(), browser_token: "known.now" }),
    });
    const field = shown.getByLabelText("Password", { exact: true });
    await expect.element(field).toHaveAttribute("autocomplete", "current-password");
    await field.fill("guess");
    await shown.getByRole("button", { name: "Join" }).click();
    await expect.element(shown.getByRole("heading", { name: "Your devices" })).toBeVisible();
    expect(sent()).toEqual([{ password: "guess", tnc_accepted: true, browser_token: "known.before" }]);
    expect(localStorage.getItem("terrarium.browser")).toBe("known.now");
  });

  it("says so when it expires while one types", async () => {
    let isOver = false;
    const { shown } = await open({
      "GET /v2/accounts/invites/i1": () => (isOver ? refuse("LINK_EXPIRED")() : invited),
      "POST /v2/accounts/invites/i1": refuse("LINK_EXPIRED"),
    });
    const field = shown.getByLabelText("Choose a password");
    await expect.element(field).toHaveAttribute("autocomplete", "new-password");
    await field.fill("a better horse 2");
    await shown.getByRole("checkbox").click();
    isOver = true;
    await shown.getByRole("button", { name: "Join" }).click();
    await expect.element(shown.getByRole("heading", { name: "This link has expired." })).toBeVisible();
  });

  it.each([
    ["INVITATION_WRONG_ACCOUNT", "That account has another address", /^The invitation is for /],
    ["SSO_CANCELLED", "You have not joined yet", "The sign-in was cancelled."],
    ["MEMBER_ELSEWHERE", "You have not joined yet", /^Your account belongs to another organization/],
    ["INTERNAL_ERROR", "You have not joined yet", /^Something went wrong/],
  ])("says in a dialog what went wrong with a provider (%s)", async (ssoFailure, title, sentence) => {
    const { shown } = await open({}, { ssoFailure });
    const dialog = shown.getByRole("dialog", { name: title });
    await expect.element(dialog.getByText(sentence)).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(shown.getByLabelText("Choose a password")).toBeVisible();
  });

  it.each([
    [
      { organization: "Northwind", inviter: "mara@example.com" },
      /^It was to join Northwind\. Ask mara@example\.com to send it again\.$/,
    ],
    [undefined, /^It was used, cancelled or replaced by a newer one, or is older than \d+ days\./],
  ])("says that it has expired, and whom to ask (%j)", async (details, sentence) => {
    const gone = () => Response.json({ code: "LINK_EXPIRED", message: "", details }, { status: 410 });
    const { shown } = await open({ "GET /v2/accounts/invites/i1": gone });
    await expect.element(shown.getByText(sentence)).toBeVisible();
  });

  it("can be tried again when it did not open", async () => {
    let isDown = true;
    const answer = () => {
      if (isDown) throw new AppError("FORBIDDEN");
      return invited;
    };
    const { shown } = await open({ "GET /v2/accounts/invites/i1": answer });
    await expect.element(shown.getByRole("heading", { name: "The invitation did not open" })).toBeVisible();
    isDown = false;
    await shown.getByRole("button", { name: "Try again" }).click();
    await expect.element(shown.getByRole("heading", { name: "Join Northwind" })).toBeVisible();
  });
});
