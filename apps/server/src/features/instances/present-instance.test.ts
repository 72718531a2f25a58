import { describe, expect, it } from "vitest";
import type { ShownInstance } from "./instances.store.ts";
import { presentChange, presentInstance, stopOf } from "./present-instance.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 2, 2, 9, minutes));

/** A device that was measured at 9:00 and has run for ten minutes, nobody using it. */
const aRow = (fields: Partial<ShownInstance>) =>
  ({
    state: "ONLINE",
    ran_ms: 600_000,
    idle_ms: 600_000,
    measured_at: at(0),
    timeout_inactivity: 0,
    timeout_global: 0,
    kept_until_ms: 0,
    budget_stops_at: null,
    cover_stops_at: null,
    cover_stops_because: null,
    created_at: at(0),
    updated_at: at(0),
    queued_at: null,
    save: null,
    recipe_uuid: "fern",
    recipe_name: "Fern",
    recipe_is_official: false,
    recipe_organization_uuid: "greenhouse",
    recipe_owner_uuid: "robin",
    snapshot: { hardwareProfile: { displays: [] }, osImage: {} },
    ...fields,
  }) as unknown as ShownInstance;

describe("stopOf", () => {
  const cover = { cover_stops_at: at(20), cover_stops_because: "plan_ended" } as const;

  it.each<[string, Partial<ShownInstance>, Date | null, string | null]>([
    ["never, without time-outs", {}, null, null],
    ["by its time-outs", { timeout_inactivity: 30 }, at(20), "inactivity"],
    ["for a budget", { timeout_inactivity: 30, budget_stops_at: at(19) }, at(19), "budget_used_up"],
    ["by a time-out before a budget", { timeout_inactivity: 30, budget_stops_at: at(21) }, at(20), "inactivity"],
    ["as nothing covers it", { ...cover, budget_stops_at: at(21) }, at(20), "plan_ended"],
    ["nobody knows when, before it is measured", { timeout_inactivity: 30, measured_at: null }, null, null],
    ["never, while it is not online", { ...cover, state: "SAVING", budget_stops_at: at(1) }, null, null],
  ])("says that a device stops %s", (_, fields, stops, because) => {
    expect(stopOf(aRow(fields))).toEqual({ stops_at: stops?.toISOString() ?? null, stops_because: because });
  });
});

describe("presentChange", () => {
  it("tells of a device's place in the queue, and of its save", () => {
    expect(presentChange(aRow({}))).toMatchObject({ queue: null, save: null });
    const queued = aRow({ queued_at: at(1), queue_place: 2, queue_starts_at: null });
    expect(presentChange(queued).queue).toEqual({ since: at(1).toISOString(), place: 2, starts_at: null });
    const save = { action: "update", recipeUuid: "fern", osImageUuid: "moss", progress: 7 } as ShownInstance["save"];
    expect(presentChange(aRow({ save })).save).toEqual({
      action: "update",
      recipe_uuid: "fern",
      progress: 7,
      error: null,
    });
  });
});

describe("a device's recipe", () => {
  const recipeOf = (fields: Partial<ShownInstance>) => presentInstance(aRow(fields), "https://devices.example").recipe;

  it("is of whoever owns it, if they are still there", () => {
    expect(recipeOf({})).toMatchObject({
      name: "Fern",
      source: "CUSTOM",
      owner: { uuid: "robin", organization: { uuid: "greenhouse" } },
    });
    expect(recipeOf({ recipe_owner_uuid: null })).toMatchObject({ source: "CUSTOM", owner: null });
    expect(recipeOf({ recipe_is_official: true })).toMatchObject({ source: "DEFAULT", owner: null });
  });

  it("is not told of one that was deleted, or that the device's owner does not know", () => {
    expect([recipeOf({ recipe_uuid: null }), recipeOf({ recipe_name: null })]).toEqual([null, null]);
  });
});
