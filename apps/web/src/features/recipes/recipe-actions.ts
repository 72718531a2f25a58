import type { Recipe, RecipeAction } from "@terrarium/contract";
import type { TFunction } from "i18next";
import CopyPlus from "lucide-react/icons/copy-plus";
import Info from "lucide-react/icons/info";
import LinkGlyph from "lucide-react/icons/link";
import Pencil from "lucide-react/icons/pencil";
import Play from "lucide-react/icons/play";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Trash2 from "lucide-react/icons/trash-2";
import UserRoundPlus from "lucide-react/icons/user-round-plus";
import type { RowAction } from "../../components/list/list.ts";
import { isSaving } from "../../shared/catalogue/StatusMark.tsx";
import { whyNotStartable } from "./recipe-state.ts";

/** What can be asked for of a recipe. */
export type RecipeAct = "start" | "details" | "link" | "edit" | "duplicate" | "share" | "rollback" | "delete";

const glyphs = {
  start: Play,
  details: Info,
  link: LinkGlyph,
  edit: Pencil,
  duplicate: CopyPlus,
  share: UserRoundPlus,
  rollback: RotateCcw,
  delete: Trash2,
};

/** What the service lets this person do with a recipe, in the order of its menu. That it cannot be started now is said with the reason. */
export function recipeActions(t: TFunction, recipe: Recipe, ask: (what: RecipeAct) => void): RowAction[] {
  const may = (action: RecipeAction) => recipe.actions.includes(action);
  /** While it is being saved, nothing else changes it. */
  const mayChange = (action: RecipeAction) => may(action) && !isSaving(recipe.status);
  const why = whyNotStartable(recipe);
  const offered: RecipeAct[] = [
    "start",
    "details",
    "link",
    ...(mayChange("edit") ? (["edit"] as const) : []),
    ...(may("duplicate") ? (["duplicate"] as const) : []),
    ...(may("share") ? (["share"] as const) : []),
    ...(mayChange("roll_back") && recipe.can_roll_back ? (["rollback"] as const) : []),
    ...(mayChange("delete") ? (["delete"] as const) : []),
  ];
  return offered.map((id) => {
    const short = t(`recipes.actions.${id}`);
    return {
      id,
      glyph: glyphs[id],
      short,
      label: t("recipes.actions.one", { action: short, name: recipe.name }),
      run: () => ask(id),
      ...(id === "start" && { isMain: true, reason: why && t(`recipes.start.${why}`) }),
    };
  });
}
