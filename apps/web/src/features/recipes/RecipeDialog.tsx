import { useQuery } from "@tanstack/react-query";
import type { Arch, Recipe } from "@terrarium/contract";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { snack } from "../../components/snack-queue.ts";
import { useMe } from "../../session/user.ts";
import { DeleteRecipeDialog } from "./DeleteRecipeDialog.tsx";
import type { RecipeAct } from "./recipe-actions.ts";
import { LinkDialog } from "./LinkDialog.tsx";
import { recipeOf } from "./recipes.queries.ts";
import { RecipeDetailsDialog } from "./RecipeDetailsDialog.tsx";
import { RecipeFormDialog } from "./RecipeFormDialog.tsx";
import { RollBackDialog } from "./RollBackDialog.tsx";

interface Props {
  what: Exclude<RecipeAct, "start" | "share">;
  /** As the list has it: shown until the service has said how it is now. */
  recipe: Recipe;
  supported: readonly Arch[] | undefined;
  /** Asks for its link. */
  onLink: () => void;
  onStart: () => void;
  onShare: () => void;
  onClose: () => void;
}

/** A dialog about one recipe. If the recipe cannot be fetched, it closes and a snack says so. */
export function RecipeDialog({ what, recipe: listed, supported, onLink, onStart, onShare, onClose }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const {
    data: recipe,
    error,
    isPlaceholderData,
    refetch,
  } = useQuery({
    ...recipeOf(listed.uuid),
    placeholderData: listed,
    staleTime: 0,
    gcTime: 0,
  });
  // An edit is of the recipe as it was when the form was filled, although fields that nobody has touched follow what others change.
  const [seen, setSeen] = useState<number>();
  if (seen === undefined && recipe && !isPlaceholderData) setSeen(recipe.revision);
  const lookAgain = async () => setSeen((await refetch()).data?.revision);
  const giveUp = useEffectEvent(() => {
    snack("error", t("errors.fetchRecipe"));
    onClose();
  });
  useEffect(() => {
    if (error) giveUp();
  }, [error]);
  if (!recipe) return null;
  switch (what) {
    case "details":
      return (
        <RecipeDetailsDialog
          recipe={recipe}
          me={me.uuid}
          onLink={onLink}
          onStart={onStart}
          onShare={onShare}
          onClose={onClose}
        />
      );
    case "link":
      return <LinkDialog recipe={recipe} onClose={onClose} />;
    case "delete":
      return <DeleteRecipeDialog recipe={recipe} me={me} onClose={onClose} />;
    case "rollback":
      return <RollBackDialog recipe={recipe} onClose={onClose} />;
    case "edit":
    case "duplicate":
      return (
        <RecipeFormDialog
          what={what}
          recipe={recipe}
          revision={seen ?? listed.revision}
          supported={supported}
          onStale={lookAgain}
          onClose={onClose}
          onDone={onClose}
        />
      );
    default:
      return what satisfies never;
  }
}
