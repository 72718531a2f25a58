import { limits, type Passkey } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { queryClient } from "../../session/client.ts";
import { MeContext } from "../../session/user.ts";
import { anId, manager, someSettings } from "../../testing/factories.ts";
import { aMadePasskey, browserSays, fakePasskeys, nobodyChooses } from "../../testing/fake-passkeys.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { Passkeys } from "./Passkeys.tsx";

const aPasskey = (fields: Partial<Passkey> = {}): Passkey => ({
  uuid: anId(),
  name: "Firefox on Windows",
  created_at: "2026-03-01T09:00:00.000Z",
  last_used_at: null,
  is_synced: false,
  works_here: true,
  ...fields,
});

const options = {
  challenge: "AQID",
  rp: { id: "localhost", name: "Terrarium" },
  user: { id: "AQID", name: "mara@northwind.example", displayName: "Mara" },
  pubKeyCredParams: [{ type: "public-key", alg: -7 }],
  timeout: 300_000,
  excludeCredentials: [{ id: "AQID", type: "public-key", transports: ["internal"] }],
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  attestation: "none",
};

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await page.viewport(1440, 900);
});

const codes = ["abcd-efgh-ijkl-mnop", "bcde-fghi-jklm-nopq"];

async function open(passkeys: Passkey[] = [], answers: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({
    "GET /v1/settings": () => someSettings({ passkeys_at: location.origin }),
    "GET /v1/users/:uuid/passkeys": () => ({ passkeys, suggested_name: "Chrome on Linux" }),
    "GET /v1/users/:uuid/identities": () => ({ identities: [], has_password: true }),
    "POST /v1/users/:uuid/passkeys/options": () => options,
    "POST /v1/users/:uuid/passkeys": ({ body }) => {
      passkeys.push(aPasskey({ name: (body as Passkey).name }));
      // With the first.
      return { ...passkeys.at(-1), recovery_codes: passkeys.length === 1 ? codes : [] };
    },
    "PATCH /v1/users/:uuid/passkeys/:uuid": ({ body }) => {
      passkeys[0] = aPasskey({ ...passkeys[0], ...(body as object) });
      return passkeys[0];
    },
    "DELETE /v1/users/:uuid/passkeys/:uuid": () => {
      passkeys.shift();
      return new Response(null, { status: 204 });
    },
    ...answers,
  });
  const screen = await render(
    <InTestApp client={queryClient}>
      <MeContext.Provider value={manager}>
        <Passkeys />
      </MeContext.Provider>
      <Snacks />
    </InTestApp>,
  );
  const add = async () => {
    await screen.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = screen.getByRole("dialog");
    await dialog.getByLabelText("Your password").fill("correct horse 1");
    await userEvent.keyboard("{Enter}");
    return dialog;
  };
  return { screen, service, add };
}

const rowsOf = (screen: Awaited<ReturnType<typeof open>>["screen"]) =>
  screen
    .getByRole("listitem")
    .elements()
    .map(({ textContent }) => textContent);

beforeEach(() => queryClient.clear());

