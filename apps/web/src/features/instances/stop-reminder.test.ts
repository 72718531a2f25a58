import { expect, it } from "vitest";
import { reminderOf } from "./stop-reminder.ts";

it.each([
  [0, 0, "none"],
  [0, 30, "inactivity"],
  [15, 30, "global"],
  [30, 30, "global"],
  [60, 0, "global"],
  [60, 30, "both"],
])("with a run of %i and idle for %i minutes reminds of %s", (global, inactivity, kind) =>
  expect(reminderOf({ global, inactivity })).toBe(kind),
);
