import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { ThemeProvider } from "@mui/material";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { session } from "../../session/client.ts";
import { aUser } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { theme } from "../../theme/theme.ts";
import TermsPage from "./TermsPage.tsx";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;

beforeEach(() => session.open({ token, user: aUser({ tnc_accepted: false }) }));
afterEach(() => session.close());

async function open(accept: () => unknown = () => aUser()) {
  const service = fakeService({
    "POST /v1/users/terms-and-conditions": accept,
    "POST /v1/users/signout": () => null,
  });
  const routes = [
    { path: "/terms-and-conditions", Component: TermsPage },
    { path: "/profile", element: <h1>Your profile</h1> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ["/terms-and-conditions?redirect=/profile"] });
  const shown = await render(
    <ThemeProvider theme={theme}>
      <RouterProvider router={router} />
    </ThemeProvider>,
  );
  return { shown, service };
}

describe("the terms", () => {
  it("are accepted with the Enter key, and lead on to where one wanted to go", async () => {
    const { shown } = await open();
    await userEvent.keyboard("{Enter}");
    await expect.element(shown.getByRole("heading", { name: "Your profile" })).toBeVisible();
    expect(session.current?.user.tnc_accepted).toBe(true);
  });

  it("say in place that accepting failed, and can be tried again", async () => {
    const { shown } = await open(refuse("INTERNAL_ERROR"));
    const accept = shown.getByRole("button", { name: "Accept and continue" });
    await accept.click();
    await expect.element(shown.getByRole("alert")).toHaveTextContent("Accepting the terms did not work. Try again.");
    await expect.element(accept).toHaveFocus();
  });

  it("can be left by signing out", async () => {
    const { shown, service } = await open();
    await shown.getByRole("button", { name: "Sign out" }).click();
    await expect.poll(() => session.current).toBe(undefined);
    expect([service.to("POST", /signout/).length, session.hasSignedOut]).toEqual([1, true]);
  });
});
