import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { page as browserPage, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { knownBrowser } from "../../session/known-browser.ts";
import type { BegunSession } from "@terrarium/contract";
import { aUser, someSettings } from "../../testing/factories.ts";
import { aMadePasskey, aUsedPasskey, browserSays, fakePasskeys } from "../../testing/fake-passkeys.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import SecondFactorStep from "./SecondFactorStep.tsx";

const session: BegunSession = {
  token: "x.y.z",
  user: aUser({ email: "robin@example.com" }),
  browser_token: "browser.2",
};
const codes = Array.from({ length: 10 }, (_, index) => `abcd-efgh-ijkl-mno${"abcdefghij"[index]}`);
const setup = {
  secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
  url: "otpauth://totp/Terrarium:robin?secret=G",
  setup_ticket: "s1",
};

const CONFIRM = "POST /v1/users/login/second-factor";
const BEGIN = "POST /v1/users/login/second-factor/totp/begin";
const FINISH = "POST /v1/users/login/second-factor/totp";

async function open(methods: string[] | undefined, answers: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({
    [CONFIRM]: () => session,
    [BEGIN]: () => setup,
    [FINISH]: () => ({ ...session, recovery_codes: codes }),
    ...answers,
  });
  const onSignedIn = vi.fn(async () => undefined);
  const onBack = vi.fn();
  const screen = await render(
    <InTestApp>
      <SecondFactorStep
        asked={{ ticket: "t1", ...(methods && { methods: methods.join(" ") }) }}
        onSignedIn={onSignedIn}
        onBack={onBack}
      />
      <Snacks />
    </InTestApp>,
  );
  const sent = (path = /second-factor$/) => service.to("POST", path).map(({ body }) => body);
  return { screen, sent, onSignedIn, onBack };
}

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(390, 844);
});
afterEach(() => localStorage.clear());

describe("the confirmation of a sign-in", () => {
  it("takes a code of the app as it is pasted, and says that the browser is known", async () => {
    knownBrowser.remember("browser.1");
    const { screen, sent, onSignedIn } = await open(["totp", "recovery"]);
    const field = screen.getByLabelText("Code", { exact: true });
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveAttribute("autocomplete", "one-time-code");
    await expect.element(field).toHaveAttribute("inputmode", "numeric");
    await field.fill(" 123 456 ");
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledWith(session));
    expect(sent()).toEqual([{ ticket: "t1", method: "totp", code: "123456", browser_token: "browser.1" }]);
    expect(knownBrowser.token).toBe("browser.2");
    expect(nameless()).toEqual([]);
  });

  it("sends nothing that cannot be a code of the app", async () => {
    const { screen, sent } = await open(["totp"]);
    await screen.getByLabelText("Code", { exact: true }).fill("12345");
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText("Use the 6 digits that the app shows")).toBeVisible();
    expect(sent()).toEqual([]);
  });

  it("takes a recovery code in place of it, and leads back", async () => {
    const { screen, sent, onBack } = await open(["totp", "recovery"]);
    await screen.getByRole("button", { name: "Use a recovery code" }).click();
    const field = screen.getByLabelText("Recovery code", { exact: true });
    await expect.element(field).toHaveFocus();
    await field.fill("ABCD-efgh-ijkl-mnop");
    await userEvent.keyboard("{Enter}");
    await vi.waitFor(() => expect(sent()).toMatchObject([{ method: "recovery", code: "ABCD-efgh-ijkl-mnop" }]));
    await screen.getByRole("button", { name: "Use the authenticator app" }).click();
    await expect.element(screen.getByLabelText("Code", { exact: true })).toBeVisible();
    await screen.getByRole("button", { name: "Back to sign-in" }).click();
    expect(onBack).toHaveBeenCalledOnce();
  });

  it("offers no recovery code when none is left", async () => {
    const { screen } = await open(["totp"]);
    await expect.element(screen.getByLabelText("Code", { exact: true })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Use a recovery code" })).not.toBeInTheDocument();
  });

  it.each([
    ["SECOND_FACTOR_WRONG", "This code does not work. Wait for the next one: each works once."],
    ["TOO_MANY_REQUESTS", "Too many tries. Wait an hour, then try again."],
    ["INTERNAL_ERROR", "Nothing was changed. Try again in a moment."],
  ] as const)("says why, and keeps what was typed, when it hears %s", async (code, sentence) => {
    const { screen, onSignedIn } = await open(["totp"], { [CONFIRM]: refuse(code) });
    await screen.getByLabelText("Code", { exact: true }).fill("123456");
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText(sentence)).toBeVisible();
    await expect.element(screen.getByLabelText("Code", { exact: true })).toHaveValue("123456");
    expect(onSignedIn).not.toHaveBeenCalled();
  });

  it("leads back to the beginning when it took too long", async () => {
    const { screen, onBack } = await open(["totp"], { [CONFIRM]: refuse("SECOND_FACTOR_EXPIRED") });
    await screen.getByLabelText("Code", { exact: true }).fill("123456");
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByRole("heading", { name: "This took too long" })).toBeVisible();
    await screen.getByRole("button", { name: "Back to sign-in" }).click();
    expect(onBack).toHaveBeenCalledOnce();
  });
});

