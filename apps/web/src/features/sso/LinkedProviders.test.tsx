import { beforeEach, describe, expect, it } from "vitest";
import { render } from "vitest-browser-react";
import { queryClient, session } from "../../session/client.ts";
import { MeContext } from "../../session/user.ts";
import { aUser, manager, someSettings } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { LinkedProviders } from "./LinkedProviders.tsx";

const identity = {
  uuid: "00000000-0000-4000-8000-000000000001",
  provider: "google",
  label: "Google",
  email: "robin@example.com",
  created_at: "2026-03-01T10:00:00Z",
  last_used_at: "2026-03-01T10:00:00Z",
};
const LINK = "POST /v1/sso/oauth/link-url";
const UNLINK = "DELETE /v1/users/:uuid/identities/:uuid";

beforeEach(() => {
  queryClient.clear();
  sessionStorage.clear();
});

async function open(answers: Parameters<typeof fakeService>[0] = {}, { has_password = true } = {}) {
  const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;
  session.open({ token, user: aUser() });
  let identities = [identity];
  const service = fakeService({
    "GET /v1/settings": () =>
      someSettings({
        sso_providers: [
          { name: "google", label: "Google", is_stand_in: false },
          { name: "github-saas", label: "GitHub", is_stand_in: false },
          { name: "organization", label: "your organization", is_stand_in: false },
        ],
      }),
    "GET /v1/users/:uuid/identities": () => ({ identities, has_password }),
    // As if the provider's page opened: the address changes, and this page stays.
    [LINK]: () => ({ url: "#provider" }),
    [UNLINK]: () => {
      identities = [];
      return new Response(null, { status: 204 });
    },
    ...answers,
  });
  const shown = await render(
    <InTestApp client={queryClient}>
      <MeContext.Provider value={manager}>
        <LinkedProviders />
      </MeContext.Provider>
    </InTestApp>,
  );
  const dialog = shown.getByRole("dialog");
  return {
    shown,
    service,
    dialog,
    asks: async (button: string | RegExp) => shown.getByRole("button", { name: button }).click(),
    type: async (act: string, password = "correct horse 1") => {
      await dialog.getByLabelText("Your password").fill(password);
      await dialog.getByRole("button", { name: act, exact: true }).click();
    },
  };
}

describe("linking a provider", () => {
  it("is offered for those that are not linked yet, and not for an organization's own", async () => {
    const { shown } = await open();
    await expect.element(shown.getByRole("button", { name: "Link GitHub" })).toBeVisible();
    expect(shown.getByRole("button", { name: /^Link / }).elements()).toHaveLength(1);
  });

  it("is offered once what is linked did load", async () => {
    let isDown = true;
    const { shown } = await open({
      "GET /v1/users/:uuid/identities": () =>
        isDown ? refuse("FORBIDDEN")() : { identities: [identity], has_password: true },
    });
    await expect.element(shown.getByText(/^What is linked did not load/)).toBeVisible();
    await expect.element(shown.getByRole("button", { name: /^Link / })).not.toBeInTheDocument();
    isDown = false;
    await shown.getByRole("button", { name: "Try again" }).click();
    await expect.element(shown.getByRole("button", { name: "Link GitHub" })).toBeVisible();
  });

  it("takes the password, which has the focus, and leads to the provider's page", async () => {
    const { service, dialog, asks, type } = await open();
    await asks("Link GitHub");
    await expect.element(dialog.getByLabelText("Your password")).toHaveFocus();
    expect(nameless()).toEqual([]);
    await type("Continue to GitHub");
    await expect.poll(() => location.hash).toBe("#provider");
    const [call] = service.to("POST", /link-url/);
    expect(call?.body).toMatchObject({ provider: "github-saas", password: "correct horse 1" });
    const kept = sessionStorage.getItem("terrarium.sso") ?? "";
    expect(JSON.parse(kept)).toMatchObject({ provider: "github-saas", isLink: true, to: "/profile#sign-in-with" });
    expect(kept).not.toContain("correct horse");
  });

  it("says in place that the password is wrong, and stays", async () => {
    const { dialog, asks, type } = await open({ [LINK]: refuse("WRONG_PASSWORD") });
    await asks("Link GitHub");
    await type("Continue to GitHub");
    await expect.element(dialog.getByText("This is not your password.")).toBeVisible();
    expect(sessionStorage.getItem("terrarium.sso")).toBeNull();
  });

  it.each([
    ["SSO_PROVIDER_UNAVAILABLE", "The provider does not answer. Try again in a moment."],
    ["TOO_MANY_REQUESTS", "Too many tries. Wait an hour, then try again."],
    ["INTERNAL_ERROR", "It was not linked. Try again in a moment."],
  ] as const)("says in place that it heard %s", async (code, sentence) => {
    const { dialog, asks, type } = await open({ [LINK]: refuse(code) });
    await asks("Link GitHub");
    await type("Continue to GitHub");
    await expect.element(dialog.getByText(sentence)).toBeVisible();
  });

  it("takes a sign-in of just now where the account has no password", async () => {
    const { dialog, asks, service } = await open({ [LINK]: refuse("SIGN_IN_AGAIN") }, { has_password: false });
    await asks("Link GitHub");
    await expect.element(dialog.getByText(/^Your account has no password, so you must have signed in/)).toBeVisible();
    expect(dialog.getByLabelText("Your password").elements()).toEqual([]);
    await dialog.getByRole("button", { name: "Continue to GitHub" }).click();
    await expect.element(dialog.getByText(/^Sign out and sign in again/)).toBeVisible();
    expect(service.to("POST", /link-url/)[0]?.body).not.toHaveProperty("password");
  });
});

describe("unlinking a provider", () => {
  it("takes the password; the focus stays where the line was", async () => {
    const { shown, service, asks, type } = await open();
    await asks("Unlink Google, robin@example.com");
    await type("Unlink");
    await expect.element(shown.getByText("No account is linked.")).toBeVisible();
    expect(service.to("DELETE", /identities/).map(({ body }) => body)).toEqual([{ password: "correct horse 1" }]);
    expect(document.activeElement?.textContent).toContain("No account is linked.");
    expect(document.activeElement).not.toBe(document.body);
  });

  it.each([
    ["WRONG_PASSWORD", "This is not your password."],
    ["NO_PASSWORD", /^Your account has no password, and this may be your only way to sign in/],
    ["INTERNAL_ERROR", "It was not unlinked. Try again in a moment."],
  ] as const)("says in place that it heard %s", async (code, sentence) => {
    const { dialog, asks, type } = await open({ [UNLINK]: refuse(code) });
    await asks("Unlink Google, robin@example.com");
    await type("Unlink");
    await expect.element(dialog.getByText(sentence)).toBeVisible();
  });

  it("begins at Cancel, and takes no password where the account has none", async () => {
    const { dialog, asks, service } = await open({}, { has_password: false });
    await asks("Unlink Google, robin@example.com");
    await expect.element(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await dialog.getByRole("button", { name: "Unlink", exact: true }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(service.to("DELETE", /identities/).map(({ body }) => body)).toEqual([{}]);
  });
});
