import type { Deletion, PublicSettings } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { queryClient, session } from "../../session/client.ts";
import { MeContext, meOf, useSession } from "../../session/user.ts";
import { analyticsConsent } from "../../shared/consent.ts";
import { aPuzzle, aUser, anId, someSettings } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import ProfilePage from "./ProfilePage.tsx";

const token = `x.${btoa(JSON.stringify({ exp: 4_000_000_000 }))}.y`;

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

function Signed() {
  const user = useSession()?.user;
  return user ? (
    <MeContext.Provider value={meOf(user)}>
      <ProfilePage />
    </MeContext.Provider>
  ) : (
    "signed out"
  );
}

async function open(answers: Parameters<typeof fakeService>[0] = {}, address = "/profile", user = aUser()) {
  session.open({ token, user });
  const service = fakeService({
    "GET /v1/settings": () => ({ version: "0.0.0", demo_accounts: [], has_mailbox: false }),
    "PUT /v2/users/:uuid": ({ body }) => ({ ...user, ...(body as object) }),
    "GET /v1/sessions": () => ({ sessions: [] }),
    "GET /v1/users/:uuid/second-factor": () => ({
      totp: null,
      has_passkey: false,
      recovery_codes: 0,
      is_required: false,
    }),
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <Signed />
      <Snacks />
    </InTestApp>,
  );
  return { screen, service };
}

describe("one's details", () => {
  it("show who one is, and keep new names", async () => {
    const { screen, service } = await open();
    await expect.element(screen.getByLabelText("Email")).toHaveValue("manager@demo.test");
    await expect.element(screen.getByLabelText("Email")).toHaveAttribute("readonly");
    await expect.element(screen.getByLabelText("Organization")).toHaveValue("Northwind Mobile");
    await screen.getByLabelText("First name").fill("Maren");
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText("Your names were saved.")).toBeVisible();
    expect(service.to("PUT", /users/).map(({ body }) => body)).toEqual([
      { first_name: "Maren", last_name: "Lindqvist" },
    ]);
    expect(session.current?.user.first_name).toBe("Maren");
    expect(nameless()).toEqual([]);
  });

  it.each([
    ["First name", "x".repeat(251), "Use up to 250 characters"],
    ["Last name", "Lind\u202Eqvist", "Use characters that can be seen"],
  ])("refuse a %s that the service would refuse", async (field, typed, sentence) => {
    const { screen, service } = await open();
    await screen.getByLabelText(field).fill(typed);
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText(sentence)).toBeVisible();
    expect(service.to("PUT", /users/)).toEqual([]);
  });

  it("say in place that they were not saved, and keep what was typed", async () => {
    const { screen } = await open({ "PUT /v2/users/:uuid": refuse("INTERNAL_ERROR") });
    await screen.getByLabelText("First name").fill("Maren");
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText("Your names were not saved. Try again in a moment.")).toBeVisible();
    await expect.element(screen.getByLabelText("First name")).toHaveValue("Maren");
  });

  it("have no organization for a guest", async () => {
    const { screen } = await open({}, "/profile", aUser({ organization: null, is_organization_manager: false }));
    await expect.element(screen.getByLabelText("Role")).toHaveValue("Guest");
    expect(screen.getByLabelText("Organization").elements()).toEqual([]);
  });
});

describe("one's password", () => {
  const type = async (screen: Awaited<ReturnType<typeof open>>["screen"], again = "a better horse 2") => {
    await screen.getByLabelText("Current password").fill("correct horse 1");
    await screen.getByLabelText("New password", { exact: true }).fill("a better horse 2");
    await screen.getByLabelText("Confirm new password").fill(again);
    await userEvent.keyboard("{Enter}");
  };
  const done = () => new Response(null, { status: 204 });

  it("is changed by somebody who knows it, and the form is empty again", async () => {
    const asked = vi.spyOn(queryClient, "invalidateQueries");
    const { screen, service } = await open({ "PUT /v1/users/password": done });
    await type(screen);
    await expect.element(screen.getByText(/^Your password was changed/)).toBeVisible();
    expect(service.to("PUT", /password/).map(({ body }) => body)).toEqual([
      { old_password: "correct horse 1", new_password: "a better horse 2" },
    ]);
    await expect.element(screen.getByLabelText("Current password")).toHaveValue("");
    expect(session.current).toBeDefined();
    // The other places are gone.
    expect(asked).toHaveBeenCalledWith({ queryKey: ["sessions"] });
    asked.mockRestore();
  });

  it("is typed twice, by the rules of the service", async () => {
    const { screen, service } = await open({ "PUT /v1/users/password": done });
    await type(screen, "a better house 2");
    await expect.element(screen.getByText("Confirm with same password")).toBeVisible();
    await screen.getByLabelText("New password", { exact: true }).fill("short 1");
    await expect.element(screen.getByText("Use 8 characters or more")).toBeVisible();
    expect(service.to("PUT", /password/)).toEqual([]);
  });

  it.each([
    ["WRONG_PASSWORD", "Fail to update password. The current password is not right."],
    ["PASSWORD_TOO_COMMON", "This password is too common. Choose another."],
    ["TOO_MANY_REQUESTS", "Too many tries. Wait an hour, then try again."],
    ["INTERNAL_ERROR", "Fail to update password. Try again in a moment."],
    ["NO_PASSWORD", /^Your account has no password yet/],
  ] as const)("says in place that it heard %s", async (code, sentence) => {
    const { screen } = await open({ "PUT /v1/users/password": refuse(code) });
    await type(screen);
    await expect.element(screen.getByText(sentence)).toBeVisible();
    expect(session.current).toBeDefined();
  });
});

