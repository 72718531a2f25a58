import { ThemeProvider } from "@mui/material";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, useLocation } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, describe, expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { queryClient, session } from "../../session/client.ts";
import { aUser } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { theme } from "../../theme/theme.ts";
import SsoCallbackPage from "./SsoCallbackPage.tsx";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;
const user = aUser({ email: "robin@example.com" });
const signedIn = () => ({ token, user, route_to: null, browser_token: "known.mark" });

const Elsewhere = () => {
  const { pathname, state } = useLocation() as { pathname: string; state: unknown };
  return <h1>{`${pathname} ${JSON.stringify(state)}`}</h1>;
};

async function open(page: string, answers: Record<string, () => unknown>, begun?: object) {
  sessionStorage.clear();
  if (begun) sessionStorage.setItem("terrarium.sso", JSON.stringify(begun));
  const service = fakeService(answers);
  const router = createMemoryRouter(
    [
      { path: "/signin/sso/oauth/:provider", Component: SsoCallbackPage },
      { path: "*", Component: Elsewhere },
    ],
    { initialEntries: [`/signin/sso/oauth/${page}/?code=c&state=s&iss=i`] },
  );
  const shown = await render(
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  return { shown, service, router };
}

afterEach(() => {
  session.close();
  localStorage.clear();
  queryClient.clear();
});

const CALLBACK = "GET /v1/sso/oauth/callback";
const begun = { provider: "github-saas", key: "k".repeat(64), from: "/signin?redirect=/recipes" };

describe("where a provider leads back to", () => {
  it("goes on with the second factor, to where one was going", async () => {
    const details = { ticket: "t1", methods: "totp", route_to: "/recipes", route_from: "/signin" };
    const { shown } = await open(
      "github",
      {
        [CALLBACK]: refuse("SECOND_FACTOR_REQUIRED", details),
        "POST /v1/users/login/second-factor": () => signedIn(),
      },
      begun,
    );
    await shown.getByLabelText("Code", { exact: true }).fill("123456");
    await shown.getByRole("button", { name: "Sign in" }).click();
    await expect.element(shown.getByRole("heading", { name: "/recipes null" })).toBeVisible();
    expect(session.current?.user.email).toBe("robin@example.com");
  });

  it("keeps where one was going on the way back from the second factor", async () => {
    const details = { ticket: "t1", methods: "totp", route_to: "/recipes", route_from: "/signin" };
    const { shown, router } = await open("github", { [CALLBACK]: refuse("SECOND_FACTOR_REQUIRED", details) }, begun);
    await shown.getByRole("button", { name: "Back to sign-in" }).click();
    await expect.element(shown.getByRole("heading", { name: "/signin null" })).toBeVisible();
    expect(router.state.location.search).toBe("?redirect=%2Frecipes");
  });

  it("joins after the second factor, if that was what it was for", async () => {
    const { shown, service } = await open(
      "github",
      {
        [CALLBACK]: refuse("SECOND_FACTOR_REQUIRED", { ticket: "t1", methods: "totp" }),
        "POST /v1/users/login/second-factor": () => signedIn(),
        "POST /v2/accounts/invites/i1": () => ({ token, user: aUser({ email: "joined@example.com" }) }),
      },
      { ...begun, invitation: "i1", from: "/join/i1" },
    );
    await shown.getByLabelText("Code", { exact: true }).fill("123456");
    await shown.getByRole("button", { name: "Sign in" }).click();
    await expect.element(shown.getByRole("heading", { name: "/launchpad null" })).toBeVisible();
    expect(service.to("POST", /invites/)[0]?.headers.get("authorization")).toBe(`Bearer ${token}`);
    expect(session.current?.user.email).toBe("joined@example.com");
  });

  it("signs in with what came back and the key of this tab, without a token, and goes on", async () => {
    session.open({ token, user: aUser() });
    const { shown, service } = await open(
      "github",
      { [CALLBACK]: () => ({ ...signedIn(), route_to: "/recipes" }) },
      begun,
    );
    await expect.element(shown.getByRole("heading", { name: "/recipes null" })).toBeVisible();
    const [call] = service.to("GET", /callback/);
    expect(localStorage.getItem("terrarium.browser")).toBe("known.mark");
    expect(Object.fromEntries(call?.query ?? [])).toEqual({
      code: "c",
      state: "s",
      iss: "i",
      provider: "github-saas",
      browser_key: begun.key,
    });
    expect(call?.headers.get("authorization")).toBeNull();
    expect(session.current?.user.email).toBe("robin@example.com");
    expect(sessionStorage.getItem("terrarium.sso")).toBeNull();
  });

  it("asks once, and with a key also if this tab began nothing", async () => {
    const { shown, service } = await open("google", { [CALLBACK]: refuse("SSO_STATE_INVALID") });
    await expect.element(shown.getByText(/^This sign-in has expired, or began in another browser\./)).toBeVisible();
    const calls = service.to("GET", /callback/);
    expect(calls.map(({ query }) => [query.get("provider"), query.get("browser_key")?.length])).toEqual([
      ["google", 64],
    ]);
    expect(session.current).toBeUndefined();
  });

  it.each([
    ["SSO_ACCOUNT_EXISTS", /^An account has this email address already\./],
    ["DISPOSABLE_EMAIL", /^You may not use a disposable email\.$/],
    ["SSO_EMAIL_NOT_VERIFIED", /^The provider has not verified your email address\./],
    ["INTERNAL_ERROR", /^Fail to log in\. Try again in a moment\.$/],
  ] as const)("says why it failed (%s), and leads back to where it began", async (code, sentence) => {
    const { shown, router } = await open("github", { [CALLBACK]: refuse(code) }, begun);
    await expect.element(shown.getByText(sentence)).toBeVisible();
    expect(router.state.location.search).toBe("");
    await shown.getByRole("link", { name: "Go back" }).click();
    await expect.element(shown.getByRole("heading", { name: "/signin null" })).toBeVisible();
  });

  it("accepts the invitation that it is for, without a password, with the token that it got", async () => {
    const joined = { token, user: aUser({ email: "kim@example.com" }) };
    const { shown, service } = await open(
      "github",
      { [CALLBACK]: signedIn, "POST /v2/accounts/invites/i1": () => joined },
      { ...begun, invitation: "i1" },
    );
    await expect.element(shown.getByRole("heading", { name: "/launchpad null" })).toBeVisible();
    const [call] = service.to("POST", /invites/);
    expect([call?.body, call?.headers.get("authorization")]).toEqual([{}, `Bearer ${token}`]);
    expect(session.current?.user.email).toBe("kim@example.com");
  });

  it.each([
    ["the provider's account is another", refuse("INVITATION_WRONG_ACCOUNT"), signedIn, "INVITATION_WRONG_ACCOUNT"],
    ["the invitation cannot be accepted", signedIn, refuse("INTERNAL_ERROR"), "INTERNAL_ERROR"],
  ])("signs nobody in if %s: the page of the invitation says so", async (_, callback, accept, code) => {
    const { shown } = await open(
      "github",
      { [CALLBACK]: callback, "POST /v2/accounts/invites/i1": accept },
      { ...begun, invitation: "i1", from: "/join/i1" },
    );
    const where = `/join/i1 ${JSON.stringify({ ssoFailure: code })}`;
    await expect.element(shown.getByRole("heading", { name: where })).toBeVisible();
    expect(session.current).toBeUndefined();
  });

  it("leads to the sign-in who has joined, if the organization does not allow the session", async () => {
    const { shown } = await open(
      "github",
      { [CALLBACK]: signedIn, "POST /v2/accounts/invites/i1": refuse("SIGN_IN_AGAIN") },
      { ...begun, invitation: "i1", from: "/join/i1" },
    );
    await expect.element(shown.getByText(/^You have joined the organization\. Sign in again/)).toBeVisible();
    await shown.getByRole("link", { name: "Go back" }).click();
    await expect.element(shown.getByRole("heading", { name: "/signin null" })).toBeVisible();
    expect(session.current).toBeUndefined();
  });

  it("links the provider with the account that is signed in", async () => {
    session.open({ token, user: aUser() });
    const { shown, service } = await open(
      "github",
      { "POST /v1/sso/oauth/link": () => new Response(null, { status: 204 }) },
      { ...begun, isLink: true, to: "/profile", from: "/profile" },
    );
    await expect.element(shown.getByRole("heading", { name: "/profile null" })).toBeVisible();
    const [call] = service.to("POST", /link/);
    expect(call?.headers.get("authorization")).toBe(`Bearer ${token}`);
    expect(session.current?.user.email).toBe(aUser().email);
  });
});
