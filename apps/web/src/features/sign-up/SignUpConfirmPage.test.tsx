import { ThemeProvider } from "@mui/material";
import { QueryClientProvider } from "@tanstack/react-query";
import { AppError } from "@terrarium/sdk";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { confirmation as words } from "../../en/confirmation.ts";
import { queryClient } from "../../session/client.ts";
import { aUser } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { theme } from "../../theme/theme.ts";
import SignUpConfirmPage from "./SignUpConfirmPage.tsx";

const KEY = "k_3y-".repeat(8);
const EMAIL = "ines@northwind.example";

async function open(activate: () => unknown, search = `?key=${KEY}`) {
  const service = fakeService({
    [`GET /v1/users/activate/${KEY}`]: activate,
    "POST /v1/users/activate/resend": () => new Response(null, { status: 204 }),
  });
  const pages = [
    { path: "/signup-confirm", Component: SignUpConfirmPage },
    { path: "/signin", element: <h1>Sign in</h1> },
    { path: "/", element: <h1>Home</h1> },
  ];
  const router = createMemoryRouter(pages, { initialEntries: [`/signup-confirm${search}`] });
  const shown = await render(
    <ThemeProvider theme={theme}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  return { shown, calls: service.calls };
}

afterEach(() => queryClient.clear());

it("says no less at first than in the end: so much of the page is there before any script", () => {
  const { workingText, done, used, invalid, expired, failed } = words.confirmation;
  for (const { text } of [done, used, invalid, expired, failed])
    expect(workingText.length).toBeGreaterThan(text.replace("{{email}}", EMAIL).length);
});

it("says that it works, confirms the address once, and leads to sign-in", async () => {
  const answer = Promise.withResolvers<unknown>();
  const { shown, calls } = await open(() => answer.promise);
  await expect.element(shown.getByRole("heading", { name: "Confirming your address" })).toBeVisible();
  await expect.element(shown.getByText(words.confirmation.workingText)).toBeVisible();
  answer.resolve(aUser({ email: EMAIL }));
  await expect.element(shown.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
  await expect.element(shown.getByText(`The account ${EMAIL} is ready. Sign in with your password.`)).toBeVisible();
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([`GET /v1/users/activate/${KEY}`]);
  await shown.getByRole("link", { name: "Go to sign in" }).click();
  await expect.element(shown.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

it.each([
  ["/recipes", "?redirect=%2Frecipes"],
  ["//evil.example", ""],
])("leads on to %s, if it is a page of ours", async (redirect, carried) => {
  const { shown } = await open(() => aUser({ email: EMAIL }), `?key=${KEY}&redirect=${encodeURIComponent(redirect)}`);
  const link = shown.getByRole("link", { name: "Go to sign in" });
  await expect.element(link).toHaveAttribute("href", `/signin${carried}`);
});

it("says that a link was used already, and leads to sign-in", async () => {
  const { shown } = await open(refuse("ACTIVATION_LINK_USED"));
  await expect.element(shown.getByRole("heading", { name: "This address is confirmed already" })).toBeVisible();
  await shown.getByRole("link", { name: "Go to sign in" }).click();
  await expect.element(shown.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

it.each([
  ["that nobody was sent", `?key=${KEY}`, refuse("ACTIVATION_LINK_INVALID")],
  ["that is malformed", `?key=${KEY}`, refuse("invalid_request")],
  ["without a key", "", refuse("INTERNAL_ERROR")],
])("says that a link %s is not valid, and leads home", async (_, search, answer) => {
  const { shown } = await open(answer, search);
  await expect.element(shown.getByRole("heading", { name: "The activation link is not valid" })).toBeVisible();
  await shown.getByRole("link", { name: "Create an account" }).click();
  await expect.element(shown.getByRole("heading", { name: "Home" })).toBeVisible();
});

it("says that a link has expired, and mails another", async () => {
  const { shown, calls } = await open(() => {
    const { status } = new AppError("LINK_EXPIRED");
    return Response.json({ code: "LINK_EXPIRED", message: "It has expired.", details: { email: EMAIL } }, { status });
  });
  await expect.element(shown.getByRole("heading", { name: "This link has expired." })).toBeVisible();
  await expect.element(shown.getByText(`We can send another one to ${EMAIL}.`, { exact: false })).toBeVisible();
  await shown.getByRole("button", { name: "Send the mail again" }).click();
  await expect.element(shown.getByText(/^Sent again/)).toBeVisible();
  expect(calls.at(-1)?.body).toEqual({ email: EMAIL });
});

it("says that the service could not be asked, and asks again", async () => {
  let isDown = true;
  const { shown } = await open(() => (isDown ? refuse("TOO_MANY_REQUESTS")() : aUser({ email: EMAIL })));
  await expect.element(shown.getByRole("heading", { name: "Your address could not be confirmed" })).toBeVisible();
  isDown = false;
  await shown.getByRole("button", { name: "Try again" }).click();
  await expect.element(shown.getByRole("heading", { name: "Your address is confirmed" })).toBeVisible();
});
