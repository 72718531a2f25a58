import { describe, expect, it } from "vitest";
import {
  displayedStates,
  instanceLife,
  instancePhases,
  instanceStates,
  nextState,
  statesThatTake,
} from "./instance-life.ts";

describe("instance life", () => {
  it("leads a device from creating to deleted", () => {
    const path = (["powered", "answered", "booted", "stop", "stopped", "deleted"] as const).reduce<string[]>(
      (states, event) => [...states, nextState(states.at(-1) as "CREATING", event) ?? "nowhere"],
      ["CREATING"],
    );
    expect(path).toEqual(["CREATING", "STARTING", "BOOTING", "ONLINE", "STOPPING", "DELETING", "DELETED"]);
  });

  it("ends a saved device by stopping it", () => {
    expect(nextState("SAVING", "saved")).toBe("SAVED");
    expect(nextState("SAVED", "stop")).toBe("STOPPING");
  });

  it("says which states take an event", () => {
    expect(statesThatTake("stop")).toEqual(["CREATING", "STARTING", "BOOTING", "ONLINE", "SAVED"]);
    expect(statesThatTake("dismiss")).toEqual(["ERROR", "REVOKED", "EXPIRED"]);
  });

  it("has no way out of DELETED and none into a name that does not exist", () => {
    expect(Object.keys(instanceLife)).not.toContain("DELETED");
    for (const events of Object.values(instanceLife))
      for (const to of Object.values(events)) expect(instanceStates).toContain(to);
  });

  it("puts each grouped state in one phase", () => {
    const all = Object.values(instancePhases).flat();
    expect(new Set(all).size).toBe(all.length);
  });

  it("shows the words of the display table", () => {
    expect(displayedStates).toMatchObject({
      ASKED_CREATING: "creating",
      CREATED: "creating",
      ASKED_STARTING: "starting",
      RUNNING: "online",
      ASKED_STOPPING: "stopping",
      STOPPED: "stopping",
      ASKED_SAVING: "saving",
      ASKED_DELETING: "offline",
      DELETING: "offline",
      DELETED: "offline",
    });
  });
});
