import { isComplete, type Recipe } from "@terrarium/contract";
import type { ShownStatus } from "../../shared/catalogue/StatusMark.tsx";

/** The status to show of a recipe: of one that has lost a part, its own says too little. */
export const shownStatus = (recipe: Recipe): ShownStatus =>
  recipe.status === "READY" && !isComplete(recipe) ? "INCOMPLETE" : recipe.status;

/** Why a recipe cannot be started, or undefined when it can. */
export function whyNotStartable(recipe: Recipe): "incomplete" | "notReady" | "inError" | "noRuntime" | undefined {
  if (!isComplete(recipe)) return "incomplete";
  if (recipe.status === "ERROR" || recipe.os_image.status === "ERROR") return "inError";
  if (recipe.status !== "READY" || recipe.os_image.status !== "READY") return "notReady";
  return recipe.os_image.is_runtime_configured ? undefined : "noRuntime";
}
