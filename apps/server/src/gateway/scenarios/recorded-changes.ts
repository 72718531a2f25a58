import type { Clock } from "@terrarium/clock";
import { limits, type Scenario, type ScenarioChange, type ScenarioKind, kindsOf } from "@terrarium/contract";
import type { GadgetCommand } from "../gadgets/gadget.ts";
import { changeOf } from "./commands-of.ts";

/** What a slider or the fields of a form send, one after the other, is one step. */
const TOGETHER_MS = 1_000;

interface Recorded {
  /** By a monotonic clock. */
  at: number;
  change: ScenarioChange;
}

/** The last things that people have set with a device's tools, as many as a scenario has steps. */
export class RecordedChanges {
  readonly #clock: Clock;
  readonly #changes: Recorded[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(command: GadgetCommand): void {
    const change = changeOf(command);
    if (!change) return;
    const at = this.#clock.monotonic();
    const latest = this.#changes.at(-1);
    const joined = latest && at - latest.at < TOGETHER_MS ? join(latest.change, change) : undefined;
    if (latest && joined) latest.change = joined;
    else this.#changes.push({ at, change });
    if (this.#changes.length > limits.scenarioSteps) this.#changes.shift();
  }

  /** Undefined if there is nothing. Its times count from the first change, and are shortened where they are more than a scenario lasts. */
  scenario(): Scenario | undefined {
    const [first] = this.#changes;
    if (!first) return undefined;
    const longest = (limits.scenarioHours * 3600) / limits.scenarioSteps;
    const steps = this.#changes.map(({ at, change }, index) => {
      const since = (at - (this.#changes[index - 1]?.at ?? at)) / 1000;
      return { after: Number(Math.min(since, longest).toFixed(1)), ...change };
    });
    return { steps };
  }
}

/** Kinds that are set, and not done: of several, the last counts. */
const settable = new Set<ScenarioKind>(["battery", "place", "network", "sim", "identifiers", "disk"]);

/** Both as one; undefined if they are two different things, or something that happens twice. */
function join(earlier: ScenarioChange, later: ScenarioChange): ScenarioChange | undefined {
  const [kind, ...more] = kindsOf(later);
  if (!kind || more.length > 0 || !settable.has(kind) || kindsOf(earlier).join() !== kind) return undefined;
  const values = [earlier, later].map((change) => change[kind as "battery"]);
  return { [kind]: { ...values[0], ...values[1] } };
}
