import { createPreference } from "../../components/preferences.ts";

export const sources = ["all", "official", "custom"] as const;
export type Source = (typeof sources)[number];

/** Which recipes the start dialog offers first. */
export const sourcePreference = createPreference<Source>({
  name: "start-device-recipe-source",
  version: 1,
  byDefault: "all",
  accepts: (value): value is Source => sources.some((source) => source === value),
});
