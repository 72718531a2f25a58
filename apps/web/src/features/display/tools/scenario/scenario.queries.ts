import { queryOptions } from "@tanstack/react-query";
import { AppError, type GivenScenario, type ScenarioRun } from "@terrarium/contract";
import { mutation } from "../../../../components/mutation.ts";
import { client } from "../../../../session/client.ts";

const keyOf = (uuid: string) => ["tools", uuid, "scenario"] as const;

const RUNS_EVERY_MS = 500;
/** Others may start one, or a command may. */
const RESTS_EVERY_MS = 5_000;

export const isGoing = (run: ScenarioRun | null | undefined): run is ScenarioRun =>
  run?.status === "running" || run?.status === "paused";

/** The scenario that runs on a device, or that ran last. */
export const scenarioQuery = (uuid: string) =>
  queryOptions({
    queryKey: keyOf(uuid),
    queryFn: async ({ signal }) => (await client.scenarios.get({ params: { uuid } }, { signal })).run,
    refetchInterval: ({ state: { data } }) => (data?.status === "running" ? RUNS_EVERY_MS : RESTS_EVERY_MS),
    retry: false,
  });

export const runScenario = mutation({
  mutationKey: ["scenarios", "run"],
  mutationFn: async ({ uuid, scenario }: { uuid: string; scenario: GivenScenario }) => ({
    uuid,
    run: await client.scenarios.start({ params: { uuid }, body: { scenario } }),
  }),
  caches: (cache, { uuid, run }) => cache.setQueryData(keyOf(uuid), run),
  announces: (t) => t("scenario.started"),
});

export const changeScenario = mutation({
  mutationKey: ["scenarios", "change"],
  mutationFn: async ({ uuid, status }: { uuid: string; status: "running" | "paused" | "stopped" }) => ({
    uuid,
    run: await client.scenarios.change({ params: { uuid }, body: { status } }),
  }),
  caches: (cache, { uuid, run }) => cache.setQueryData(keyOf(uuid), run),
  // It has ended meanwhile, as is seen.
  refuses: (t, error) =>
    error instanceof AppError && error.code === "SCENARIO_NOT_RUNNING" ? undefined : t("scenario.failed"),
});

/** What people have set with the tools of a device, as a scenario; null if nobody has. */
export const takeRecorded = mutation({
  mutationKey: ["scenarios", "recorded"],
  mutationFn: async ({ uuid }: { uuid: string }) => (await client.scenarios.recorded({ params: { uuid } })).scenario,
  refuses: (t) => t("scenario.failed"),
});
