import { createMemoryRouter, RouterProvider } from "react-router";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page as browserPage } from "vitest/browser";
import { render } from "vitest-browser-react";
import { CssBaseline, ThemeProvider } from "@mui/material";
import { QueryClientProvider } from "@tanstack/react-query";
import { anOrganization, aUser, someSettings } from "../testing/factories.ts";
import { fakeService } from "../testing/fake-service.ts";
import { nameless } from "../testing/names.ts";
import { theme } from "../theme/theme.ts";
import { queryClient, session } from "../session/client.ts";
import "../en/sentences.ts";
import { realtime } from "./realtime.ts";
import { Shell } from "./Shell.tsx";
import { SignedIn } from "./SignedIn.tsx";

const token = `x.${btoa(JSON.stringify({ exp: Math.floor(Date.now() / 1000) + 3600 }))}.y`;

beforeEach(async () => {
  queryClient.clear();
  session.open({ token, user: aUser() });
  await browserPage.viewport(1440, 900);
});

async function open(settings = someSettings()) {
  const service = fakeService({
    "GET /v1/settings": () => settings,
    "GET /v1/organizations/:uuid": () => anOrganization(3),
    "POST /v1/users/signout": () => null,
    "POST /v1/support": () => new Response(null, { status: 204 }),
  });
  const router = createMemoryRouter(
    [
      {
        Component: SignedIn,
        children: [{ Component: Shell, children: [{ path: "/launchpad", element: <h1>Page</h1> }] }],
      },
      { path: "/signin", element: <h1>Door</h1> },
    ],
    { initialEntries: ["/launchpad"] },
  );
  const screen = await render(
    <ThemeProvider theme={theme} defaultMode="light">
      <CssBaseline />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  return { screen, router, service };
}

describe("the shell", () => {
  it("leads to what exists, and says how many devices run", async () => {
    const { screen } = await open();
    const link = screen.getByRole("link", { name: /Virtual devices/ });
    await expect.element(link).toHaveAttribute("aria-current", "page");
    await expect.element(link).toHaveTextContent("Virtual devices 3");
    await expect.element(screen.getByRole("main")).toHaveTextContent("Page");
    expect(nameless()).toEqual([]);
  });

  it("leads nobody to a screen that the guard would not let them enter", async () => {
    const { screen } = await open();
    const link = screen.getByRole("link", { name: "API" });
    await expect.element(link).toHaveAttribute("href", "/api");
    session.update(aUser({ is_organization_manager: false, organization: null }));
    await expect.element(link).not.toBeInTheDocument();
    await expect.element(screen.getByRole("link", { name: /Virtual devices/ })).toBeVisible();
  });

  it("signs out, and leads to the door without a way back", async () => {
    const { screen, router, service } = await open();
    await screen.getByRole("button", { name: "Account" }).click();
    await expect.element(screen.getByText("manager@demo.test")).toBeVisible();
    await screen.getByRole("menuitem", { name: "Sign out" }).click();
    await expect.element(screen.getByText("Door")).toBeVisible();
    expect([router.state.location.search, session.current]).toEqual(["", undefined]);
    expect(service.to("POST", /signout/)[0]?.headers.get("authorization")).toBe(`Bearer ${token}`);
  });

  it("leads to the door and back when the session ended elsewhere", async () => {
    const { screen, router } = await open();
    await expect.element(screen.getByText("Page")).toBeVisible();
    session.close();
    await vi.waitFor(() => expect(router.state.location.search).toBe("?redirect=%2Flaunchpad"));
  });

  it("changes between light and dark, and remembers it", async () => {
    const { screen } = await open();
    await screen.getByRole("button", { name: "Theme" }).click();
    await screen.getByRole("menuitemradio", { name: "Dark" }).click();
    expect(document.documentElement.dataset.theme).toBe("dark");
    expect(localStorage.getItem("mui-mode")).toBe("dark");
    await screen.getByRole("button", { name: "Theme" }).click();
    await screen.getByRole("menuitemradio", { name: "Light" }).click();
    expect(document.documentElement.dataset.theme).toBe("light");
  });

  it("says while the server is away that it tries again, and no longer than that", async () => {
    const status = vi.spyOn(realtime, "status", "get").mockReturnValue("waiting");
    const listeners = new Set<() => void>();
    vi.spyOn(realtime, "subscribe").mockImplementation((listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const { screen } = await open();
    await expect.element(screen.getByText(/does not answer.*trying again/)).toBeVisible();
    status.mockReturnValue("live");
    for (const listener of listeners) listener();
    await expect.element(screen.getByText(/does not answer/)).not.toBeInTheDocument();
  });

  it("has the navigation behind a button on a phone, and names its pictures on a rail", async () => {
    await browserPage.viewport(599, 844);
    const { screen } = await open();
    await screen.getByRole("button", { name: "Open navigation" }).click();
    await screen.getByRole("link", { name: /Virtual devices/ }).click();
    await expect.element(screen.getByRole("navigation", { name: "Main" })).not.toBeInTheDocument();
    await browserPage.viewport(800, 844);
    await expect.element(screen.getByRole("link", { name: "Virtual devices", exact: true })).toBeVisible();
  });

  it.each([
    [1280, 0],
    [1281, 1],
  ])("at %d pixels, shows the words and the key of the palette %d times: on a desktop", async (width, times) => {
    await browserPage.viewport(width, 900);
    const { screen } = await open();
    const button = screen.getByRole("button", { name: "Search and commands", exact: true });
    await expect.element(button).toBeVisible();
    expect(button.element().textContent).toBe(times ? "Search and commandsCtrl K" : "");
    expect(button.element().querySelector("kbd")?.textContent).toBe(times ? "Ctrl K" : undefined);
  });

  it("leads elsewhere in a new tab, and to the state of the platform where there is one", async () => {
    const { screen } = await open();
    for (const [name, href] of [
      ["API reference & SDK", "/openapi.json"],
      ["Documentation", "/docs"],
      ["Feedback", "/feedback"],
      ["Support", "/docs"],
    ] as const) {
      const link = screen.getByRole("link", { name: `${name}, opens in a new tab` });
      await expect.element(link).toHaveAttribute("href", href);
      await expect.element(link).toHaveAttribute("target", "_blank");
    }
    await expect.element(screen.getByRole("link", { name: /^Status/ })).not.toBeInTheDocument();
  });

  it("writes feedback to support where the operator has no other place for it", async () => {
    const { links } = someSettings();
    const { screen, service } = await open(someSettings({ links: { ...links, feedback: null }, has_support: true }));
    await screen.getByRole("button", { name: "Feedback" }).click();
    const dialog = screen.getByRole("dialog", { name: "Send feedback" });
    await dialog.getByLabelText("Message").fill("More ferns");
    await dialog.getByRole("button", { name: "Send message" }).click();
    await expect
      .poll(() => service.to("POST", /support/)[0]?.body)
      .toMatchObject({ topic: "feedback", message: "More ferns" });
  });

  it("opens support and what's new, one at a time, and gives the focus back", async () => {
    const { screen } = await open(someSettings({ has_support: true }));
    const support = screen.getByRole("button", { name: "Support" });
    await support.click();
    await expect.element(screen.getByRole("dialog", { name: "Write to support" })).toBeVisible();
    await screen.getByRole("button", { name: "Cancel" }).click();
    await expect.element(support).toHaveFocus();
    await screen.getByRole("button", { name: "What’s new" }).click();
    await expect.element(screen.getByRole("dialog", { name: "What’s new" })).toBeVisible();
  });
});