describe("the confirmation with a passkey", () => {
  const OPTIONS = `${CONFIRM}/passkey/options`;
  const PASSKEY = `${CONFIRM}/passkey`;
  const request = {
    challenge: "AQID",
    rpId: "localhost",
    timeout: 300_000,
    userVerification: "required",
    allowCredentials: [{ id: "AQID", type: "public-key", transports: ["internal"] }],
  };
  const withPasskey = (methods: string[], answers: Parameters<typeof open>[1] = {}) =>
    open(methods, {
      "GET /v1/settings": () => someSettings({ passkeys_at: location.origin }),
      [OPTIONS]: () => request,
      [PASSKEY]: () => session,
      ...answers,
    });

  it("takes one press, which asks for those of the account", async () => {
    knownBrowser.remember("browser.1");
    const allowed: unknown[] = [];
    fakePasskeys({
      get: ({ publicKey }) => {
        allowed.push(publicKey?.allowCredentials?.length);
        return aUsedPasskey();
      },
    });
    const { screen, sent, onSignedIn } = await withPasskey(["passkey", "recovery"]);
    await expect.element(screen.getByText(/^Your device then checks that it is you/)).toHaveFocus();
    await expect.element(screen.getByLabelText(/code/i)).not.toBeInTheDocument();
    await screen.getByRole("button", { name: "Use a passkey" }).click();
    await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledWith(session));
    expect(allowed).toEqual([1]);
    expect(sent(/options$/)).toEqual([{ ticket: "t1" }]);
    expect(sent(/passkey$/)).toMatchObject([{ ticket: "t1", credential: { id: "AQID" }, browser_token: "browser.1" }]);
    expect(knownBrowser.token).toBe("browser.2");
    expect(nameless()).toEqual([]);
  });

  it("stands above the code of the app, and leaves the recovery codes", async () => {
    const { screen } = await withPasskey(["totp", "passkey", "recovery"]);
    await expect.element(screen.getByRole("button", { name: "Use a passkey" })).toBeVisible();
    await expect.element(screen.getByLabelText("Code", { exact: true })).toBeVisible();
    await screen.getByRole("button", { name: "Use a recovery code" }).click();
    await expect.element(screen.getByLabelText("Recovery code", { exact: true })).toHaveFocus();
  });

  it("leads to the recovery codes where there is no app, and back", async () => {
    const { screen, onBack } = await withPasskey(["passkey", "recovery"]);
    await screen.getByRole("button", { name: "Use a recovery code" }).click();
    await expect.element(screen.getByLabelText("Recovery code", { exact: true })).toHaveFocus();
    await expect.element(screen.getByRole("button", { name: "Use a passkey" })).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Use a recovery code" })).not.toBeInTheDocument();
    await screen.getByRole("button", { name: "Back to sign-in" }).click();
    expect(onBack).toHaveBeenCalledOnce();
  });

  it("says where passkeys can be used instead", async () => {
    const { screen } = await withPasskey(["passkey", "recovery"], {
      "GET /v1/settings": () => someSettings({ passkeys_at: "https://devices.example" }),
    });
    await expect.element(screen.getByText(/^Passkeys work at https:\/\/devices\.example only/)).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Use a passkey" })).not.toBeInTheDocument();
    await expect.element(screen.getByRole("button", { name: "Use a recovery code" })).toBeVisible();
  });

  it.each([
    ["PASSKEY_UNKNOWN", /^You are not signed in\. Try again in a moment, or use another second factor/],
    ["PASSKEY_REFUSED", /^The passkey could not be verified/],
    ["TOO_MANY_REQUESTS", /^Too many tries/],
  ] as const)("says why when the service answers %s, and can be tried again", async (code, sentence) => {
    fakePasskeys({ get: aUsedPasskey });
    let answer: () => unknown = refuse(code);
    const { screen, onSignedIn } = await withPasskey(["passkey"], { [PASSKEY]: () => answer() });
    await screen.getByRole("button", { name: "Use a passkey" }).click();
    await expect.element(screen.getByText(sentence)).toBeVisible();
    answer = () => session;
    await screen.getByRole("button", { name: "Use a passkey" }).click();
    await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
  });

  it("says that it was cancelled", async () => {
    fakePasskeys({ get: browserSays("NotAllowedError") });
    const { screen, sent } = await withPasskey(["passkey"]);
    await screen.getByRole("button", { name: "Use a passkey" }).click();
    await expect.element(screen.getByText(/^You are not signed in: it was cancelled/)).toBeVisible();
    expect(sent(/passkey$/)).toEqual([]);
  });

  it("leads back to the beginning when it took too long", async () => {
    const { screen } = await withPasskey(["passkey"], { [OPTIONS]: refuse("SECOND_FACTOR_EXPIRED") });
    await screen.getByRole("button", { name: "Use a passkey" }).click();
    await expect.element(screen.getByRole("heading", { name: "This took too long" })).toBeVisible();
  });
});