describe("an account without a password", () => {
  const ways = { "GET /v1/users/:uuid/identities": () => ({ identities: [], has_password: false }) };

  it("has a link to its first one mailed, and gets no form that asks for one", async () => {
    const deletion = {
      refusal: null,
      devices: [],
      recipes: { deleted: 0, kept: 0 },
      api_tokens: 0,
      ends_organization: false,
    };
    const { screen, service } = await open({
      ...ways,
      "GET /v1/settings": () => someSettings(),
      "GET /v1/users/puzzle": () => aPuzzle(),
      "GET /v1/users/:uuid/deletion": () => deletion,
      "DELETE /v1/users/:uuid": refuse("SIGN_IN_AGAIN"),
      "POST /v1/users/password/request": () => new Response(null, { status: 204 }),
    });
    await screen.getByRole("button", { name: "Mail a link to set a password" }).click();
    await expect.element(screen.getByText(/^A link is on its way to manager@demo.test/)).toBeVisible();
    expect(service.to("POST", /request/).map(({ body }) => body)).toEqual([
      expect.objectContaining({ email: "manager@demo.test" }),
    ]);
    expect(screen.getByLabelText("Current password").elements()).toEqual([]);
    await screen.getByRole("button", { name: "Delete account" }).click();
    const dialog = screen.getByRole("dialog");
    await expect.element(dialog.getByText(/^Your account has no password, so you must have signed in/)).toBeVisible();
    expect(dialog.getByLabelText("Your password").elements()).toEqual([]);
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await expect.element(dialog.getByText(/^Sign out and sign in again/)).toBeVisible();
    expect(service.to("DELETE", /users/).map(({ body }) => body)).toEqual([{}]);
  });
});

describe("preferences", () => {
  const collected = (analytics: PublicSettings["analytics"]) => ({
    "GET /v1/settings": () => someSettings({ analytics }),
  });

  it("have no statistics where none are collected", async () => {
    const { screen } = await open(collected(null));
    await expect.element(screen.getByRole("button", { name: "Reset to defaults" })).toBeVisible();
    expect(screen.getByRole("switch").elements()).toEqual([]);
  });

  it("count nothing until somebody lets them", async () => {
    analyticsConsent.write(false);
    const { screen } = await open(collected({ collector: "https://count.fern.test/in", staff_domain: null }));
    const counted = screen.getByRole("switch", { name: "Usage statistics" });
    await expect.element(counted).not.toBeChecked();
    await counted.click();
    await expect.element(counted).toBeChecked();
    expect(analyticsConsent.read()).toBe(true);
    analyticsConsent.write(false);
    await expect.element(counted).not.toBeChecked();
  });

  it("have the theme, and go back to what they were at first", async () => {
    const { screen } = await open();
    await screen.getByRole("button", { name: "Dark" }).click();
    await expect.element(screen.getByRole("button", { name: "Dark" })).toHaveAttribute("aria-pressed", "true");
    await screen.getByRole("button", { name: "Light" }).click();
    localStorage.setItem("vd.pref.test", '{"version":1,"value":5}');
    await screen.getByRole("button", { name: "Reset to defaults" }).click();
    await expect.element(screen.getByText("Tables and reminders are as they were at first.")).toBeVisible();
    expect(localStorage.getItem("vd.pref.test")).toBeNull();
  });
});

describe("one's data", () => {
  it("comes as a file with the name that the service gives it", async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    const headers = { "content-disposition": 'attachment; filename="terrarium-2026-03-02.json"' };
    const { screen } = await open({ "GET /v1/users/:uuid/export": () => new Response("{}", { headers }) });
    await screen.getByRole("button", { name: "Download your data" }).click();
    await expect
      .poll(() => saved.mock.contexts.map((link) => (link as HTMLAnchorElement).download))
      .toEqual(["terrarium-2026-03-02.json"]);
    saved.mockRestore();
  });

  it.each([
    ["TOO_MANY_REQUESTS", /^You have downloaded it several times/],
    ["INTERNAL_ERROR", /^Your data could not be prepared/],
  ] as const)("says in place that it heard %s", async (code, sentence) => {
    const { screen } = await open({ "GET /v1/users/:uuid/export": refuse(code) });
    await screen.getByRole("button", { name: "Download your data" }).click();
    await expect.element(screen.getByText(sentence)).toBeVisible();
  });
});

