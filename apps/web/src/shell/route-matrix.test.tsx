import type { RouteObject } from "react-router";
import { render } from "vitest-browser-react";
import { afterEach, describe, expect, it } from "vitest";
import { aUser } from "../testing/factories.ts";
import { fakeService, refuse } from "../testing/fake-service.ts";
import { App } from "./App.tsx";
import { client, queryClient, session } from "../session/client.ts";
import "../testing/all-sentences.ts";
import { router } from "./router.tsx";

/** Where somebody ends up who opens an address. */
type Landing = (address: string) => string;
const stays: Landing = (address) => address;
const home: Landing = () => "/";
const launchpad: Landing = () => "/launchpad";
const console_: Landing = () => "/operator";
const signIn: Landing = (address) => `/signin?redirect=${encodeURIComponent(address)}`;
const terms: Landing = (address) => `/terms-and-conditions/?redirect=${encodeURIComponent(address)}`;
/** The launchpad, which asks for the terms. */
const termsOnTheWay: Landing = () => terms("/launchpad");

const led = { signedOut: signIn, beforeTerms: terms };
const past = {
  signedOut: stays,
  beforeTerms: termsOnTheWay,
  guest: launchpad,
  user: launchpad,
  manager: launchpad,
  operator: console_,
};
const kinds = {
  everyone: { signedOut: stays, beforeTerms: stays, guest: stays, user: stays, manager: stays, operator: stays },
  frontDoor: past,
  signedIn: { ...led, guest: stays, user: stays, manager: stays, operator: console_ },
  /** What belongs to the person, whoever it is. */
  own: { ...led, guest: stays, user: stays, manager: stays, operator: stays },
  members: { ...led, guest: launchpad, user: stays, manager: stays, operator: console_ },
  managers: { ...led, guest: launchpad, user: launchpad, manager: stays, operator: console_ },
  administration: {
    ...led,
    guest: launchpad,
    user: launchpad,
    manager: () => "/administration/dashboard",
    operator: console_,
  },
  formerPlans: {
    ...led,
    guest: launchpad,
    user: launchpad,
    manager: () => "/administration/billing",
    operator: console_,
  },
  operators: { ...led, guest: launchpad, user: launchpad, manager: launchpad, operator: stays },
  terms: { signedOut: signIn, beforeTerms: stays, guest: stays, user: stays, manager: stays, operator: stays },
  nothing: { ...past, signedOut: home },
} as const satisfies Record<string, Record<string, Landing>>;

/** What is expected of every route. A route of the router that is missing here fails the test. */
const expected: Record<string, keyof typeof kinds> = {
  "/": "frontDoor",
  "/index.html": "frontDoor",
  "/signin": "frontDoor",
  "/signup": "nothing",
  "/signup-confirm": "frontDoor",
  "/join/:token": "frontDoor",
  "/password-reset": "frontDoor",
  "/password-reset/new/:key": "everyone",
  "/signin/sso/oauth/:provider": "everyone",
  "/mailbox": "everyone",
  "/mailbox/:uuid": "everyone",
  "/replay/:key": "everyone",
  "/legal/terms-and-conditions": "everyone",
  "/legal/privacy-policy": "everyone",
  "/update/:id": "everyone",
  "/docs": "everyone",
  "/docs/:name": "everyone",
  "/status": "everyone",
  "/oops": "everyone",
  "/launchpad": "signedIn",
  "/launchpad/live-sessions": "signedIn",
  "/instance/:uuid": "signedIn",
  "/instance/:uuid/stop": "signedIn",
  "/instance/:uuid/save": "signedIn",
  "/recipes": "signedIn",
  "/start/:uuid": "signedIn",
  "/profile": "own",
  "/operator": "operators",
  "/operator/organizations": "operators",
  "/operator/organizations/:uuid": "operators",
  "/operator/billing": "operators",
  "/operator/organizations/:uuid/billing": "operators",
  "/operator/requests": "operators",
  "/operator/jobs": "operators",
  "/operator/gateways": "operators",
  "/operator/catalogue": "operators",
  "/hardware-profiles": "members",
  "/images": "members",
  "/captures": "members",
  "/api": "members",
  "/activate": "members",
  "/terms-and-conditions": "terms",
  "/devices/side-by-side": "signedIn",
  "/device/:uuid": "signedIn",
  "/live-session/:uuid": "signedIn",
  "/administration": "administration",
  "/administration/dashboard": "managers",
  "/administration/users": "managers",
  "/administration/groups": "managers",
  "/administration/billing": "managers",
  "/administration/settings": "managers",
  "/administration/invoices": "managers",
  "/administration/invoices/:uuid": "managers",
  "/administration/webhooks": "managers",
  "/administration/webhooks/:uuid": "managers",
  "/administration/audit": "managers",
  "/administration/*": "administration",
  "/administration/organization": "formerPlans",
  "*": "nothing",
};

