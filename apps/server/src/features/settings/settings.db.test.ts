import { expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";

it("tells anybody what the installation is", async () => {
  const { call } = await createTestApp();
  const answer = await call("GET", "/v1/settings");
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { version: "0.0.0", demo_accounts: [], has_mailbox: false },
  ]);
});