describe("the end of an account", () => {
  const deletion = (fields: Partial<Deletion> = {}): Deletion => ({
    refusal: null,
    devices: [],
    recipes: { deleted: 0, kept: 0 },
    api_tokens: 0,
    ends_organization: false,
    ...fields,
  });
  async function ask(fields: Partial<Deletion> = {}, answers: Parameters<typeof fakeService>[0] = {}) {
    const opened = await open({
      "GET /v1/users/:uuid/deletion": () => deletion(fields),
      "DELETE /v1/users/:uuid": () => new Response(null, { status: 204 }),
      ...answers,
    });
    await opened.screen.getByRole("button", { name: "Delete account" }).click();
    const dialog = opened.screen.getByRole("dialog");
    const confirm = async (password = "correct horse 1") => {
      await dialog.getByLabelText("Your password").fill(password);
      await dialog.getByRole("button", { name: "Delete account" }).click();
    };
    return { ...opened, dialog, confirm };
  }

  it("says which devices stop, what is deleted and what is kept, before it asks for the password", async () => {
    const devices = Array.from({ length: 7 }, (_, index) => ({ uuid: anId(), name: `phone-${index}` }));
    const { dialog } = await ask({ devices, recipes: { deleted: 0, kept: 2 }, api_tokens: 1 });
    await expect.element(dialog.getByText("7 running devices stop now")).toBeVisible();
    await expect.element(dialog.getByText("phone-4")).toBeVisible();
    await expect.element(dialog.getByText("and 2 more")).toBeVisible();
    await expect.element(dialog.getByText("One API token")).toBeVisible();
    await expect.element(dialog.getByText(/^2 recipes that you made.*Northwind Mobile/)).toBeVisible();
    await expect.element(dialog.getByText(/^The record of who did what/)).toBeVisible();
    expect(nameless()).toEqual([]);
  });

  it("names the organization that ends with it", async () => {
    const { dialog } = await ask({ ends_organization: true, recipes: { deleted: 3, kept: 0 } });
    await expect.element(dialog.getByText(/^Northwind Mobile with its recipes/)).toBeVisible();
  });

  it("comes with the password, and signs out", async () => {
    const { screen, service, confirm } = await ask();
    localStorage.setItem("vd.pref.test", '{"version":1,"value":5}');
    await confirm();
    await expect.element(screen.getByText("signed out")).toBeVisible();
    expect(service.to("DELETE", /users/).map(({ body }) => body)).toEqual([{ password: "correct horse 1" }]);
    expect([session.current, session.hasSignedOut]).toEqual([undefined, true]);
    expect(localStorage.getItem("vd.pref.test")).toBeNull();
  });

  it("is refused to who has become the last manager meanwhile, and it is said what to do", async () => {
    let refusal: Deletion["refusal"] = null;
    const { dialog, confirm } = await ask(
      {},
      {
        "GET /v1/users/:uuid/deletion": () => deletion({ refusal }),
        "DELETE /v1/users/:uuid": () => {
          refusal = "members";
          return refuse("LAST_MANAGER")();
        },
      },
    );
    await confirm();
    await expect.element(dialog.getByText(/^You are the only manager of Northwind Mobile/)).toBeVisible();
    expect(session.current).toBeDefined();
  });

  it("needs a password", async () => {
    const { dialog, service } = await ask();
    await dialog.getByRole("button", { name: "Delete account" }).click();
    await expect.element(dialog.getByText("Required")).toBeVisible();
    expect(service.to("DELETE", /users/)).toEqual([]);
  });

  it.each([
    ["WRONG_PASSWORD", "This is not your password."],
    ["TOO_MANY_REQUESTS", "Too many tries. Wait an hour, then try again."],
    ["INTERNAL_ERROR", "Your account was not deleted. Try again in a moment."],
  ] as const)("does not come when the service says %s, and it is said in place", async (code, sentence) => {
    const { dialog, confirm } = await ask({}, { "DELETE /v1/users/:uuid": refuse(code) });
    await confirm();
    await expect.element(dialog.getByText(sentence)).toBeVisible();
    expect(session.current).toBeDefined();
  });

  it.each([
    ["members", /^You are the only manager of Northwind Mobile.*Make one of them a manager first/],
    ["plan", /^Northwind Mobile has an active plan. End it first/],
  ] as const)("is not offered where it would leave %s behind, and it is said what to do", async (refusal, sentence) => {
    const { dialog } = await ask({ refusal });
    await expect.element(dialog.getByText(sentence)).toBeVisible();
    expect(dialog.getByRole("button", { name: "Delete account" }).elements()).toEqual([]);
  });

  it("can be asked again about what would happen, when that could not be read", async () => {
    let isDown = true;
    const { dialog } = await ask(
      {},
      { "GET /v1/users/:uuid/deletion": () => (isDown ? refuse("INTERNAL_ERROR")() : deletion()) },
    );
    await expect
      .element(dialog.getByRole("alert"))
      .toHaveTextContent("What would be deleted could not be read. Nothing was changed.");
    isDown = false;
    await dialog.getByRole("button", { name: "Try again" }).click();
    await expect.element(dialog.getByLabelText("Your password")).toBeVisible();
  });
});

it("a link to a section leads to it", async () => {
  const { screen } = await open({}, "/profile#details");
  await expect.element(screen.getByRole("heading", { name: "Your details" })).toHaveFocus();
});
