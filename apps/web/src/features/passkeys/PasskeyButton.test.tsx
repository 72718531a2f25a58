import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { aUser } from "../../testing/factories.ts";
import { aUsedPasskey, browserSays, fakePasskeys, nobodyChooses } from "../../testing/fake-passkeys.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import PasskeyButton from "./PasskeyButton.tsx";

const signedIn = { token: "token", user: aUser(), browser_token: "browser.1" };
const request = { challenge: "AQID", rpId: "localhost", timeout: 300_000, userVerification: "required" };

/** Where browsers offer passkeys among what they fill in. */
const fillable = { autoComplete: "username webauthn" };

beforeEach(() => {
  for (const { id } of readSnacks()) closeSnack(id);
});
afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
});

async function open(login: () => unknown = () => signedIn) {
  const opened: unknown[] = [];
  const service = fakeService({ "POST /v1/passkeys/options": () => request, "POST /v1/passkeys/login": login });
  const screen = await render(
    <InTestApp>
      <input aria-label="Email" {...fillable} />
      <PasskeyButton onSignedIn={async (session) => void opened.push(session)} />
      <Snacks />
    </InTestApp>,
  );
  const press = () => screen.getByRole("button", { name: "Sign in with a passkey" }).click();
  return { screen, service, opened, press };
}

describe("signing in with a passkey", () => {
  it("takes one press, and says which browser it is", async () => {
    localStorage.setItem("terrarium.browser", "browser.0");
    fakePasskeys({ get: aUsedPasskey });
    const { service, opened, press } = await open();
    await press();
    await expect.poll(() => opened).toEqual([signedIn]);
    expect(service.to("POST", /login/).map(({ body }) => body)).toMatchObject([
      { credential: { id: "AQID", type: "public-key" }, browser_token: "browser.0" },
    ]);
  });

  it("takes no press when one is chosen from what the browser fills in", async () => {
    fakePasskeys({ fill: aUsedPasskey });
    const { opened } = await open();
    await expect.poll(() => opened).toEqual([signedIn]);
  });

  it("ends what was offered while it is asked for, and offers it again afterwards", async () => {
    let offered = 0;
    fakePasskeys({
      get: browserSays("NotAllowedError"),
      fill: (options) => {
        offered++;
        return nobodyChooses(options);
      },
    });
    const { screen, press } = await open();
    await expect.poll(() => offered).toBe(1);
    await press();
    await expect.element(screen.getByText(/^You are not signed in: it was cancelled/)).toBeVisible();
    await expect.poll(() => offered).toBe(2);
  });

  it("asks the service anew before what is offered expires", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let offered = 0;
    fakePasskeys({
      fill: (options) => {
        offered++;
        return nobodyChooses(options);
      },
    });
    const { service } = await open();
    await vi.waitUntil(() => offered === 1);
    vi.advanceTimersByTime(240_000);
    vi.useRealTimers();
    await expect.poll(() => offered).toBe(2);
    expect(service.to("POST", /options/)).toHaveLength(2);
  });

  it.each([
    ["PASSKEY_REFUSED", /^The passkey could not be verified/],
    ["USER_NOT_ENABLED", /^This account is not enabled/],
    ["TOO_MANY_REQUESTS", /^Too many tries/],
    ["INTERNAL_ERROR", /^You are not signed in\. Try again/],
  ] as const)("says why when the service answers %s, until it is tried again", async (code, sentence) => {
    fakePasskeys({ get: aUsedPasskey });
    let login: () => unknown = refuse(code);
    const { screen, opened, press } = await open(() => login());
    await press();
    await expect.element(screen.getByText(sentence)).toBeVisible();
    login = () => signedIn;
    await press();
    await expect.poll(() => opened).toEqual([signedIn]);
    await expect.element(screen.getByText(sentence)).not.toBeInTheDocument();
  });

  it("tells the browser to forget a passkey that was removed", async () => {
    fakePasskeys({ get: aUsedPasskey });
    const forgotten: unknown[] = [];
    const own = Reflect.get(PublicKeyCredential, "signalUnknownCredential");
    Reflect.set(PublicKeyCredential, "signalUnknownCredential", async (which: unknown) => void forgotten.push(which));
    const { screen, press } = await open(refuse("PASSKEY_UNKNOWN"));
    await press();
    await expect.element(screen.getByText(/^This passkey is not known here/)).toBeVisible();
    Reflect.set(PublicKeyCredential, "signalUnknownCredential", own);
    expect(forgotten).toEqual([{ rpId: "localhost", credentialId: "AQID" }]);
  });
});
