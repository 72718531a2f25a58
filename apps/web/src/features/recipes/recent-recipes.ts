import { createPreference } from "../../components/preferences.ts";

/** As many as the shelf has places. */
const MAX = 6;

/** What was started lately in this browser, the latest first: identifiers of recipes. */
export const recentRecipes = createPreference<string[]>({
  name: "recent-recipes",
  version: 1,
  byDefault: [],
  accepts: (value): value is string[] => Array.isArray(value) && value.every((uuid) => typeof uuid === "string"),
});

export const rememberRecipe = (uuid: string): void =>
  recentRecipes.write([uuid, ...recentRecipes.read().filter((other) => other !== uuid)].slice(0, MAX));
