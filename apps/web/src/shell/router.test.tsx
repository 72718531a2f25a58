import { matchRoutes } from "react-router";
import { render } from "vitest-browser-react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aUser, someSettings } from "../testing/factories.ts";
import { aPage, fakeService, refuse } from "../testing/fake-service.ts";
import { App } from "./App.tsx";
import { queryClient, session } from "../session/client.ts";
import { type RouteRules, routeRules } from "../session/routes.ts";
import { unopenedInvitation } from "../session/unopened-invitation.ts";
import { enterHome } from "./enter-home.ts";
import "../en/sentences.ts";
import { pages, router } from "./router.tsx";

vi.mock("./enter-home.ts", { spy: true });

const tokenUntil = (exp: number) => `x.${btoa(JSON.stringify({ exp }))}.y`;
const token = tokenUntil(4_000_000_000);
const here = () => router.state.location.pathname + router.state.location.search;

const open = async (address: string) => {
  fakeService({
    "GET /v1/settings": () => someSettings(),
    // One that was refused would end the session meanwhile.
    "GET /v2/instances": () => aPage([]),
    "POST /v1/users/login": refuse("BAD_USERNAME_PASSWORD"),
  });
  await router.navigate(address);
  return render(<App />);
};

beforeEach(() => {
  session.close();
  vi.mocked(enterHome).mockClear();
});
afterEach(async () => {
  session.close();
  await router.navigate("/oops");
});

describe("the router", () => {
  it.each([
    ["/does-not-exist", "/"],
    ["/signup", "/"],
    ["/signup?email=x%40fern.test", "/?email=x%40fern.test"],
    ["/signup-confirm?key=k", "/signup-confirm?key=k"],
    ["/__components", "/"],
    ["/__directives", "/"],
    ["/legal/privacy-policy/", "/legal/privacy-policy/"],
    ["/terms-and-conditions/", "/signin?redirect=%2Fterms-and-conditions%2F"],
    ["/profile", "/signin?redirect=%2Fprofile"],
    ["/administration/users/", "/signin?redirect=%2Fadministration%2Fusers%2F"],
    ["/launchpad?a=b", "/signin?redirect=%2Flaunchpad%3Fa%3Db"],
    [
      "/instance/7f3a91c2-8a55-4c39-9d6e-0d7a1c1f2b3a",
      "/signin?redirect=%2Finstance%2F7f3a91c2-8a55-4c39-9d6e-0d7a1c1f2b3a",
    ],
  ])("leads a visitor from %s to %s", async (address, to) => {
    await open(address);
    expect(here()).toBe(to);
  });

  it("has a page for every screen", () => {
    const unserved = Object.values<RouteRules>(routeRules).filter(({ path }) => {
      const matches = matchRoutes(router.routes, path.replace(/:\w+/, "1"));
      return matches?.at(-1)?.route.path !== path;
    });
    expect(unserved).toEqual([]);
    const named = Object.values<RouteRules>(routeRules).flatMap(({ page }) => (page ? [`./${page}.tsx`] : []));
    expect(named.filter((page) => !(page in pages))).toEqual([]);
    // The other one leads elsewhere.
    const blank = Object.entries<RouteRules>(routeRules).filter(([, { path }]) => {
      const route = matchRoutes(router.routes, path.replace(/:\w+/, "1"))?.at(-1)?.route;
      return !(route?.lazy ?? route?.Component ?? route?.element);
    });
    expect(blank.map(([name]) => name)).toEqual(["administration"]);
  });

  it("keeps what follows the # of a link that was just opened", async () => {
    history.replaceState(null, "", "/recipes#official");
    await open("/recipes#official");
    expect(here()).toBe("/signin?redirect=%2Frecipes%23official");
  });

  it("keeps an address that the terms stand before, and leads there after them", async () => {
    session.open({ token, user: aUser({ tnc_accepted: false }) });
    await open("/device/7f3a91c2");
    expect(here()).toBe("/terms-and-conditions/?redirect=%2Fdevice%2F7f3a91c2");
    session.update(aUser());
    await router.navigate("/device/7f3a91c2");
    expect(here()).toBe("/device/7f3a91c2");
  });

  it("keeps the whole address of an invitation that it does not open", async () => {
    session.open({ token, user: aUser() });
    await router.navigate("/join/i1?redirect=%2Frecipes");
    expect([here(), unopenedInvitation.current()]).toEqual(["/launchpad", "/join/i1?redirect=%2Frecipes"]);
    unopenedInvitation.note(undefined);
  });

  it.each(["/", "/index.html", "/does-not-exist"])("runs what home starts with once, for %s", async (address) => {
    await open(address);
    expect(enterHome).toHaveBeenCalledTimes(1);
  });

  it("does not run it for other pages, nor for somebody who is led past home", async () => {
    await open("/signin");
    session.open({ token, user: aUser() });
    await open("/");
    expect(here()).toBe("/launchpad");
    expect(enterHome).not.toHaveBeenCalled();
  });

  it("removes at home what is left of a session that is over, and has fetched what sign-in shows", async () => {
    session.open({ token: tokenUntil(1), user: aUser() });
    const asked = vi.fn(() => someSettings());
    queryClient.clear();
    fakeService({ "GET /v1/settings": asked });
    await router.navigate("/");
    expect(localStorage.getItem("terrarium.session")).toBeNull();
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1));
  });

  it("gives each page its title, and the focus to its main part when one comes to it", async () => {
    const screen = await open("/");
    await vi.waitFor(() => expect(document.title).toBe("Android devices, live under glass · Terrarium"));
    await screen.getByRole("link", { name: "Sign in" }).first().click();
    await vi.waitFor(() => expect(document.title).toBe("Sign in · Terrarium"));
    // This page puts it into its first field by itself.
    await expect.element(screen.getByLabelText("Email")).toHaveFocus();
    await router.navigate("/legal/terms-and-conditions/");
    await expect.poll(() => document.activeElement?.tagName).toBe("MAIN");
  });

  it("leaves it to a page to say more of itself, also to the first one", async () => {
    await open("/docs/errors");
    await vi.waitFor(() => expect(document.title).toBe("API errors · Terrarium"));
    await router.navigate("/legal/terms-and-conditions/");
    await vi.waitFor(() => expect(document.title).not.toContain("API errors"));
    await router.navigate("/docs/errors");
    await vi.waitFor(() => expect(document.title).toBe("API errors · Terrarium"));
  });

  it("has a way past the navigation as the first stop of the Tab key", async () => {
    const screen = await open("/");
    screen
      .getByRole("link", { name: "Skip to content" })
      .element()
      .dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    await vi.waitFor(() => expect(document.activeElement?.tagName).toBe("MAIN"));
    expect(here()).toBe("/");
  });
});
