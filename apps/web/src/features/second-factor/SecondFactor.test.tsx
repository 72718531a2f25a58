import type { SecondFactors } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { MeContext, meOf } from "../../session/user.ts";
import { aUser } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { SecondFactor } from "./SecondFactor.tsx";

const PATH = "/v1/users/:uuid/second-factor";
const off: SecondFactors = { totp: null, has_passkey: false, recovery_codes: 0, is_required: false };
const on: SecondFactors = {
  ...off,
  totp: { created_at: "2026-03-05T14:00:00.000Z", last_used_at: new Date(Date.now() - 120_000).toISOString() },
  recovery_codes: 9,
};
const codes = ["abcd-efgh-ijkl-mnop", "bcde-fghi-jklm-nopq"];
const setup = { secret: "GEZDGNBVGY3TQOJQ", url: "otpauth://totp/Terrarium:robin?secret=G", setup_ticket: "s1" };

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

/** A service that keeps what was set up. */
async function open(first: SecondFactors, answers: Parameters<typeof fakeService>[0] = {}, has_password = true) {
  let now = first;
  const service = fakeService({
    [`GET ${PATH}`]: () => now,
    "GET /v1/users/:uuid/identities": () => ({ identities: [], has_password }),
    [`POST ${PATH}/totp/begin`]: () => setup,
    [`POST ${PATH}/totp`]: () => {
      now = on;
      return { recovery_codes: codes };
    },
    [`DELETE ${PATH}/totp`]: () => {
      now = off;
      return new Response(null, { status: 204 });
    },
    [`POST ${PATH}/recovery-codes`]: () => ({ recovery_codes: codes }),
    ...answers,
  });
  const screen = await render(
    <InTestApp>
      <MeContext.Provider value={meOf(aUser())}>
        <SecondFactor />
        <Snacks />
      </MeContext.Provider>
    </InTestApp>,
  );
  const sent = (method: string, path: RegExp) => service.to(method, path).map(({ body }) => body);
  return { screen, sent };
}

