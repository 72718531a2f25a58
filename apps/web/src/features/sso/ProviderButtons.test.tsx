import { beforeEach, expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { queryClient } from "../../session/client.ts";
import { someSettings } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { takeBegun } from "./begin.ts";
import ProviderButtons from "./ProviderButtons.tsx";

const google = { name: "google", label: "Google", is_stand_in: false };
const github = { name: "github-saas", label: "GitHub", is_stand_in: false };
const organization = { name: "organization", label: "your organization", is_stand_in: false };

beforeEach(() => {
  queryClient.clear();
  sessionStorage.clear();
  for (const { id } of readSnacks()) closeSnack(id);
});

/** As if the provider's page opened: the address changes, and this page stays. */
const opens = () => ({ url: "#provider" });

async function open(providers: (typeof google)[], answer: () => unknown = opens) {
  const service = fakeService({
    "GET /v1/settings": () => someSettings({ sso_providers: providers }),
    "GET /v1/sso/oauth/login-url": answer,
  });
  const shown = await render(
    <InTestApp client={queryClient}>
      <ProviderButtons from="/join/i1" to="/recipes" invitation="i1" />
      <Snacks />
    </InTestApp>,
  );
  return { shown, asked: () => service.to("GET", /sso/).map(({ query }) => query) };
}

it("opens a provider once, and again when the browser's Back restored the page", async () => {
  const { shown, asked } = await open([google, github]);
  const button = shown.getByRole("button", { name: /Google/ });
  await button.click();
  await expect.element(shown.getByRole("button", { name: "Opening Google" })).toHaveAttribute("aria-disabled", "true");
  // Pressable as before for assistive technology, but nothing comes of it.
  (button.element() as HTMLElement).click();
  (shown.getByRole("button", { name: "Continue with GitHub" }).element() as HTMLElement).click();
  await expect.poll(() => asked().length).toBe(1);
  dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  await expect.element(button).toHaveAttribute("aria-disabled", "false");
  await button.click();
  await expect.poll(() => asked().length).toBe(2);
});

it("says where it began and for which invitation, and keeps the key for the way back", async () => {
  const { shown, asked } = await open([github]);
  await shown.getByRole("button", { name: "Continue with GitHub" }).click();
  await expect.poll(() => asked().length).toBe(1);
  const { key, ...begun } = takeBegun() ?? {};
  expect(begun).toEqual({ provider: "github-saas", from: "/join/i1", to: "/recipes", invitation: "i1" });
  expect(Object.fromEntries(asked()[0] ?? [])).toEqual({
    provider: "github-saas",
    redirect_uri: `${location.origin}/signin/sso/oauth/github/`,
    browser_key: key,
    route_to: "/recipes",
    route_from: "/join/i1",
    invitation_token: "i1",
  });
});

it("says why a provider did not open, until it is tried again", async () => {
  let isDown = true;
  const { shown } = await open([google], () => (isDown ? refuse("SSO_PROVIDER_UNAVAILABLE")() : opens()));
  const button = shown.getByRole("button", { name: "Continue with Google" });
  await button.click();
  const trouble = shown.getByText("The provider does not answer. Try again in a moment.");
  await expect.element(trouble).toBeVisible();
  await expect.element(button).toHaveAttribute("aria-disabled", "false");
  isDown = false;
  await button.click();
  await expect.element(shown.getByRole("button", { name: "Opening Google" })).toBeVisible();
  await expect.element(trouble).not.toBeInTheDocument();
});

it("asks for the address by which an organization's own provider is found, and says at the field that there is none", async () => {
  const { shown, asked } = await open([organization], refuse("SSO_PROVIDER_NOT_FOUND"));
  await shown.getByRole("button", { name: "Continue with your organization" }).click();
  const field = shown.getByLabelText("Your email address there");
  await expect.element(field).toHaveFocus();
  expect(asked()).toEqual([]);
  await shown.getByRole("button", { name: "Continue", exact: true }).click();
  await expect.element(shown.getByText("Required")).toBeVisible();
  await field.fill("ines@northwind.example");
  await shown.getByRole("button", { name: "Continue", exact: true }).click();
  await expect.element(field).toHaveAccessibleDescription("Nobody can sign in with this provider here.");
  expect(asked().map((query) => [query.get("provider"), query.get("email")])).toEqual([
    ["organization", "ines@northwind.example"],
  ]);
});

it.each([
  ["says of a stand-in that it is one", [{ ...google, is_stand_in: true }], 1],
  ["says nothing of stand-ins where there are none", [google], 0],
] as const)("%s", async (_, providers, count) => {
  const { shown } = await open([...providers]);
  await expect.element(shown.getByRole("button", { name: /Google/ })).toBeVisible();
  expect(shown.getByText(/stand-ins/).elements()).toHaveLength(count);
});

it("is nothing where there are no providers", async () => {
  const { shown, asked } = await open([]);
  await expect.poll(() => queryClient.isFetching()).toBe(0);
  await expect.element(shown.getByRole("separator")).not.toBeInTheDocument();
  expect(asked()).toEqual([]);
});
