import type { InstanceState } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { actionsOf, mailToOwner, mayStop } from "./device-actions.ts";
import { aDevice, aPerson } from "./testing/a-device.ts";

const me = { uuid: "me", organization: { uuid: "ours" }, is_organization_manager: false };
const manager = { ...me, is_organization_manager: true };
const shown = (state: InstanceState, owner: string, who = me) =>
  actionsOf(aDevice({ state, owner: aPerson(owner) }), who).map(({ kind, unless }) =>
    unless ? `${kind} (${unless})` : kind,
  );

describe("actionsOf", () => {
  it.each<[InstanceState, string[]]>([
    ["CREATING", ["display", "save (notOnline)", "stop"]],
    ["STARTING", ["display", "save (notOnline)", "stop"]],
    ["BOOTING", ["display", "save (notOnline)", "stop"]],
    ["ONLINE", ["display", "save", "stop"]],
    ["SAVING", ["display (notRunning)", "save (notOnline)", "stop (ending)"]],
    ["SAVED", ["display (notRunning)", "save (notOnline)", "stop (ending)"]],
    ["STOPPING", ["display (notRunning)", "save (notOnline)", "stop (ending)"]],
    ["ERROR", ["dismiss"]],
    ["REVOKED", ["dismiss"]],
    ["EXPIRED", ["dismiss"]],
    ["DELETING", []],
    ["DELETED", []],
    ["OFFLINE", []],
  ])("offers for one's own device in %s: %j", (state, actions) => expect(shown(state, "me")).toEqual(actions));

  it("offers a manager to stop and dismiss what others run, and to write to them, but no display", () => {
    expect(shown("ONLINE", "other", manager)).toEqual(["messageOwner", "stop"]);
    expect(shown("ERROR", "other", manager)).toEqual(["messageOwner", "dismiss"]);
  });

  it("offers others only to write to the owner", () => {
    expect(shown("ONLINE", "other")).toEqual(["messageOwner"]);
    expect(shown("ERROR", "other")).toEqual(["messageOwner"]);
    expect(shown("STOPPING", "other")).toEqual(["messageOwner"]);
  });
});

it("does not let a device be stopped again that is ending", () => {
  const states = ["ONLINE", "BOOTING", "SAVING", "STOPPING", "ERROR"] as const;
  expect(states.filter((state) => mayStop(aDevice({ state, owner: aPerson("me") }), me))).toEqual([
    "ONLINE",
    "BOOTING",
  ]);
});

it("escapes what people chose in a mail's address and subject", () => {
  expect(mailToOwner("a?bcc=x@evil.test", 'Device "a&body=b"')).toBe(
    "mailto:a%3Fbcc%3Dx@evil.test?subject=Device%20%22a%26body%3Db%22",
  );
});
