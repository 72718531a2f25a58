import type { Scenario } from "@terrarium/contract";

/** What the api asks of a device's gateway about scenarios. */
export type ScenarioAsk =
  | { do: "check" | "start"; scenario: Scenario }
  | { do: "read" | "recorded" | "pause" | "resume" | "stop" };
