import { describe, expect, it } from "vitest";
import { eventsOf, stepAt, timelineOf } from "./scenario-timeline.ts";
import { type GivenScenario, Scenario } from "./scenarios.ts";

type GivenStep = GivenScenario["steps"][number];

/** What is wrong with a scenario, as `path: message`. */
function problemsOf(given: unknown): string[] {
  const { error } = Scenario.safeParse(given);
  return error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
}
const problemsOfStep = (step: object) => problemsOf({ steps: [step] });
const timesOf = (...steps: GivenStep[]) =>
  timelineOf(Scenario.parse({ steps })).spans.map(({ atMs, durationMs }) => [atMs, durationMs]);

const low: GivenStep = { battery: { level: 5 } };
const [paris, louvre] = [
  { latitude: 48.8584, longitude: 2.2945 },
  { latitude: 48.8606, longitude: 2.3376 },
];

describe("a scenario", () => {
  it("has times in words and in seconds", () => {
    const times = ["500ms", "1m30s", "0.5h", 7].map((at) => timesOf({ at, ...low })[0]?.[0]);
    expect(times).toEqual([500, 90_000, 1_800_000, 7000]);
    // What was read can be read again, as the gateway does.
    const once = Scenario.parse({ steps: [{ at: "1m30s", ...low }] });
    expect(Scenario.parse(once)).toEqual(once);
  });

  it("goes on where the step before has ended, unless a step says when", () => {
    const route = { points: [paris, { ...louvre, at: "20s" }] };
    expect(timesOf({ after: "2s", route }, low, { at: "5s", ...low }, { after: "1s", ...low })).toEqual([
      [2000, 20_000],
      [22_000, 0],
      [5000, 0],
      [6000, 0],
    ]);
  });

  it("tells which step began last", () => {
    const { spans } = timelineOf(
      Scenario.parse({
        steps: [
          { at: 2, ...low },
          { at: 1, ...low },
          { at: 1, ...low },
        ],
      }),
    );
    expect([0, 999, 1000, 1999, 2000, 9999].map((at) => stepAt(spans, at))).toEqual([undefined, undefined, 2, 2, 0, 0]);
  });

  it.each([
    ["nothing", { steps: [] }, "steps: Use one step or more"],
    ["a word nobody knows", { steps: [low], loop: true }, ': Unrecognized key: "loop"'],
    ["too many steps", { steps: Array.from({ length: 201 }, () => low) }, "steps: These are too many steps"],
    ["too many rounds", { repeat: 1001, steps: [{ at: 1, ...low }] }, "repeat: Must be at max 1000"],
    [
      "rounds without a length",
      { repeat: 2, steps: [low] },
      "repeat: Only what lasts a second or more can be repeated",
    ],
    ["more than a day", { steps: [{ at: "25h", ...low }] }, "steps.0.at: A scenario lasts at most 24 hours"],
    [
      "more than a day in all",
      { repeat: 3, steps: [{ at: "9h", ...low }] },
      "repeat: A scenario lasts at most 24 hours",
    ],
    [
      "more messages than a device takes",
      { steps: Array.from({ length: 6 }, () => ({ sms: { from: "1", text: "x" } })) },
      "steps.5: A device takes 5 calls and messages a second",
    ],
    [
      "more places than are worth it",
      { steps: [1, 2].map(() => ({ route: { points: [paris, { ...louvre, at: "2h" }], every: "0.5s" } })) },
      'steps: Its routes have 28802 places; 20000 are the most. Use a longer "every"',
    ],
  ])("is not %s", (_, given, problem) => expect(problemsOf(given)).toEqual([problem]));

  it.each([
    ["nothing to do", { at: 1 }, "steps.0: Say what happens: battery, place, route"],
    ["two times", { at: 1, after: 1, ...low }, "steps.0.after: Use at or after, not both"],
    ["a time that is none", { at: "soon", ...low }, 'steps.0.at: Use a time such as "90s", "1m30s" or "2h"'],
    ["a time before the beginning", { at: -1, ...low }, "steps.0.at: Must not be negative"],
    ["a name too long", { name: "n".repeat(81), ...low }, "steps.0.name: Use up to 80 characters"],
    ["an empty change", { battery: {} }, "steps.0.battery: Say what to change"],
    ["a number that YAML took for one", { call: { from: 33123 } }, "steps.0.call.from: Put it in quotes"],
    ["a number nobody dials", { sms: { from: "1; rm", text: "x" } }, "steps.0.sms.from: Use digits, with + in front"],
    ["a NUL", { clipboard: "a\0" }, "steps.0.clipboard: Must not contain NUL"],
    ["a battery above full", { battery: { level: 101 } }, "steps.0.battery.level: Must be at max 100"],
    ["a place off the globe", { place: { latitude: 91 } }, "steps.0.place.latitude: Must be at most 90"],
    ["one point", { route: { points: [paris], speed: 1 } }, "steps.0.route.points: Use two points or more"],
    ["neither speed nor times", { route: { points: [paris, louvre] } }, "steps.0.route.points.1: Give a speed"],
    [
      "both",
      { route: { points: [paris, { ...louvre, at: 1 }], speed: 1 } },
      "steps.0.route.speed: Use a speed, or times of points, not both",
    ],
    [
      "times that go back",
      { route: { points: [paris, { ...louvre, at: 2 }, { ...paris, at: 2 }] } },
      "steps.0.route.points.2.at: Must be later than the point before",
    ],
    [
      "a late beginning",
      {
        route: {
          points: [
            { ...paris, at: 1 },
            { ...louvre, at: 2 },
          ],
        },
      },
      "A route begins at 0",
    ],
    ["places in a hurry", { route: { points: [paris, louvre], speed: 1, every: "100ms" } }, "at least half a second"],
    ["two places", { route: { points: [paris, louvre], speed: 9 }, place: paris }, "A route says where the device is"],
  ])("has no step with %s", (_, step, problem) => expect(problemsOfStep(step).join()).toContain(problem));
});

