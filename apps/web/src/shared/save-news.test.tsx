import type { InstanceChange } from "@terrarium/contract";
import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { closeSnack, readSnacks } from "../components/snack-queue.ts";
import { session } from "../session/client.ts";
import { anInstance, aUser } from "../testing/factories.ts";
import { instanceTopic } from "./instance-topic.ts";

const cache = new QueryClient();
const device = anInstance({ name: "smoke" });
const hear = (state: InstanceChange["state"], owner = device.owner.uuid) =>
  instanceTopic.apply(cache, { ...device, owner_uuid: owner, state });
const said = () => readSnacks().map(({ type, message }) => [type, message]);

beforeEach(() => {
  instanceTopic.forget();
  for (const { id } of readSnacks()) closeSnack(id);
  const exp = Math.floor(Date.now() / 1000) + 3600;
  session.open({ token: `x.${btoa(JSON.stringify({ exp }))}.y`, user: aUser({ uuid: device.owner.uuid }) });
  onTestFinished(() => session.close());
});

it.each(["SAVED", "STOPPING", "DELETED"] as const)("says once that a device was saved, at %s", (state) => {
  hear("SAVING");
  expect(said()).toEqual([]);
  hear(state);
  hear("DELETED");
  expect(said()).toEqual([["success", "smoke is saved. Its recipe can be started."]]);
});

it("says that a device was not saved", () => {
  hear("SAVING");
  hear("ERROR");
  expect(said()).toEqual([["error", "smoke was not saved. Recipes that were there before are as they were."]]);
});

it.each([
  ["SAVE_FAILED", "smoke could not be saved. It runs on, so you can try again."],
  ["SAVE_TOO_LARGE", "smoke was not saved: too much on it has changed. It runs on."],
  [
    "TOO_MUCH_SAVED",
    "smoke was not saved: your organization would store more than it may. It runs on. Delete OS images that nobody uses, then try again.",
  ],
] as const)("says why a device that runs on was not saved: %s", (error, message) => {
  hear("SAVING");
  const save = { action: "update", recipe_uuid: "r", progress: 42, error } as const;
  instanceTopic.apply(cache, { ...device, owner_uuid: device.owner.uuid, state: "ONLINE", save });
  hear("ONLINE");
  expect(said()).toEqual([["error", message]]);
});

it("says nothing of what ended without being saved, and of others' devices", () => {
  hear("STOPPING");
  hear("ERROR");
  hear("SAVING", "somebody else");
  hear("SAVED", "somebody else");
  expect(said()).toEqual([]);
});
