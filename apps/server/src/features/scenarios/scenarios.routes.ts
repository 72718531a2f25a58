import type { Scenario, ScenarioRun, scenarios } from "@terrarium/contract";
import type { Handlers } from "../../platform/http/implement.ts";
import { byCaller } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { askScenario, type ScenarioDeps, startScenario } from "./scenarios.ts";

const asks = { running: "resume", paused: "pause", stopped: "stop" } as const;

export const scenarioRoutes = (deps: ScenarioDeps): Handlers<typeof scenarios, Actor> => ({
  start: ({ params: { uuid }, body: { scenario, dry_run: isDryRun }, ...call }) =>
    startScenario(deps, call.actor, { uuid, scenario, isDryRun }, byCaller(call)),
  get: ({ actor, params }) => askScenario<{ run: ScenarioRun | null }>(deps, actor, params.uuid, { do: "read" }),
  change: ({ actor, params, body }) => askScenario<ScenarioRun>(deps, actor, params.uuid, { do: asks[body.status] }),
  recorded: ({ actor, params }) =>
    askScenario<{ scenario: Scenario | null }>(deps, actor, params.uuid, { do: "recorded" }),
});