describe("the list of passkeys", () => {
  it("says of each where it is, since when, and when it was used", async () => {
    const { screen } = await open([
      aPasskey(),
      aPasskey({ name: "Phone", is_synced: true, last_used_at: new Date().toISOString() }),
      aPasskey({ name: "Old", works_here: false }),
    ]);
    await expect
      .poll(() => rowsOf(screen))
      .toEqual([
        expect.stringMatching(/^Firefox on WindowsOn one device.*Not used yet · added on/),
        expect.stringMatching(/^PhoneSynced.*Used .* · added on/),
        expect.stringMatching(/^OldFor a former address/),
      ]);
    expect(nameless()).toEqual([]);
  });

  it("says that there is none, and offers to add one", async () => {
    const { screen } = await open();
    await expect.element(screen.getByText("You have no passkey yet.")).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Add a passkey" })).toBeVisible();
  });

  it("can be asked for again when it did not load", async () => {
    let isDown = true;
    const { screen } = await open([], {
      "GET /v1/users/:uuid/passkeys": () =>
        isDown ? refuse("FORBIDDEN")() : { passkeys: [aPasskey()], suggested_name: "" },
    });
    await expect.element(screen.getByText("Your passkeys did not load")).toBeVisible();
    isDown = false;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(screen.getByText("Firefox on Windows")).toBeVisible();
  });

  it("says so when there are as many as one account can have", async () => {
    const { screen } = await open(Array.from({ length: limits.passkeys }, () => aPasskey()));
    await expect.element(screen.getByText(/^You have 20 passkeys, which is the most/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Add a passkey" }).elements()).toEqual([]);
  });

  it("shows a long name on a phone without widening the page", async () => {
    await page.viewport(390, 844);
    const { screen } = await open([aPasskey({ name: "x".repeat(250) })]);
    await expect.element(screen.getByRole("button", { name: /^Rename x/ })).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

describe("where passkeys cannot be used", () => {
  it.each([
    ["no address for them", null, /^Passkeys need an address with a host name and https.*TERRARIUM_PUBLIC_URL/],
    ["another address", "https://devices.example", /^Passkeys work at https:\/\/devices\.example only/],
  ])("because the service has %s, the section says why, and offers none", async (_, passkeys_at, sentence) => {
    const { screen } = await open([], { "GET /v1/settings": () => someSettings({ passkeys_at }) });
    await expect.element(screen.getByText(sentence)).toBeVisible();
    expect(screen.getByRole("button", { name: "Add a passkey" }).elements()).toEqual([]);
  });

  it.each([
    ["the page is not secure", () => vi.stubGlobal("isSecureContext", false), /secure pages \(https\) only/],
    [
      "the browser has none",
      () => {
        const own = Object.getOwnPropertyDescriptor(globalThis, "PublicKeyCredential")!;
        Reflect.deleteProperty(globalThis, "PublicKeyCredential");
        return () => Object.defineProperty(globalThis, "PublicKeyCredential", own);
      },
      /^This browser has no passkeys\.$/,
    ],
  ])("because %s, the section says why", async (_, break_, sentence) => {
    const mend = break_();
    try {
      const { screen } = await open();
      await expect.element(screen.getByText(sentence)).toBeVisible();
      expect(screen.getByRole("button", { name: "Add a passkey" }).elements()).toEqual([]);
    } finally {
      vi.unstubAllGlobals();
      if (typeof mend === "function") mend();
    }
  });
});

describe("adding a passkey", () => {
  it("asks for the password, suggests a name, and has the browser make one", async () => {
    const { asked } = fakePasskeys({ create: aMadePasskey });
    const { screen, service, add } = await open();
    await add();
    await expect
      .element(screen.getByText("“Chrome on Linux” was added. You can sign in with it from now on."))
      .toBeVisible();
    const dialog = screen.getByRole("dialog", { name: "Keep your recovery codes" });
    await expect.element(dialog.getByRole("list", { name: "Recovery codes" })).toHaveTextContent(codes.join(""));
    expect(nameless()).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect.poll(() => rowsOf(screen)).toEqual([expect.stringMatching(/^Chrome on Linux/)]);
    expect(screen.getByRole("dialog").elements()).toEqual([]);
    expect(asked).toMatchObject([{ rp: { id: "localhost" }, excludeCredentials: [{ type: "public-key" }] }]);
    const sent = service.calls.filter(({ method }) => method === "POST").map(({ body }) => body);
    expect(sent).toMatchObject([
      { password: "correct horse 1" },
      { name: "Chrome on Linux", credential: { id: "AQID", response: { transports: ["internal"] } } },
    ]);
  });

  it("says before that the password alone will no longer do; the next comes with no recovery codes", async () => {
    fakePasskeys({ create: aMadePasskey });
    const { screen, add } = await open([aPasskey()]);
    await screen.getByRole("button", { name: "Add a passkey" }).click();
    await expect.element(screen.getByRole("dialog").getByText(/It is a second factor too: from then on/)).toBeVisible();
    await screen.getByRole("button", { name: "Cancel" }).click();
    await add();
    await expect.element(screen.getByText(/was added/)).toBeVisible();
    await expect.poll(() => screen.getByRole("dialog").elements()).toEqual([]);
  });

  it("asks for no password where the account has none, but may ask to sign in again", async () => {
    fakePasskeys({ create: aMadePasskey });
    const { screen, service } = await open([], {
      "GET /v1/users/:uuid/identities": () => ({ identities: [], has_password: false }),
      "POST /v1/users/:uuid/passkeys/options": refuse("SIGN_IN_AGAIN"),
    });
    await screen.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = screen.getByRole("dialog");
    await expect.element(dialog.getByLabelText("Your password")).not.toBeInTheDocument();
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect.element(dialog.getByText(/^Sign out and sign in again/)).toBeVisible();
    expect(service.to("POST", /options/).map(({ body }) => body)).toEqual([{}]);
  });

  it("begins at the name, which must be one that can be seen", async () => {
    const { screen, service } = await open();
    await screen.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = screen.getByRole("dialog");
    await expect.element(dialog.getByLabelText("Name")).toHaveFocus();
    await dialog.getByLabelText("Name").fill("\u200b");
    await dialog.getByLabelText("Your password").fill("correct horse 1");
    await userEvent.keyboard("{Enter}");
    await expect.element(dialog.getByText("Use characters that can be seen")).toBeVisible();
    expect(service.to("POST", /passkeys/)).toEqual([]);
  });

  it("ends what the browser asks when it is cancelled", async () => {
    let wasEnded = false;
    const { asked } = fakePasskeys({
      create: ({ signal }) =>
        nobodyChooses({ ...(signal && { signal }) }).catch((error: unknown) => {
          wasEnded = true;
          throw error;
        }),
    });
    const { add, service } = await open();
    const dialog = await add();
    await expect.poll(() => asked.length).toBe(1);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => wasEnded).toBe(true);
    expect(service.to("POST", /passkeys$/)).toEqual([]);
  });

  it("does not begin to ask when it was cancelled before, nor closes what was opened since", async () => {
    const answer = Promise.withResolvers<object>();
    const { asked } = fakePasskeys({ create: aMadePasskey });
    const { screen, add, service } = await open([aPasskey()], {
      "POST /v1/users/:uuid/passkeys/options": () => answer.promise,
    });
    const dialog = await add();
    await expect.poll(() => service.to("POST", /options/).length).toBe(1);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await screen.getByRole("button", { name: "Rename Firefox on Windows" }).click();
    answer.resolve(options);
    await screen.getByRole("dialog").getByLabelText("Name").fill("My key");
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => rowsOf(screen)).toEqual([expect.stringMatching(/^My key/)]);
    expect(asked).toEqual([]);
  });

  it("asks the browser for nothing without the right password", async () => {
    const { asked } = fakePasskeys({});
    const { add } = await open([], { "POST /v1/users/:uuid/passkeys/options": refuse("WRONG_PASSWORD") });
    const dialog = await add();
    await expect.element(dialog.getByText("This is not your password.")).toBeVisible();
    expect(asked).toEqual([]);
  });

  it.each([
    ["NotAllowedError", /^Nothing was added: it was cancelled/],
    ["InvalidStateError", /^Your account has a passkey there already/],
    ["ConstraintError", /^No device or key here can keep a passkey/],
    ["NotSupportedError", /^No device or key here can keep a passkey/],
    ["UnknownError", /^The passkey was not added/],
  ])("says in plain words what the browser calls %s, and can be tried again", async (name, sentence) => {
    let create = browserSays(name);
    fakePasskeys({ create: () => create() });
    const { screen, service, add } = await open();
    const dialog = await add();
    await expect.element(dialog.getByText(sentence)).toBeVisible();
    expect(service.to("POST", /passkeys$/)).toEqual([]);
    create = async () => aMadePasskey() as never;
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect.element(screen.getByText(/was added/)).toBeVisible();
  });

  it.each([
    ["PASSKEY_EXISTS", /^Your account has a passkey there already/],
    ["PASSKEY_REFUSED", /^The passkey could not be verified/],
    ["TOO_MANY_PASSKEYS", /^You have as many passkeys/],
    ["INTERNAL_ERROR", /^The passkey was not added/],
  ] as const)("says in place that the service answers %s", async (code, sentence) => {
    fakePasskeys({ create: aMadePasskey });
    const { add } = await open([], { "POST /v1/users/:uuid/passkeys": refuse(code) });
    const dialog = await add();
    await expect.element(dialog.getByText(sentence)).toBeVisible();
  });
});

describe("a passkey", () => {
  it("gets another name", async () => {
    const { screen, service } = await open([aPasskey()]);
    await screen.getByRole("button", { name: "Rename Firefox on Windows" }).click();
    const dialog = screen.getByRole("dialog");
    await expect.element(dialog.getByLabelText("Name")).toHaveFocus();
    await dialog.getByLabelText("Name").fill(" My key ");
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => rowsOf(screen)).toEqual([expect.stringMatching(/^My key/)]);
    expect(service.to("PATCH", /passkeys/).map(({ body }) => body)).toEqual([{ name: "My key" }]);
  });

  it("is removed with the password", async () => {
    const { screen, service } = await open([aPasskey()]);
    await screen.getByRole("button", { name: "Remove Firefox on Windows" }).click();
    const dialog = screen.getByRole("dialog", { name: "Remove “Firefox on Windows”?" });
    await expect.element(dialog.getByRole("button", { name: "Cancel" })).toHaveFocus();
    await dialog.getByLabelText("Your password").fill("correct horse 1");
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expect.element(screen.getByText("You have no passkey yet.")).toBeVisible();
    expect(document.activeElement?.textContent).toContain("You have no passkey yet.");
    expect(document.activeElement).not.toBe(document.body);
    expect(service.to("DELETE", /passkeys/).map(({ body }) => body)).toEqual([{ password: "correct horse 1" }]);
  });

  it.each([
    ["WRONG_PASSWORD", "This is not your password."],
    ["TOO_MANY_REQUESTS", "Too many tries. Wait an hour, then try again."],
    ["LAST_SECOND_FACTOR", "Your organization requires a second factor, and this is your last one."],
    ["INTERNAL_ERROR", "It was not removed. Try again in a moment."],
  ] as const)("stays when the service says %s", async (code, sentence) => {
    const { screen } = await open([aPasskey()], { "DELETE /v1/users/:uuid/passkeys/:uuid": refuse(code) });
    await screen.getByRole("button", { name: "Remove Firefox on Windows" }).click();
    const dialog = screen.getByRole("dialog");
    await dialog.getByLabelText("Your password").fill("correct horse 1");
    await userEvent.keyboard("{Enter}");
    await expect.element(dialog.getByText(sentence)).toBeVisible();
  });
});