describe("the setup that an organization requires", () => {
  it("shows the key, takes a code of the app, and begins the session when the codes were kept", async () => {
    const { screen, sent, onSignedIn } = await open(undefined);
    await expect.element(screen.getByRole("img", { name: /^QR code/ })).toBeVisible();
    await expect.element(screen.getByText("GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")).toBeVisible();
    await expect.element(screen.getByText(/requires a second factor/)).toHaveFocus();
    await screen.getByLabelText("Code that the app shows").fill("123456");
    await screen.getByRole("button", { name: "Turn on" }).click();
    await expect.element(screen.getByRole("listitem").nth(9)).toHaveTextContent("abcd-efgh-ijkl-mnoj");
    expect(sent(/totp$/)).toMatchObject([{ setup_ticket: "s1", code: "123456" }]);
    expect(onSignedIn).not.toHaveBeenCalled();
    expect(nameless()).toEqual([]);
    expect(document.activeElement?.textContent).toContain("abcd-efgh-ijkl-mnoj");
    onSignedIn.mockReturnValue(new Promise(() => undefined));
    await screen.getByRole("button", { name: "Continue" }).dblClick();
    expect(onSignedIn).toHaveBeenCalledOnce();
  });

  describe("with a passkey", () => {
    const PASSKEY = `${CONFIRM}/passkey`;
    const options = {
      challenge: "AQID",
      rp: { id: "localhost", name: "Terrarium" },
      user: { id: "AQID", name: "robin@example.com", displayName: "Robin" },
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      attestation: "none",
    };
    const openIt = (answers: Parameters<typeof open>[1] = {}, at = location.origin) =>
      open(undefined, {
        "GET /v1/settings": () => someSettings({ passkeys_at: at }),
        [`${PASSKEY}/begin`]: () => options,
        [`${PASSKEY}/add`]: () => ({ ...session, recovery_codes: codes }),
        ...answers,
      });

    it("begins the session as well, when the codes were kept", async () => {
      fakePasskeys({ create: aMadePasskey });
      const { screen, sent, onSignedIn } = await openIt();
      await screen.getByRole("button", { name: "Use a passkey instead" }).click();
      await expect.element(screen.getByRole("listitem").nth(9)).toHaveTextContent("abcd-efgh-ijkl-mnoj");
      expect(sent(/begin$/)).toContainEqual({ ticket: "t1" });
      expect(sent(/add$/)).toMatchObject([{ ticket: "t1", credential: { id: "AQID" } }]);
      await screen.getByRole("button", { name: "Continue" }).click();
      await vi.waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
    });

    it("says why not, and leaves the app", async () => {
      fakePasskeys({ create: browserSays("NotAllowedError") });
      const { screen } = await openIt();
      await screen.getByRole("button", { name: "Use a passkey instead" }).click();
      await expect.element(screen.getByText("Nothing was added: it was cancelled, or took too long.")).toBeVisible();
      await expect.element(screen.getByLabelText("Code that the app shows")).toBeVisible();
      await expect.element(screen.getByRole("button", { name: "Use a passkey instead" })).toBeVisible();
    });

    it("is not offered where none can be used", async () => {
      const { screen } = await openIt({}, "https://devices.example");
      await expect.element(screen.getByLabelText("Code that the app shows")).toBeVisible();
      await expect.element(screen.getByRole("button", { name: "Use a passkey instead" })).not.toBeInTheDocument();
    });
  });

  it("can be tried again when no key could be made", async () => {
    let tries = 0;
    const { screen } = await open(undefined, {
      [BEGIN]: () => (tries++ === 0 ? refuse("INTERNAL_ERROR")() : setup),
    });
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(screen.getByRole("img", { name: /^QR code/ })).toBeVisible();
  });

  it("leads back to the beginning when it took too long", async () => {
    const { screen } = await open(undefined, { [BEGIN]: refuse("SECOND_FACTOR_EXPIRED") });
    await expect.element(screen.getByRole("heading", { name: "This took too long" })).toBeVisible();
  });
});
