import { describe, expect, it } from "vitest";
import { curlOf, gmsaasOf } from "./commands.ts";

const origin = "https://vd.test";

describe("curlOf", () => {
  it("is the call with its body, and a place for the token", () => {
    expect(curlOf({ method: "POST", path: "/v1/a", body: { name: "it's -H 1" } }, origin)).toBe(
      [
        "curl --fail-with-body -X POST https://vd.test/cloud/v1/a \\",
        "  -H 'x-api-token: YOUR_API_TOKEN' \\",
        "  -H 'content-type: application/json' \\",
        `  --data '{"name":"it'\\''s -H 1"}'`,
      ].join("\n"),
    );
  });

  it("has no body where there is none", () => {
    expect(curlOf({ method: "GET", path: "/v2/instances" }, origin)).not.toContain("--data");
  });
});

it("gmsaasOf says where the service is, and quotes what shells would expand", () => {
  expect(gmsaasOf(["instances", "start", "u-1", "$(rm) *"], origin)).toBe(
    [
      "GM_PLATFORM_BASE_URL=https://vd.test/cloud \\",
      "  GM_PLATFORM_SIO_BASE_URL=https://vd.test/cloud \\",
      "  GENYMOTION_API_TOKEN=YOUR_API_TOKEN \\",
      "  gmsaas instances start u-1 '$(rm) *'",
    ].join("\n"),
  );
});
