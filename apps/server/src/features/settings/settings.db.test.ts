import { expect, it } from "vitest";
import { createTestApp, testSettings } from "../../testing/app.ts";

it("tells anybody what the installation is", async () => {
  const { call } = await createTestApp();
  const answer = await call("GET", "/v1/settings");
  expect([answer.statusCode, answer.json()]).toEqual([200, { ...testSettings, sso_providers: [] }]);
});
