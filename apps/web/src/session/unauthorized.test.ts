import { contract } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { endsSession } from "./unauthorized.ts";

const at = (path: string) => endsSession({ status: 401 }, { path, method: "POST" });

describe("a 401", () => {
  it.each([contract.instances.list.path, contract.users.get.path, contract.users.acceptTerms.path, "/v1/api-tokens/"])(
    "ends the session at %s",
    (path) => {
      expect(at(path)).toBe(true);
    },
  );

  it.each([
    contract.users.login.path,
    contract.users.signout.path,
    "/v1/users/",
    "/v2/accounts/invites/:token",
    "/v1/accounts/invites",
    "/v1/sso/oauth/callback/",
  ])("is only an answer at %s", (path) => {
    expect(at(path)).toBe(false);
  });

  it("is the only status that does", () => {
    expect(endsSession({ status: 403 }, contract.instances.list)).toBe(false);
  });
});
