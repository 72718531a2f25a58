import { zones } from "@terrarium/contract";
import { expect, it } from "vitest";
import { createTestApp, testSettings } from "../../testing/app.ts";
import { upsertGateway } from "../instances/gateways.ts";

it("tells anybody what the installation is, and what time it has", async () => {
  const { call, clock } = await createTestApp();
  const ask = async () => (await call("GET", "/v1/settings")).json();
  const time = new Date(clock.now()).toISOString();
  expect(await ask()).toEqual({ ...testSettings, sso_providers: [], passkeys_at: "http://localhost:0", time, zones });
  await clock.advance(3_600_000);
  expect(await ask()).toMatchObject({ time: new Date(clock.now()).toISOString() });
});

it("names the zones in which devices can run, and all while that is not known", async () => {
  const { db, call } = await createTestApp();
  const named = async () => (await call("GET", "/v1/settings")).json().zones;
  await upsertGateway(db, "one", "127.0.0.1:1", ["southeast asia", "a cellar"]);
  expect(await named()).toEqual(["southeast asia"]);
  await upsertGateway(db, "two", "127.0.0.1:2", ["europe"]);
  expect(await named()).toEqual(["europe", "southeast asia"]);
  await upsertGateway(db, "two", "127.0.0.1:2", null);
  expect(await named()).toEqual([...zones]);
  await db.deleteFrom("gateways").execute();
  await upsertGateway(db, "one", "127.0.0.1:1", ["a cellar"]);
  expect(await named()).toEqual([...zones]);
});
