import { z } from "zod";
import { ByUuid, integerWithin, Name, Time, Uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";
import { eventsOf, fixesOf, kindsOf, MAX_SPEED, scenarioKinds, timelineOf } from "./scenario-timeline.ts";

const DURATION = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/;
const NO_DURATION = 'Use a time such as "90s", "1m30s" or "2h"';
const seconds = { ms: 0.001, s: 1, m: 60, h: 3600 } as const;

/** `1m30s`, `500ms`, `2h`, or a number of seconds, which is what it is read as. */
const Duration = z
  .union([z.number(), z.string().regex(DURATION, NO_DURATION)], { error: NO_DURATION })
  .transform((given) =>
    typeof given === "number"
      ? given
      : [...given.matchAll(/([\d.]+)([a-z]+)/g)].reduce(
          (sum, [, count, unit]) => sum + Number(count) * seconds[unit as keyof typeof seconds],
          0,
        ),
  )
  .pipe(
    z
      .number()
      .min(0, "Must not be negative")
      .max(limits.scenarioHours * 3600, `A scenario lasts at most ${limits.scenarioHours} hours`),
  );

const within = (min: number, max: number) =>
  z.number().min(min, `Must be at least ${min}`).max(max, `Must be at most ${max}`);
/** What YAML reads as a number unless it is quoted. */
const quoted = () => z.string("Put it in quotes");
/** As the player's own fields take them: what a phone dials, and text without NUL. */
const PhoneNumber = quoted().regex(/^\+?[0-9*#]{1,32}$/, "Use digits, with + in front at most");
const Text = (max: number) =>
  z
    .string()
    .min(1, "Required")
    .max(max, `Use up to ${max} characters`)
    .refine((text) => !text.includes("\0"), "Must not contain NUL");
const Operator = quoted().regex(/^\d{5,6}$/, "Use five or six digits");

const Latitude = within(-90, 90);
const Longitude = within(-180, 180);
const Altitude = within(-10_000, 10_000);

const Point = z.strictObject({
  latitude: Latitude,
  longitude: Longitude,
  altitude: Altitude.optional(),
  at: Duration.optional().meta({ description: "When it is reached, since the route began" }),
});
export type ScenarioPoint = z.output<typeof Point>;

const Route = z
  .strictObject({
    points: z.array(Point).min(2, "Use two points or more").max(limits.scenarioPoints, "These are too many points"),
    speed: within(0.1, MAX_SPEED).optional().meta({ description: "In metres per second" }),
    every: Duration.pipe(z.number().min(0.5, "Must be at least half a second"))
      .optional()
      .meta({ description: "How often the device is told where it is; each second by default" }),
  })
  .superRefine(({ points, speed }, { addIssue }) => {
    const timed = points.filter(({ at }) => at !== undefined).length;
    const say = (message: string, path: (string | number)[]) => addIssue({ code: "custom", message, path });
    if (speed !== undefined && timed > 0) say("Use a speed, or times of points, not both", ["speed"]);
    if (speed !== undefined) return;
    for (const [index, { at }] of points.entries()) {
      if (index === 0) continue;
      if (at === undefined) return say("Give a speed, or say at what time each point is reached", ["points", index]);
      if (at <= (points[index - 1]!.at ?? 0))
        return say("Must be later than the point before", ["points", index, "at"]);
    }
    if ((points[0]!.at ?? 0) !== 0) say("A route begins at 0", ["points", 0, "at"]);
  });
export type ScenarioRoute = z.output<typeof Route>;

const someOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject(shape)
    .refine((value) => Object.values(value).some((each) => each !== undefined), "Say what to change");

const changes = {
  battery: someOf({ level: integerWithin({ min: 0, max: 100 }).optional(), charging: z.boolean().optional() }),
  place: someOf({
    latitude: Latitude.optional(),
    longitude: Longitude.optional(),
    altitude: Altitude.optional(),
    accuracy: within(0, 200).optional(),
    bearing: within(0, 360).optional(),
    speed: within(0, MAX_SPEED).optional(),
    on: z.boolean().optional().meta({ description: "Whether the device knows its place at all" }),
  }),
  network: someOf({
    wifi: z.boolean().optional(),
    mobile: z.boolean().optional(),
    profile: z.enum(["5g", "lte", "hsdpa", "umts", "edge", "gprs", "gsm", "none"]).optional(),
    signal: z.enum(["great", "good", "moderate", "poor", "none"]).optional(),
  }),
  call: z.strictObject({ from: PhoneNumber }),
  sms: z.strictObject({ from: PhoneNumber, text: Text(2048) }),
  sim: someOf({
    operator: Operator.optional(),
    operator_name: Text(64).optional(),
    network_operator: Operator.optional(),
    network_operator_name: Text(64).optional(),
    imsi: quoted()
      .regex(/^\d{9,10}$/, "Use the subscriber's nine or ten digits")
      .optional(),
    number: PhoneNumber.optional(),
  }),
  identifiers: someOf({
    android_id: quoted()
      .regex(/^[0-9a-fA-F]{16}$/, "Use 16 hexadecimal digits")
      .optional(),
    device_id: quoted()
      .regex(/^[0-9a-fA-F]{14,15}$/, "Use 14 or 15 hexadecimal digits")
      .optional(),
  }),
  disk: z.strictObject({
    read_rate: integerWithin({ min: 0, max: 1e12 }).meta({ description: "Bytes a second; 0 for no limit" }),
  }),
  clipboard: Text(10_000),
  rotation: z.enum(["portrait", "landscape", "quarter"]).meta({ description: "`quarter` turns it once more" }),
  fingerprint: z.enum(["recognized", "unrecognized", "dirty", "too_fast", "partial", "insufficient"]),
};

const Change = z.strictObject(changes).partial();
/** What is done to a device at one moment. */
export type ScenarioChange = z.output<typeof Change>;

const Step = z
  .strictObject({
    name: Name.refine(
      (name) => name.length <= limits.scenarioNameLength,
      `Use up to ${limits.scenarioNameLength} characters`,
    ).optional(),
    at: Duration.optional().meta({ description: "Since the beginning of the round" }),
    after: Duration.optional().meta({ description: "Since the step before has ended; at once by default" }),
    route: Route.optional(),
    ...Change.shape,
  })
  .superRefine((step, { addIssue }) => {
    const say = (message: string, path: string[] = []) => addIssue({ code: "custom", message, path });
    if (step.at !== undefined && step.after !== undefined) say("Use at or after, not both", ["after"]);
    if (step.route && step.place) say("A route says where the device is already", ["place"]);
    if (kindsOf(step).length === 0) say(`Say what happens: ${scenarioKinds.join(", ")}`);
  });
export type ScenarioStep = z.output<typeof Step>;

/** How many calls and messages a device takes in a second. */
const DEEDS_A_SECOND = 5;

/** What happens to a device over time, as a file says it. */
export const Scenario = z
  .strictObject({
    $schema: z.string().max(limits.routeLength).optional(),
    name: Name.optional(),
    repeat: integerWithin({ min: 1, max: limits.scenarioRounds })
      .optional()
      .meta({ description: "How often all of it happens; once by default" }),
    steps: z.array(Step).min(1, "Use one step or more").max(limits.scenarioSteps, "These are too many steps"),
  })
  .superRefine((scenario, { addIssue, issues }) => {
    // Its times can be worked out only if its parts are valid.
    if (issues.length > 0) return;
    const { steps, repeat = 1 } = scenario;
    const say = (message: string, path: (string | number)[]) => addIssue({ code: "custom", message, path });
    const fixes = steps.reduce((sum, { route }) => sum + (route ? fixesOf(route) : 0), 0);
    if (fixes > limits.scenarioFixes)
      return say(`Its routes have ${fixes} places; ${limits.scenarioFixes} are the most. Use a longer "every"`, [
        "steps",
      ]);
    const { durationMs } = timelineOf(scenario);
    if (durationMs * repeat > limits.scenarioHours * 3_600_000)
      return say(`A scenario lasts at most ${limits.scenarioHours} hours`, repeat > 1 ? ["repeat"] : ["steps"]);
    if (repeat > 1 && durationMs < 1000) return say("Only what lasts a second or more can be repeated", ["repeat"]);
    const deeds = eventsOf(scenario).filter(({ change }) => change.call ?? change.sms);
    for (const [index, { atMs, step }] of deeds.entries()) {
      const earlier = deeds[index - DEEDS_A_SECOND];
      if (earlier && atMs - earlier.atMs < 1000)
        return say(`A device takes ${DEEDS_A_SECOND} calls and messages a second`, ["steps", step]);
    }
  });
export type Scenario = z.output<typeof Scenario>;
export type GivenScenario = z.input<typeof Scenario>;

export const scenarioStatuses = ["running", "paused", "finished", "stopped"] as const;

/** One run of a scenario. Times are in milliseconds. */
export const ScenarioRun = z.object({
  uuid: Uuid,
  name: z.string().nullable(),
  status: z.enum(scenarioStatuses),
  started_at: Time,
  /** Since the beginning of the round, without pauses. */
  elapsed_ms: z.int(),
  /** Of one round. */
  duration_ms: z.int(),
  /** From 1. */
  round: z.int(),
  rounds: z.int(),
  /** The index of the step that began last; null before the first. */
  step: z.int().nullable(),
  steps: z.array(
    z.object({
      name: z.string().nullable(),
      kinds: z.array(z.enum(scenarioKinds)),
      at_ms: z.int(),
      duration_ms: z.int(),
    }),
  ),
});
export type ScenarioRun = z.infer<typeof ScenarioRun>;

const common = ["INSTANCE_NOT_FOUND", "INSTANCE_ENDED", "INSTANCE_NOT_ALLOWED", "INSTANCE_NOT_RUNNING"] as const;

export const scenariosTag = tag("Devices", "Scenarios", "What happens to a device over time.");

/** Whoever may control a device may have a scenario run on it. Its gateway runs it, one at a time, whoever watches. */
export const scenarios = routes({
  start: {
    method: "POST",
    path: "/v1/instances/:uuid/scenario",
    summary:
      "Run a scenario on a device that is online. With `dry_run`, only say what would be refused and when each step would happen",
    access: "user",
    audit: ["instance.run_scenario"],
    params: ByUuid,
    body: z.object({ scenario: Scenario, dry_run: z.boolean().default(false) }),
    maxBodyBytes: limits.scenarioBytes,
    status: 201,
    reply: ScenarioRun,
    fails: [...common, "INSTANCE_NOT_ONLINE", "SCENARIO_RUNNING", "SCENARIO_NOT_POSSIBLE"],
  },
  get: {
    method: "GET",
    path: "/v1/instances/:uuid/scenario",
    summary: "The scenario that runs on a device, or that ran last",
    access: "user",
    params: ByUuid,
    reply: z.object({ run: ScenarioRun.nullable() }),
    fails: [...common, "INSTANCE_NOT_ONLINE"],
  },
  change: {
    method: "PATCH",
    path: "/v1/instances/:uuid/scenario",
    summary: "Pause, resume or stop the scenario that runs on a device",
    access: "user",
    audit: { none: "the record of its start names the run" },
    params: ByUuid,
    body: z.object({ status: z.enum(["running", "paused", "stopped"]) }),
    reply: ScenarioRun,
    fails: [...common, "INSTANCE_NOT_ONLINE", "SCENARIO_NOT_RUNNING"],
  },
  recorded: {
    method: "GET",
    path: "/v1/instances/:uuid/scenario/recorded",
    summary:
      "What people have set with the tools of a device since it is online, as a scenario. What was copied is not in it",
    access: "user",
    params: ByUuid,
    reply: z.object({ scenario: Scenario.nullable() }),
    fails: [...common, "INSTANCE_NOT_ONLINE"],
  },
});
