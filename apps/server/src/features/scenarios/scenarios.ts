import { AppError, isErrorCode, type Scenario, type ScenarioRun } from "@terrarium/contract";
import { askProcess } from "../../platform/http/ask-process.ts";
import type { DatabaseRateLimiter, Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { By } from "../audit/by.ts";
import { findGatewayOf } from "../instances/gateways.ts";
import { type InstanceDeps, openDisplay, seeInstance } from "../instances/instances.ts";
import { scenarioPathOf } from "../instances/visit-path.ts";
import type { Actor } from "../sessions/actor.ts";
import type { ScenarioAsk } from "./scenario-ask.ts";

export interface ScenarioDeps extends InstanceDeps {
  limiter: DatabaseRateLimiter;
}

/** Each is read whole, here and at the gateway. */
const startsOfUser: Limit = { name: "scenarios that a user starts or checks", max: 120, windowMs: 60_000 };

/** The display of a device that nobody has looked at is opened within 15 seconds, and a device says what it has within ten. */
const ANSWER_MS = 30_000;

/** Has a scenario run at the device's gateway, or only looked at. Whether the caller may control the device is looked at there. */
export async function startScenario(
  deps: ScenarioDeps,
  actor: Actor,
  { uuid, scenario, isDryRun }: { uuid: string; scenario: Scenario; isDryRun: boolean },
  by: By,
): Promise<ScenarioRun> {
  const { db, audit, limiter } = deps;
  await limiter.take(startsOfUser, actor.uuid);
  const { answer, organization } = await ask(deps, actor, uuid, { do: isDryRun ? "check" : "start", scenario });
  const run = answer as ScenarioRun;
  if (!isDryRun)
    await audit.record(db, by, {
      action: "instance.run_scenario",
      subject: { kind: "instance", uuid },
      organization,
      details: { name: run.name, steps: run.steps.length, run: run.uuid },
    });
  return run;
}

/** Asks about scenarios what changes nothing that is recorded. */
export const askScenario = async <Answer>(
  deps: ScenarioDeps,
  actor: Actor,
  uuid: string,
  asked: Exclude<ScenarioAsk, { scenario: Scenario }>,
): Promise<Answer> => (await ask(deps, actor, uuid, asked)).answer as Answer;

/** Asks the gateway of a device, as somebody who may see its display. */
async function ask(
  deps: ScenarioDeps,
  actor: Actor,
  uuid: string,
  asked: ScenarioAsk,
): Promise<{ answer: unknown; organization: string }> {
  const { access_token: token } = await openDisplay(deps, actor, uuid);
  const { state, organization_uuid: organization } = await seeInstance(deps, actor, uuid);
  const notOnline = () => new AppError("INSTANCE_NOT_ONLINE", { facts: { state } });
  if (state !== "ONLINE") throw notOnline();
  const to = await findGatewayOf(deps.db, deps.clock, uuid, new AbortController().signal);
  if (to === undefined) throw new AppError("SERVICE_UNAVAILABLE");
  const { status, json } = await askProcess(deps.clock, {
    to,
    path: scenarioPathOf(uuid),
    headers: { authorization: `Bearer ${token}` },
    body: asked,
    timeoutMs: ANSWER_MS,
  }).catch((cause: unknown) => {
    throw new AppError("SERVICE_UNAVAILABLE", { cause });
  });
  if (status === 200) return { answer: json, organization };
  const { code, details } = json as { code: unknown; details?: Record<string, string> };
  if (code === "INSTANCE_NOT_ONLINE") throw notOnline();
  throw new AppError(isErrorCode(code) ? code : "SERVICE_UNAVAILABLE", { details });
}
