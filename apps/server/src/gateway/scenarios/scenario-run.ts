import type { Clock } from "@terrarium/clock";
import {
  eventsOf,
  type Scenario,
  type ScenarioEvent,
  type ScenarioRun as Run,
  stepAt,
  stepsOf,
  timelineOf,
} from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Logger } from "../../platform/log.ts";
import type { WatchedDevice } from "../watched-device.ts";
import { commandsOf } from "./commands-of.ts";

/** A device with a scenario is in use, even while nothing is due. */
const USE_INTERVAL_MS = 30_000;
/** Between two looks for a device whose display is away. */
const LOOK_MS = 1_000;

export interface ScenarioRunDeps {
  clock: Clock;
  log: Logger;
  /** Resolves with the device as soon as it is there. */
  find(signal: AbortSignal): Promise<WatchedDevice>;
}

/** What a scenario would be as a run that has not begun. */
export function plannedRun(scenario: Scenario, now: number): Run {
  const { durationMs } = timelineOf(scenario);
  return {
    uuid: randomUUID(),
    name: scenario.name ?? null,
    status: "running",
    started_at: new Date(now).toISOString(),
    elapsed_ms: 0,
    duration_ms: durationMs,
    round: 1,
    rounds: scenario.repeat ?? 1,
    step: null,
    steps: stepsOf(scenario),
  };
}

/** One run of a scenario, beside the device. It goes on while nobody watches, and while the device's display is reopened. */
export class ScenarioRun {
  readonly #deps: ScenarioRunDeps;
  readonly #plan: Run;
  readonly #events: readonly ScenarioEvent[];
  readonly #over = new AbortController();
  /** Aborts whenever the pace changes: on pause and on resume. */
  #pace = new AbortController();
  #status: Run["status"] = "running";
  #round = 1;
  /** When the round would have begun without pauses, by the monotonic clock. */
  #began: number;
  #pausedAt: number | undefined;
  /** Steps that have begun in this round. */
  #noted = new Set<number>();
  readonly #done: Promise<void>;

  constructor(scenario: Scenario, deps: ScenarioRunDeps) {
    const { clock, log } = deps;
    this.#deps = deps;
    this.#plan = plannedRun(scenario, clock.now());
    this.#events = eventsOf(scenario);
    this.#began = clock.monotonic();
    this.#done = this.#run().catch((error: unknown) => {
      if (!this.#over.signal.aborted) log.error({ err: error }, "a scenario broke off");
      this.#status = "stopped";
    });
  }

  get isOver(): boolean {
    return this.#status === "finished" || this.#status === "stopped";
  }

  get state(): Run {
    const elapsed = Math.min(Math.round(this.#elapsed), this.#plan.duration_ms);
    const spans = this.#plan.steps.map(({ at_ms, duration_ms }) => ({ atMs: at_ms, durationMs: duration_ms }));
    return {
      ...this.#plan,
      status: this.#status,
      round: this.#round,
      elapsed_ms: elapsed,
      step: stepAt(spans, elapsed) ?? null,
    };
  }

  pause(): void {
    if (this.#status !== "running") return;
    this.#pausedAt = this.#deps.clock.monotonic();
    this.#setPace("paused");
  }

  resume(): void {
    if (this.#status !== "paused") return;
    this.#began += this.#deps.clock.monotonic() - (this.#pausedAt ?? 0);
    this.#pausedAt = undefined;
    this.#setPace("running");
  }

  /** Nothing more is done; resolves when it is over. */
  async stop(): Promise<void> {
    if (!this.isOver) {
      this.#pausedAt ??= this.#deps.clock.monotonic();
      this.#status = "stopped";
    }
    this.#over.abort(new Error("the scenario was stopped"));
    await this.#done;
  }

  #setPace(status: Run["status"]): void {
    this.#status = status;
    this.#pace.abort();
    this.#pace = new AbortController();
  }

  get #elapsed(): number {
    return (this.#pausedAt ?? this.#deps.clock.monotonic()) - this.#began;
  }

  async #run(): Promise<void> {
    const { duration_ms: durationMs, rounds } = this.#plan;
    for (; ; this.#round++) {
      this.#noted = new Set();
      for (const event of this.#events) {
        await this.#until(event.atMs);
        await this.#do(event);
      }
      await this.#until(durationMs);
      if (this.#round >= rounds) break;
      this.#began += durationMs;
    }
    this.#pausedAt = this.#began + durationMs;
    this.#status = "finished";
  }

  /** Resolves when this much time has passed in the round; rejects when the run is over. */
  async #until(atMs: number): Promise<void> {
    const over = this.#over.signal;
    for (;;) {
      over.throwIfAborted();
      const isPaused = this.#status === "paused";
      const leftMs = isPaused ? USE_INTERVAL_MS : atMs - this.#elapsed;
      if (leftMs <= 0) return;
      const waiting = AbortSignal.any([over, this.#pace.signal]);
      // A change of pace is not the end.
      await this.#deps.clock.sleep(Math.min(leftMs, USE_INTERVAL_MS), waiting).catch(() => undefined);
      if (!isPaused && !over.aborted) (await this.#device()).used(this.#deps.clock.monotonic());
    }
  }

  async #do({ step, change }: ScenarioEvent): Promise<void> {
    const device = await this.#device();
    // What it has is known then.
    await device.gadgets.capabilities();
    this.#over.signal.throwIfAborted();
    device.used(this.#deps.clock.monotonic());
    if (!this.#noted.has(step)) {
      this.#noted.add(step);
      device.replay.note({ type: "scenario", step: step + 1, name: this.#plan.steps[step]?.name ?? "" });
    }
    for (const command of commandsOf(change, device.source.size)) device.gadgets.handle(command, () => undefined);
  }

  async #device(): Promise<WatchedDevice> {
    for (;;) {
      this.#over.signal.throwIfAborted();
      try {
        return await this.#deps.find(this.#over.signal);
      } catch {
        await this.#deps.clock.sleep(LOOK_MS, this.#over.signal);
      }
    }
  }
}
