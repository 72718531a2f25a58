import type { SignInSession } from "@terrarium/contract";
import { beforeEach, describe, expect, it } from "vitest";
import { page as browserPage } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anId } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { SignedInPlaces } from "./SignedInPlaces.tsx";

const since = "2026-03-05T14:00:00.000Z";
const aPlace = (fields: Partial<SignInSession> = {}): SignInSession => ({
  uuid: anId(),
  is_current: false,
  device: "Firefox on Windows",
  address: "192.0.2.7",
  created_at: since,
  last_used_at: new Date(Date.now() - 120_000).toISOString(),
  ...fields,
});
const here = () => aPlace({ is_current: true, device: "Chrome on Linux", address: "198.51.100.4" });

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await browserPage.viewport(1440, 900);
});

/** A service that has these places, until they are ended. */
async function open(places: SignInSession[], answers: Parameters<typeof fakeService>[0] = {}) {
  let left = places;
  const service = fakeService({
    "GET /v1/sessions": () => ({ sessions: left }),
    "DELETE /v1/sessions/:uuid": ({ path }) => {
      left = left.filter(({ uuid }) => !path.endsWith(uuid));
      return new Response(null, { status: 204 });
    },
    "DELETE /v1/sessions": () => {
      left = left.filter(({ is_current }) => is_current);
      return new Response(null, { status: 204 });
    },
    ...answers,
  });
  const screen = await render(
    <InTestApp>
      <SignedInPlaces />
      <Snacks />
    </InTestApp>,
  );
  return { screen, service };
}

describe("the places where one is signed in", () => {
  it("are told apart, and this one cannot be signed out here", async () => {
    const { screen } = await open([here(), aPlace(), aPlace({ device: "", address: null, last_used_at: null })]);
    const rows = screen.getByRole("list", { name: "Places where you are signed in" }).getByRole("listitem");
    await expect.element(rows.nth(2)).toBeVisible();
    expect(rows.elements().map(({ textContent }) => textContent)).toEqual([
      "Chrome on LinuxThis browser198.51.100.4 · used 2 minutes ago · signed in on March 5, 2026",
      "Firefox on Windows192.0.2.7 · used 2 minutes ago · signed in on March 5, 2026Sign out",
      expect.stringMatching(/^Unknown programAddress unknown · used/),
    ]);
    expect(rows.nth(0).getByRole("button").elements()).toEqual([]);
    expect(nameless()).toEqual([]);
  });

  it("are signed out one by one", async () => {
    const { screen, service } = await open([here(), aPlace(), aPlace({ device: "curl" })]);
    await screen.getByRole("button", { name: "Sign out curl, 192.0.2.7" }).click();
    await expect.element(screen.getByText("curl", { exact: true })).not.toBeInTheDocument();
    await expect.element(screen.getByText("Firefox on Windows")).toBeVisible();
    expect(service.to("DELETE", /sessions\/.+/)).toHaveLength(1);
    await expect.element(screen.getByRole("list", { name: "Places where you are signed in" })).toHaveFocus();
  });

  it("are signed out all but this one, when asked twice", async () => {
    const { screen, service } = await open([here(), aPlace(), aPlace()]);
    await screen.getByRole("button", { name: "Sign out everywhere else" }).click();
    const dialog = screen.getByRole("dialog", { name: "Sign out of 2 other places?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(service.to("DELETE", /sessions/)).toEqual([]);
    await screen.getByRole("button", { name: "Sign out everywhere else" }).click();
    await dialog.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect.element(screen.getByText("Firefox on Windows")).not.toBeInTheDocument();
    await expect.element(screen.getByRole("button", { name: /Sign out/ })).not.toBeInTheDocument();
    await expect.element(screen.getByRole("list", { name: "Places where you are signed in" })).toHaveFocus();
  });

  it("say that one was not signed out, but not when it was gone already", async () => {
    const fox = aPlace();
    let code: "INTERNAL_ERROR" | "SESSION_NOT_FOUND" = "INTERNAL_ERROR";
    const { screen } = await open([here(), fox], { "DELETE /v1/sessions/:uuid": () => refuse(code)() });
    const signOut = screen.getByRole("button", { name: /^Sign out Firefox/ });
    await signOut.click();
    const refusal = screen.getByText("Firefox on Windows was not signed out. Try again in a moment.");
    await expect.element(refusal).toBeVisible();
    code = "SESSION_NOT_FOUND";
    await signOut.click();
    await expect.element(refusal).not.toBeInTheDocument();
  });

  it("can be asked for again when they did not load", async () => {
    let isThere = false;
    const { screen } = await open([], {
      "GET /v1/sessions": () => (isThere ? { sessions: [here()] } : refuse("FORBIDDEN")()),
    });
    await expect.element(screen.getByRole("heading", { name: "Your sessions did not load" })).toBeVisible();
    isThere = true;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(screen.getByText("This browser")).toBeVisible();
  });

  it("are five at first, this one among them, and all when one asks for them", async () => {
    const places = [...Array.from({ length: 7 }, (_, index) => aPlace({ device: `curl ${index}` })), here()];
    const { screen } = await open(places);
    const list = screen.getByRole("list", { name: "Places where you are signed in" });
    await expect.element(list).toBeVisible();
    expect(list.getByText(/^curl/).elements()).toHaveLength(5);
    await expect.element(list.getByText("This browser")).toBeVisible();
    await screen.getByRole("button", { name: "Show 2 more" }).click();
    await expect.element(list).toHaveFocus();
    expect(list.getByText(/^curl/).elements()).toHaveLength(7);
    await expect.element(screen.getByRole("button", { name: /^Show/ })).not.toBeInTheDocument();
  });

  it("fit a phone with a long name and address", async () => {
    await browserPage.viewport(390, 844);
    const device = "a-program-with-a-name-that-somebody-let-grow";
    const address = "2001:0db8:1234:5678:9abc:def0:1234:5678";
    const { screen } = await open([here(), aPlace({ device, address })]);
    await expect.element(screen.getByText(device)).toBeVisible();
    expect(document.documentElement.scrollWidth).toBe(390);
  });
});
