import { expect, it } from "vitest";
import { createTestApp, testSettings } from "../../testing/app.ts";

it("tells anybody what the installation is, and what time it has", async () => {
  const { call, clock } = await createTestApp();
  const ask = async () => (await call("GET", "/v1/settings")).json();
  const time = new Date(clock.now()).toISOString();
  expect(await ask()).toEqual({ ...testSettings, sso_providers: [], passkeys_at: "http://localhost:0", time });
  await clock.advance(3_600_000);
  expect(await ask()).toMatchObject({ time: new Date(clock.now()).toISOString() });
});
