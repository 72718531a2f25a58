import type { AppError, Route } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { type Actor, checkAccess, isManager, sessionOf } from "./actor.ts";

const user: Actor = {
  uuid: "robin",
  organization: "ferns",
  isManager: false,
  isOperator: false,
  hasAcceptedTerms: true,
  session: "session",
  credential: "session",
  scope: "admin",
};
const manager = { ...user, isManager: true };
const guest = { ...user, organization: null };
const operator = { ...guest, isOperator: true };
const token = { session: undefined, credential: "token" };
const newcomer = { ...user, hasAcceptedTerms: false };

type Asked = Pick<Route, "access" | "method" | "scope" | "forbidden">;
const route = (access: Route["access"], more: Partial<Asked> = {}): Asked => ({ access, method: "GET", ...more });

function refusal(actor: Actor, asked: Asked): string | undefined {
  try {
    checkAccess(actor, asked);
    return undefined;
  } catch (error) {
    return (error as AppError).code;
  }
}

describe("checkAccess", () => {
  it.each<[string, Actor, Asked, string | undefined]>([
    ["lets operators use what is theirs", operator, route("operator"), undefined],
    ["hides it from tokens of operators", { ...operator, ...token }, route("operator"), "ROUTE_NOT_FOUND"],
    ["hides it from managers", manager, route("operator"), "ROUTE_NOT_FOUND"],
    ["lets operators use what is for everybody", operator, route("signed-in"), undefined],
    ["refuses operators what is for customers", operator, route("user"), "FORBIDDEN"],
    ["lets a token do what it is for", { ...user, ...token, scope: "devices" }, route("member"), undefined],
    [
      "refuses a token more",
      { ...user, ...token, scope: "read" },
      route("member", { method: "POST" }),
      "API_TOKEN_NOT_SCOPED",
    ],
    ["asks for the terms", newcomer, route("user"), "TERMS_NOT_ACCEPTED"],
    ["asks guests for the terms first", { ...newcomer, organization: null }, route("member"), "TERMS_NOT_ACCEPTED"],
    ["lets the terms be read and accepted", newcomer, route("signed-in"), undefined],
    ["does not ask for them where anybody may call", newcomer, route("public"), undefined],
    ["lets guests use what is for users", guest, route("user"), undefined],
    ["refuses guests what is for members", guest, route("member"), "FORBIDDEN"],
    ["lets users use what is for members", user, route("member"), undefined],
    ["refuses users what is for managers", user, route("manager"), "FORBIDDEN"],
    ["lets managers use it", manager, route("manager"), undefined],
  ])("%s", (_, actor, asked, code) => expect(refusal(actor, asked)).toBe(code));

  it("says what a route says to those it refuses", () => {
    const forbidden = "Ask your manager.";
    for (const [actor, access] of [[guest, "member"] as const, [user, "manager"] as const])
      expect(() => checkAccess(actor, route(access, { forbidden }))).toThrow(forbidden);
  });
});

it("a manager is one of an organization", () => {
  const role = { organization_uuid: "ferns", is_organization_manager: true };
  expect(isManager(role)).toBe(true);
  expect(isManager({ ...role, organization_uuid: null })).toBe(false);
  expect(isManager({ ...role, is_organization_manager: false })).toBe(false);
});

it("a token is in no session", () => {
  expect(sessionOf(user)).toBe("session");
  expect(() => sessionOf({ ...user, ...token })).toThrow(expect.objectContaining({ code: "FORBIDDEN" }));
});