describe("the second factor", () => {
  it("is set up with the password, the app's key and a code; the recovery codes are shown once", async () => {
    const { screen, sent } = await open(off);
    await screen.getByRole("button", { name: "Set up an authenticator app" }).click();
    await screen.getByLabelText("Your password", { exact: true }).fill("correct horse 1");
    await screen.getByRole("button", { name: "Continue" }).click();
    await expect.element(screen.getByText("GEZD GNBV GY3T QOJQ")).toBeVisible();
    await expect.element(screen.getByRole("img", { name: /^QR code/ })).toBeVisible();
    await screen.getByLabelText("Code that the app shows").fill("123 456");
    await screen.getByRole("button", { name: "Turn on" }).click();
    const list = screen.getByRole("list", { name: "Recovery codes" });
    await expect.element(list).toHaveTextContent(codes.join(""));
    expect(nameless()).toEqual([]);
    await screen.getByRole("button", { name: "Done" }).click();
    await expect.element(list).not.toBeInTheDocument();
    await expect.element(screen.getByText(/^set up on March 5, 2026/)).toBeVisible();
    await expect.element(screen.getByText("9 are left")).toBeVisible();
    expect(sent("POST", /begin$/)).toEqual([{ password: "correct horse 1" }]);
    expect(sent("POST", /totp$/)).toEqual([{ setup_ticket: "s1", code: "123456" }]);
  });

  it("can be a passkey alone: then it has recovery codes, and an app can be set up", async () => {
    const { screen } = await open({ ...off, has_passkey: true, recovery_codes: 9 });
    await expect.element(screen.getByText("Passkeys", { exact: true })).toBeVisible();
    await expect.element(screen.getByText("9 are left")).toBeVisible();
    await expect.element(screen.getByText(/your password alone signs you in/)).not.toBeInTheDocument();
    await expect.element(screen.getByRole("button", { name: "Set up an authenticator app" })).toBeVisible();
  });

  it("says before the app is turned off that a passkey takes its place", async () => {
    const { screen } = await open({ ...on, has_passkey: true });
    await screen.getByRole("button", { name: "Turn off the authenticator app" }).click();
    await expect.element(screen.getByText("Signing in with your password takes a passkey from then on.")).toBeVisible();
  });

  it("says below the password that it is wrong", async () => {
    const { screen } = await open(off, { [`POST ${PATH}/totp/begin`]: refuse("WRONG_PASSWORD") });
    await screen.getByRole("button", { name: "Set up an authenticator app" }).click();
    await screen.getByLabelText("Your password", { exact: true }).fill("wrong");
    await screen.getByRole("button", { name: "Continue" }).click();
    await expect.element(screen.getByText("This is not your password.")).toBeVisible();
  });

  it("asks for no password before it is known that there is one", async () => {
    const answer = Promise.withResolvers<object>();
    const { screen, sent } = await open(off, { "GET /v1/users/:uuid/identities": () => answer.promise });
    await screen.getByRole("button", { name: "Set up an authenticator app" }).click();
    await expect.element(screen.getByLabelText("Looking how you sign in")).toBeVisible();
    const field = screen.getByLabelText("Your password", { exact: true });
    expect(field.elements()).toEqual([]);
    await screen.getByRole("button", { name: "Continue" }).click();
    expect(sent("POST", /begin$/)).toEqual([]);
    answer.resolve({ identities: [], has_password: true });
    await expect.element(field).toHaveFocus();
  });

  it("asks for the password where it cannot be known", async () => {
    const { screen } = await open(off, { "GET /v1/users/:uuid/identities": refuse("INTERNAL_ERROR") });
    await screen.getByRole("button", { name: "Set up an authenticator app" }).click();
    await expect.element(screen.getByLabelText("Your password", { exact: true })).toBeVisible();
  });

  it("asks who has no password to have signed in just now", async () => {
    const { screen, sent } = await open(off, { [`POST ${PATH}/totp/begin`]: refuse("SIGN_IN_AGAIN") }, false);
    await screen.getByRole("button", { name: "Set up an authenticator app" }).click();
    await expect.element(screen.getByText(/^Your account has no password/)).toBeVisible();
    await expect.element(screen.getByLabelText("Your password", { exact: true })).not.toBeInTheDocument();
    await screen.getByRole("button", { name: "Continue" }).click();
    await expect.element(screen.getByText(/^Sign out and sign in again/)).toBeVisible();
    expect(sent("POST", /begin$/)).toEqual([{}]);
  });

  it("is turned off with the password", async () => {
    const { screen, sent } = await open(on);
    await screen.getByRole("button", { name: "Turn off the authenticator app" }).click();
    await screen.getByLabelText("Your password", { exact: true }).fill("correct horse 1");
    await screen.getByRole("button", { name: "Turn off", exact: true }).click();
    await expect.element(screen.getByText("The authenticator app was turned off.")).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Set up an authenticator app" })).toBeVisible();
    expect(document.activeElement?.textContent).toContain("Set up an authenticator app");
    expect(document.activeElement).not.toBe(document.body);
    expect(sent("DELETE", /totp$/)).toEqual([{ password: "correct horse 1" }]);
  });

  it("stays when the organization requires it, and says so", async () => {
    const { screen } = await open(
      { ...on, is_required: true },
      { [`DELETE ${PATH}/totp`]: refuse("LAST_SECOND_FACTOR") },
    );
    await expect.element(screen.getByText("Northwind Mobile requires a second factor of its members.")).toBeVisible();
    await screen.getByRole("button", { name: "Turn off the authenticator app" }).click();
    await screen.getByLabelText("Your password", { exact: true }).fill("correct horse 1");
    await screen.getByRole("button", { name: "Turn off", exact: true }).click();
    await expect.element(screen.getByText(/and this is your last one/)).toBeVisible();
  });

  it("gets new recovery codes with the password", async () => {
    const { screen, sent } = await open({ ...on, recovery_codes: 0 });
    await expect.element(screen.getByText("None is left")).toBeVisible();
    await screen.getByRole("button", { name: "New recovery codes" }).click();
    await screen.getByLabelText("Your password", { exact: true }).fill("correct horse 1");
    await screen.getByRole("button", { name: "Make new codes" }).click();
    await expect.element(screen.getByRole("list", { name: "Recovery codes" })).toHaveTextContent(codes.join(""));
    await screen.getByRole("button", { name: "Done" }).click();
    await vi.waitFor(() => expect(document.activeElement?.textContent).toContain("Authenticator app"));
    expect(sent("POST", /recovery-codes$/)).toEqual([{ password: "correct horse 1" }]);
  });

  it("shows new recovery codes at once, whatever becomes of the rest", async () => {
    let isAnswered = true;
    const { screen } = await open(on, { [`GET ${PATH}`]: () => (isAnswered ? on : new Promise(() => undefined)) });
    await screen.getByRole("button", { name: "New recovery codes" }).click();
    await screen.getByLabelText("Your password", { exact: true }).fill("correct horse 1");
    isAnswered = false;
    await screen.getByRole("button", { name: "Make new codes" }).click();
    await expect.element(screen.getByRole("list", { name: "Recovery codes" })).toHaveTextContent(codes.join(""));
  });

  it("begins at the password when it asks for one", async () => {
    const { screen } = await open(off);
    await screen.getByRole("button", { name: "Set up an authenticator app" }).click();
    await expect.element(screen.getByLabelText("Your password", { exact: true })).toHaveFocus();
  });

  it("says when it did not load", async () => {
    const { screen } = await open(off, { [`GET ${PATH}`]: refuse("INTERNAL_ERROR") });
    await expect.element(screen.getByText("Your second factor did not load")).toBeVisible();
  });
});