const tokenUntil = (exp: number) => `x.${btoa(JSON.stringify({ exp }))}.y`;
const lasting = tokenUntil(4_000_000_000);
const nobody = { organization: null };
const member = { is_organization_manager: false };
const early = { tnc_accepted: false };
const signedIn = (fields = {}) => ({ token: lasting, user: aUser(fields) });

const visitors = {
  "somebody signed out": { group: "signedOut", session: undefined },
  "somebody whose token has expired": { group: "signedOut", session: { token: tokenUntil(1), user: aUser() } },
  "a guest who has not accepted the terms": { group: "beforeTerms", session: signedIn({ ...nobody, ...early }) },
  "a user who has not accepted the terms": { group: "beforeTerms", session: signedIn({ ...member, ...early }) },
  "a manager who has not accepted the terms": { group: "beforeTerms", session: signedIn(early) },
  "a guest": { group: "guest", session: signedIn({ ...nobody, ...member }) },
  "a manager of no organization": { group: "guest", session: signedIn(nobody) },
  "a user": { group: "user", session: signedIn(member) },
  "a manager": { group: "manager", session: signedIn() },
  "an operator": { group: "operator", session: signedIn({ ...nobody, ...member, is_operator: true }) },
} as const;

const pathsOf = (routes: readonly RouteObject[]): string[] =>
  routes.flatMap(({ path, children }) => (children ? pathsOf(children) : (path ?? [])));
const paths = pathsOf(router.routes);
const addressOf = (path: string) => path.replaceAll(/:\w+/g, "7f3a91c2").replace(/^\*/, "/").replace("*", "later");
const here = () => router.state.location.pathname + router.state.location.search;

/** What the pages ask before they are shown. Whoever is refused has a session that the service has ended. */
const service = (answer: () => unknown) => fakeService({ ".* .*": answer });

afterEach(async () => {
  session.close();
  queryClient.clear();
  await router.navigate("/oops");
});

describe(`${paths.length} routes and ${Object.keys(visitors).length} kinds of visitors, ${paths.length * Object.keys(visitors).length} cells`, () => {
  it("has an expectation for every route of the router", () => {
    expect(Object.keys(expected).toSorted()).toEqual(paths.toSorted());
  });

  it.each(Object.entries(visitors))("leads %s where the rules say", async (_, { group, session: held }) => {
    service(refuse("INTERNAL_ERROR"));
    const landed: Record<string, string> = {};
    for (const path of paths) {
      await router.navigate("/oops");
      session.close();
      if (held) session.open(held);
      await router.navigate(addressOf(path));
      expect([path, router.state.errors]).toEqual([path, null]);
      landed[path] = here();
    }
    expect(landed).toEqual(
      Object.fromEntries(paths.map((path) => [path, kinds[expected[path] ?? "nothing"][group](addressOf(path))])),
    );
  });

  it.each(paths.filter((path) => ["signedIn", "own", "members", "managers", "terms"].includes(expected[path] ?? "")))(
    "leads somebody who was disabled, or whose session was ended elsewhere, from %s to sign-in and back",
    async (path) => {
      service(refuse("NOT_AUTHENTICATED"));
      session.open(signedIn());
      await router.navigate(addressOf(path));
      expect(here()).toBe(addressOf(path));
      const { unmount } = await render(<App />);
      // Any call says so; a page that makes none by itself stays until its first.
      await client.users.acceptTerms().catch(() => undefined);
      await expect.poll(here).toBe(signIn(addressOf(path)));
      await unmount();
    },
  );
});
