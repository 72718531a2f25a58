import { limits } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { guard, onTheWay, redirectOf, type Visitor, withRedirect } from "./guards.ts";
import { type RouteRules, routeRules } from "./routes.ts";

const manager: Visitor = { role: "manager", hasAcceptedTerms: true };
const user: Visitor = { role: "user", hasAcceptedTerms: true };
const guest: Visitor = { role: "guest", hasAcceptedTerms: true };
const newcomer: Visitor = { role: "manager", hasAcceptedTerms: false };

const users: RouteRules = { path: "/administration/users", managerOnly: true };
const images: RouteRules = { path: "/images", notForGuests: true };

describe("guard", () => {
  it.each<[string, RouteRules, Visitor | undefined, string | undefined]>([
    ["a route that is switched off goes home", { ...users, isDisabled: true }, manager, "/"],
    ["groups are switched on, and a manager's", routeRules.groups, manager, undefined],
    ["and does so before anything else", { ...users, isDisabled: true }, undefined, "/"],
    ["home leads signed-in people to the launchpad", routeRules.home, user, "/launchpad"],
    ["so does its alias", routeRules.homeAlias, user, "/launchpad"],
    ["and sign-in", routeRules.signIn, guest, "/launchpad"],
    ["even before they accepted the terms", routeRules.signIn, newcomer, "/launchpad"],
    ["but not a mailed link to set a password", routeRules.newPassword, newcomer, undefined],
    [
      "asking for such a link does, as there is a button for it in the profile",
      routeRules.forgotPassword,
      user,
      "/launchpad",
    ],
    [
      "the launchpad asks for the terms",
      routeRules.launchpad,
      newcomer,
      "/terms-and-conditions/?redirect=%2Fhere%3Fx%3D1",
    ],
    [
      "a manager's page asks for the terms before it asks for the manager",
      users,
      { role: "user", hasAcceptedTerms: false },
      "/terms-and-conditions/?redirect=%2Fhere%3Fx%3D1",
    ],
    ["the terms' own page does not", routeRules.terms, newcomer, undefined],
    ["nor do the legal texts", routeRules.legalTerms, newcomer, undefined],
    ["nor does the error page", routeRules.oops, newcomer, undefined],
    ["a manager's page sends a user home", users, user, "/"],
    ["and lets a manager in", users, manager, undefined],
    ["a page that is not for guests sends one home", images, guest, "/"],
    ["and lets a user in", images, user, undefined],
    ["a visitor is asked to sign in", routeRules.launchpad, undefined, "/signin?redirect=%2Fhere%3Fx%3D1"],
    ["also for a manager's page, so that links in mails work", users, undefined, "/signin?redirect=%2Fhere%3Fx%3D1"],
    ["but not for home", routeRules.home, undefined, undefined],
    ["nor for a forgotten password", routeRules.forgotPassword, undefined, undefined],
    ["nor for a mailed link", routeRules.newPassword, undefined, undefined],
    ["nor for the error page", routeRules.oops, undefined, undefined],
    ["nor for the legal texts", routeRules.legalPrivacy, undefined, undefined],
    ["everyone who is signed in sees the launchpad", routeRules.launchpad, guest, undefined],
  ])("%s", (_, route, visitor, to) => {
    expect(guard(route, visitor, "/here?x=1")).toBe(to);
  });

  it("leads who is signed in past sign-in to where they were going, if that is a page of ours", () => {
    const led = (to: string) => guard(routeRules.signIn, user, `/signin?redirect=${to}`);
    const to = ["%2Fprofile", "%2F%2Fevil.example", "/a?b=1#c"];
    expect(to.map(led)).toEqual(["/profile", "/launchpad", "/a?b=1"]);
  });
});

describe("redirectOf", () => {
  it.each([
    ["?redirect=/profile", "/profile"],
    ["?redirect=%2Finstance%2F1%3Fa%3Db%23c", "/instance/1?a=b#c"],
    ["", "/launchpad"],
    ["?redirect=https://evil.example", "/launchpad"],
    ["?redirect=//evil.example", "/launchpad"],
    ["?redirect=/\\evil.example", "/launchpad"],
    ["?redirect=/.//evil.example/x", "/launchpad"],
    ["?redirect=javascript:alert(1)", "/launchpad"],
    ["?redirect=%6aavascript:alert(1)", "/launchpad"],
    ["?redirect=%2F%2Fevil.example", "/launchpad"],
    ["?redirect=%2F%5Cevil.example", "/launchpad"],
    ["?redirect=%5C%5Cevil.example", "/launchpad"],
    ["?redirect=/%09/evil.example", "/launchpad"],
    ["?redirect=/%0A/evil.example", "/launchpad"],
    ["?redirect=%00/profile", "/launchpad"],
    ["?redirect=%20//evil.example", "/launchpad"],
    ["?redirect=/%252F%252Fevil.example", "/%2F%2Fevil.example"],
    [`?redirect=/${"a".repeat(limits.routeLength)}`, "/launchpad"],
  ])("takes %j to %j", (search, to) => {
    expect(redirectOf(search)).toBe(to);
    expect(onTheWay("/signin", search)).toBe(to === "/launchpad" ? "/signin" : withRedirect("/signin", to));
  });
});
