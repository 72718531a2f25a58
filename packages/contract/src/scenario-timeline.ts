import type { Scenario, ScenarioChange, ScenarioPoint, ScenarioRoute, ScenarioRun, ScenarioStep } from "./scenarios.ts";

const SECOND_MS = 1000;
const EARTH_RADIUS_M = 6_371_008.8;

/** What a step may hold besides when it happens and what it is called. */
export const scenarioKinds = [
  "battery",
  "place",
  "route",
  "network",
  "call",
  "sms",
  "sim",
  "identifiers",
  "disk",
  "clipboard",
  "rotation",
  "fingerprint",
] as const satisfies readonly (keyof ScenarioStep)[];
export type ScenarioKind = (typeof scenarioKinds)[number];

export const kindsOf = (step: Readonly<Record<string, unknown>>): ScenarioKind[] =>
  scenarioKinds.filter((kind) => step[kind] !== undefined);

/** When a step begins, and for how long it goes on, in milliseconds since the beginning of its round. */
export interface ScenarioSpan {
  atMs: number;
  durationMs: number;
}

/** Something that is done to the device, by the step of this index. */
export interface ScenarioEvent {
  atMs: number;
  step: number;
  change: ScenarioChange;
}

export interface ScenarioTimeline {
  /** Of each step, in the order of the file. */
  spans: ScenarioSpan[];
  /** Of one round. */
  durationMs: number;
}

/** When everything happens. `at` counts from the beginning of a round; any other step begins `after` the one before it has ended. */
export function timelineOf({ steps }: Pick<Scenario, "steps">): ScenarioTimeline {
  let endMs = 0;
  const spans = steps.map((step) => {
    const atMs = step.at === undefined ? endMs + toMs(step.after ?? 0) : toMs(step.at);
    const durationMs = step.route ? (timesOf(step.route).at(-1) ?? 0) : 0;
    endMs = atMs + durationMs;
    return { atMs, durationMs };
  });
  return { spans, durationMs: Math.max(0, ...spans.map(({ atMs, durationMs }) => atMs + durationMs)) };
}

/** The steps of a scenario as its runs report them. */
export function stepsOf({ steps }: Pick<Scenario, "steps">): ScenarioRun["steps"] {
  const { spans } = timelineOf({ steps });
  return steps.map((step, index) => ({
    name: step.name ?? null,
    kinds: kindsOf(step),
    at_ms: spans[index]!.atMs,
    duration_ms: spans[index]!.durationMs,
  }));
}

/** In how many places a route is sent to the device. */
export const fixesOf = (route: ScenarioRoute): number =>
  Math.ceil((timesOf(route).at(-1) ?? 0) / toMs(route.every ?? 1)) + 1;

/** All that is done in one round, in the order in which it happens. */
export function eventsOf(scenario: Pick<Scenario, "steps">): ScenarioEvent[] {
  const { spans } = timelineOf(scenario);
  return (
    scenario.steps
      // Only what is done, not when and under which name.
      .flatMap(({ name: _name, at: _at, after: _after, route, ...change }, step): ScenarioEvent[] => {
        const { atMs } = spans[step]!;
        const now = kindsOf(change).length > 0 ? [{ atMs, step, change }] : [];
        const fixes = route
          ? placesOf(route).map(({ atMs: since, place }) => ({ atMs: atMs + since, step, change: { place } }))
          : [];
        return [...now, ...fixes];
      })
      .toSorted((one, other) => one.atMs - other.atMs)
  );
}

/** The step that began last; undefined before the first. */
export function stepAt(spans: readonly ScenarioSpan[], elapsedMs: number): number | undefined {
  let latest: number | undefined;
  for (const [index, { atMs }] of spans.entries())
    if (atMs <= elapsedMs && (latest === undefined || atMs >= spans[latest]!.atMs)) latest = index;
  return latest;
}

const toMs = (seconds: number) => Math.round(seconds * SECOND_MS);

/** When each point of a route is reached, since it began. */
function timesOf({ points, speed }: ScenarioRoute): number[] {
  let metres = 0;
  return points.map((point, index) => {
    if (speed === undefined) return toMs(point.at ?? 0);
    if (index > 0) metres += distance(points[index - 1]!, point);
    return Math.round((metres / speed) * SECOND_MS);
  });
}

/** Where a device is along a route, at even intervals and at its end; with bearing and speed, as a receiver has them. */
function placesOf(route: ScenarioRoute): { atMs: number; place: NonNullable<ScenarioChange["place"]> }[] {
  const { points, every = 1 } = route;
  const times = timesOf(route);
  const endMs = times.at(-1) ?? 0;
  const moments = Array.from({ length: fixesOf(route) }, (_, index) => Math.min(index * toMs(every), endMs));
  let leg = 0;
  return moments.map((atMs) => {
    while (leg < points.length - 2 && times[leg + 1]! <= atMs) leg++;
    const [from, to] = [points[leg]!, points[leg + 1] ?? points[leg]!];
    const lastsMs = (times[leg + 1] ?? 0) - times[leg]!;
    const part = lastsMs > 0 ? (atMs - times[leg]!) / lastsMs : 1;
    const metres = distance(from, to);
    return {
      atMs,
      place: {
        latitude: rounded(from.latitude + (to.latitude - from.latitude) * part, 7),
        longitude: rounded(wrapped(from.longitude + wrapped(to.longitude - from.longitude) * part), 7),
        ...(from.altitude !== undefined && {
          altitude: rounded(from.altitude + ((to.altitude ?? from.altitude) - from.altitude) * part, 1),
        }),
        ...(metres > 0 && { bearing: rounded(bearing(from, to), 1) }),
        speed: atMs === endMs || lastsMs <= 0 ? 0 : Math.min(rounded((metres / lastsMs) * SECOND_MS, 2), MAX_SPEED),
      },
    };
  });
}

/** In metres per second, as much as a device takes. */
export const MAX_SPEED = 399.99;

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
/** Degrees from -180 to 180: the short way round, also across the date line. */
const wrapped = (degrees: number) => (degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees);
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Along a great circle, in metres. */
function distance(from: ScenarioPoint, to: ScenarioPoint): number {
  const [a, b] = [radians(from.latitude), radians(to.latitude)];
  const half =
    Math.sin((b - a) / 2) ** 2 + Math.cos(a) * Math.cos(b) * Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** In degrees, clockwise from north. */
function bearing(from: ScenarioPoint, to: ScenarioPoint): number {
  const [a, b] = [radians(from.latitude), radians(to.latitude)];
  const across = radians(to.longitude - from.longitude);
  const y = Math.sin(across) * Math.cos(b);
  const x = Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(across);
  return ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360;
}