describe("a route", () => {
  const placesOf = (step: GivenStep) =>
    eventsOf(Scenario.parse({ steps: [step] })).map(({ atMs, change: { place } }) => ({ atMs, ...place }));

  it("is as long as the way takes at its speed, and is told each second", () => {
    const places = placesOf({ route: { points: [paris, louvre], speed: 100 } });
    // 3.163 km by the haversine formula.
    expect(places.at(-1)).toMatchObject({ atMs: expect.closeTo(31_630, -2) as number, ...louvre, speed: 0 });
    expect(places.length).toBe(33);
    expect(places[0]).toMatchObject({ atMs: 0, ...paris, speed: 100, bearing: expect.closeTo(85.6, 0) as number });
    expect(places[1]?.atMs).toBe(1000);
    const one = places[16]!;
    expect(one.longitude).toBeCloseTo((paris.longitude + louvre.longitude) / 2, 3);
  });

  it("keeps its times, and climbs", () => {
    const places = placesOf({
      route: {
        points: [
          { ...paris, altitude: 10 },
          { ...paris, altitude: 20, at: 2 },
          { ...louvre, altitude: 20, at: 4 },
        ],
        every: 1,
      },
    });
    expect(places.map(({ atMs, altitude, speed }) => [atMs, altitude, speed && speed > 0])).toEqual([
      [0, 10, 0],
      [1000, 15, 0],
      [2000, 20, true],
      [3000, 20, true],
      [4000, 20, 0],
    ]);
    // Whoever stands still looks nowhere else.
    expect(places[1]).not.toHaveProperty("bearing");
  });

  it("takes the short way over the date line", () => {
    const places = placesOf({
      route: {
        points: [
          { latitude: 0, longitude: 179 },
          { latitude: 0, longitude: -179, at: 4 },
        ],
      },
    });
    expect(places.map(({ longitude }) => longitude)).toEqual([179, 179.5, 180, -179.5, -179]);
  });
});
