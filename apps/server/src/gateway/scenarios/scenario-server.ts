import type { Clock } from "@terrarium/clock";
import { AppError, limits, Scenario, type ScenarioRun as Run, scenarioKinds } from "@terrarium/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ScenarioAsk } from "../../features/scenarios/scenario-ask.ts";
import type { Logger } from "../../platform/log.ts";
import type { Authorize } from "../viewers/visitor.ts";
import type { WatchedDevice } from "../watched-device.ts";
import { neededFor } from "./commands-of.ts";
import { plannedRun, ScenarioRun } from "./scenario-run.ts";

/** What comes with a scenario. */
const ROOM_BYTES = 4096;

export interface ScenarioServerDeps {
  clock: Clock;
  log: Logger;
  authorize: Authorize;
  /** Waits a while for one whose display is being opened or reopened. */
  find(instance: string, signal: AbortSignal): Promise<WatchedDevice>;
}

/** Runs scenarios on this gateway's devices as the api asks, one at a time on each. The last run of a device is known until that ends. */
export class ScenarioServer {
  readonly #deps: ScenarioServerDeps;
  readonly #runs = new Map<string, ScenarioRun>();
  /** Devices on which a run is about to begin. */
  readonly #starting = new Set<string>();

  constructor(deps: ScenarioServerDeps) {
    this.#deps = deps;
  }

  /** Answers with what was asked for, or with an error's code and details. */
  async serve(instance: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    try {
      // Whoever has hung up waits for no device, and has nothing run.
      const gone = new AbortController();
      response.once("close", () => gone.abort());
      reply(200, await this.#answer(instance, request, gone.signal));
    } catch (error) {
      if (!(error instanceof AppError)) this.#deps.log.warn({ err: error, instance }, "a scenario could not be run");
      const { code, status, details } = error instanceof AppError ? error : new AppError("SERVICE_UNAVAILABLE");
      reply(status, { code, details });
    }
  }

  /** The device has ended, and with it what runs on it. */
  ended(instance: string): void {
    void this.#runs.get(instance)?.stop();
    this.#runs.delete(instance);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.stop()));
  }

  async #answer(instance: string, request: IncomingMessage, signal: AbortSignal): Promise<object> {
    const grant = await this.#deps.authorize(/^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "");
    if (grant === "ended") throw new AppError("INSTANCE_ENDED");
    if (typeof grant === "string" || grant.instanceUuid !== instance) throw new AppError("INSTANCE_NOT_ALLOWED");
    const ask = (await readJson(request)) as ScenarioAsk;
    // Who may only watch sees what happens, and does nothing.
    if ((grant.viewOnly || grant.link !== undefined) && ask.do !== "read") throw new AppError("INSTANCE_NOT_ALLOWED");
    if (ask.do === "read") return { run: this.#runs.get(instance)?.state ?? null };
    if (ask.do === "recorded") return { scenario: (await this.#find(instance, signal)).recorded.scenario() ?? null };
    if (ask.do === "check" || ask.do === "start") return this.#start(instance, ask, signal);
    const run = this.#runs.get(instance);
    if (!run || run.isOver) throw new AppError("SCENARIO_NOT_RUNNING");
    await run[ask.do]();
    return run.state;
  }

  #find(instance: string, signal: AbortSignal): Promise<WatchedDevice> {
    return this.#deps.find(instance, signal).catch(() => {
      throw new AppError("INSTANCE_NOT_ONLINE");
    });
  }

  async #start(instance: string, ask: ScenarioAsk & { do: "check" | "start" }, signal: AbortSignal): Promise<Run> {
    const { clock, log, find } = this.#deps;
    const scenario = Scenario.parse(ask.scenario);
    const isBusy = () => this.#starting.has(instance) || this.#runs.get(instance)?.isOver === false;
    if (ask.do === "start" && isBusy()) throw new AppError("SCENARIO_RUNNING");
    if (ask.do === "start") this.#starting.add(instance);
    try {
      const device = await this.#find(instance, signal);
      await refuseMissing(device, scenario);
      if (ask.do === "check") return plannedRun(scenario, clock.now());
      if (device.over.aborted || signal.aborted) throw new AppError("INSTANCE_NOT_ONLINE");
      const run = new ScenarioRun(scenario, { clock, log, find: (signal) => find(instance, signal) });
      this.#runs.set(instance, run);
      return run.state;
    } finally {
      if (ask.do === "start") this.#starting.delete(instance);
    }
  }
}

/** Throws SCENARIO_NOT_POSSIBLE for the first step that needs what the device lacks. */
async function refuseMissing(device: WatchedDevice, { steps }: Scenario): Promise<void> {
  const has = await device.gadgets.capabilities();
  for (const [index, step] of steps.entries()) {
    const kind = scenarioKinds.find((each) => {
      const needed = step[each] === undefined ? undefined : neededFor[each];
      return needed !== undefined && !has[needed];
    });
    if (kind === undefined) continue;
    throw new AppError("SCENARIO_NOT_POSSIBLE", {
      details: { step: String(index + 1), kind, ...(step.name !== undefined && { name: step.name }) },
    });
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let size = 0;
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limits.scenarioBytes * 2 + ROOM_BYTES) throw new AppError("BODY_TOO_LARGE");
    parts.push(part);
  }
  return JSON.parse(Buffer.concat(parts).toString("utf8")) as unknown;
}
