import { describe, expect, it } from "vitest";
import {
  activeStates,
  dismissableStates,
  displayedStates,
  endedStates,
  instanceLife,
  instancePhases,
  instanceStates,
  type InstanceEvent,
  type InstanceState,
  supervisedStates,
  nextState,
  runningStates,
  shownStates,
  stateAfter,
  statesThatTake,
} from "./instance-life.ts";

describe("instance life", () => {
  it("takes a device from CREATING to DELETED", () => {
    const path: (InstanceState | undefined)[] = ["CREATING"];
    for (const event of ["powered", "answered", "booted", "stop", "stopped", "deleted"] as const) {
      const state = path.at(-1);
      path.push(state && nextState(state, event));
    }
    expect(path).toEqual(["CREATING", "STARTING", "BOOTING", "ONLINE", "STOPPING", "DELETING", "DELETED"]);
  });

  it("lets a saved device be stopped", () => {
    expect(nextState("SAVING", "saved")).toBe("SAVED");
    expect(nextState("SAVED", "stop")).toBe("STOPPING");
  });

  it("lets a device run on whose save has failed", () => {
    expect(nextState("SAVING", "saveFailed")).toBe("ONLINE");
    expect(statesThatTake("saveFailed")).toEqual(["SAVING"]);
  });

  it("lists the states that accept an event", () => {
    expect(statesThatTake("stop")).toEqual(["CREATING", "CREATED", "STARTING", "BOOTING", "ONLINE", "SAVED"]);
    expect(statesThatTake("booted")).toEqual(["CREATED", "BOOTING"]);
    expect(statesThatTake("dismiss")).toEqual(["ERROR", "REVOKED", "EXPIRED"]);
  });

  it("has no transition out of DELETED, and only ones to existing states", () => {
    expect(Object.keys(instanceLife)).not.toContain("DELETED");
    for (const events of Object.values(instanceLife))
      for (const to of Object.values(events)) expect(instanceStates).toContain(to);
  });

  it("has one target state for each event", () => {
    for (const events of Object.values(instanceLife))
      for (const [event, to] of Object.entries(events)) expect(stateAfter(event as InstanceEvent)).toBe(to);
  });

  it("groups states", () => {
    // One that is kept ready has a machine, and is nobody's.
    expect(supervisedStates.toSorted()).toEqual(
      [...activeStates, "CREATED", "SAVING", "SAVED", "STOPPING", "DELETING"].toSorted(),
    );
    expect(dismissableStates).toEqual(["ERROR", "REVOKED", "EXPIRED"]);
    expect(endedStates).toEqual(["DELETED", "ERROR", "REVOKED", "EXPIRED"]);
    expect(shownStates).toEqual([...supervisedStates, ...dismissableStates]);
    expect(runningStates).toEqual(supervisedStates.filter((state) => state !== "DELETING" && state !== "CREATED"));
  });

  it("has each state in at most one phase", () => {
    const all = Object.values(instancePhases).flat();
    expect(new Set(all).size).toBe(all.length);
  });

  it("maps states to displayed words", () => {
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
