import "../../en/launchpad.ts";
import "../../en/recipes-page.ts";
import { Button } from "@mui/material";
import { useMutationState, useQuery } from "@tanstack/react-query";
import type { Instance, Recipe } from "@terrarium/contract";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { PageHeader } from "../../components/PageHeader.tsx";
import { useMe } from "../../session/user.ts";
import { CatalogueView, type CatalogueWords } from "../../shared/catalogue/CatalogueView.tsx";
import { useCatalogue } from "../../shared/catalogue/use-catalogue.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { ShareDialog } from "../shares/ShareDialog.tsx";
import { type ShareAsk, shareRecipe } from "../shares/shares.queries.ts";
import { hideStopReminder, StopReminder } from "../instances/StopReminder.tsx";
import { rememberRecipe } from "./recent-recipes.ts";
import type { RecipeAct } from "./recipe-actions.ts";
import { RecipeCard } from "./RecipeCard.tsx";
import { RecipeDialog } from "./RecipeDialog.tsx";
import { RecipeFormDialog } from "./RecipeFormDialog.tsx";
import { recipeList, startDevice, type StartAsk } from "./recipes.queries.ts";
import { StartDialog } from "./StartDialog.tsx";

type Asked = { what: "create" } | { what: RecipeAct; recipe: Recipe } | { what: "reminder"; device: Instance };

type AboutOne = Extract<Asked, { recipe: Recipe }> & { what: Exclude<RecipeAct, "start" | "share"> };
const isAboutOne = (asked: Asked): asked is AboutOne => !["create", "start", "share", "reminder"].includes(asked.what);

/** The recipes that one may start, and what can be done with them. */
export default function RecipesPage() {
  // An old name of the official recipes.
  return useLocation().hash === "#default" ? <Navigate replace to="/recipes/#official" /> : <Recipes />;
}

function Recipes() {
  const { t } = useTranslation();
  const me = useMe();
  const isGuest = me.role === "guest";
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const { data: organization } = useQuery({ ...organizationOf(me), refetchOnMount: "always" });
  const supported = organization?.os_images_supported_arch;
  const state = useCatalogue<Recipe>({
    hasSources: !isGuest,
    query: ({ source, ...ask }) =>
      recipeList({ ...ask, arch: [ask.arch], ...(source && { source: source === "custom" ? "shared" : source }) }),
  });
  const starting = useMutationState({
    filters: { mutationKey: startDevice.mutationKey, status: "pending" },
    select: ({ state: { variables } }) => (variables as StartAsk).recipe.uuid,
  });
  const sharing = useMutationState({
    filters: { mutationKey: shareRecipe.mutationKey, status: "pending" },
    select: ({ state: { variables } }) => (variables as ShareAsk).recipe.uuid,
  });
  const create = () => setAsked({ what: "create" });
  const started = (device: Instance) => {
    if (device.recipe) rememberRecipe(device.recipe.uuid);
    setAsked(isGuest && !hideStopReminder.read() ? { what: "reminder", device } : undefined);
  };

  const words: CatalogueWords = {
    label: t("recipes.page.list"),
    search: t("recipes.page.search"),
    count: (count) => t("recipes.page.count", { count }),
    failed: { title: t("errors.fetchRecipes"), help: t("recipes.page.safe") },
    noMatch: (search) => t(search ? "recipes.page.noneOf" : "recipes.page.none", { search }),
  };
  const createButton = !isGuest && (
    <Button onClick={create}>
      <Icon glyph={Plus} />
      {t("recipes.page.create")}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t("recipes.page.title")}
        action={isGuest ? undefined : { label: t("recipes.page.create"), run: create }}
      />
      <CatalogueView
        state={state}
        words={words}
        hasArch
        idOf={({ uuid }) => uuid}
        card={(recipe) => (
          <RecipeCard
            recipe={recipe}
            me={me}
            isStarting={starting.includes(recipe.uuid)}
            isSharing={sharing.includes(recipe.uuid)}
            onAsk={(what) => setAsked({ what, recipe })}
          />
        )}
        empty={<EmptyState {...t(`recipes.page.${isGuest ? "guest" : "empty"}`, { returnObjects: true })} />}
        instead={createButton}
      />
      {asked?.what === "create" && (
        <RecipeFormDialog what="create" supported={supported} onClose={close} onDone={close} />
      )}
      {asked?.what === "start" && (
        <StartDialog me={me} organization={organization} recipe={asked.recipe} onClose={close} onStarted={started} />
      )}
      {asked?.what === "reminder" && <StopReminder instance={asked.device} onClose={close} />}
      {asked?.what === "share" && <ShareDialog recipe={asked.recipe} me={me} onClose={close} />}
      {asked && isAboutOne(asked) && (
        <RecipeDialog
          key={asked.recipe.uuid}
          what={asked.what}
          recipe={asked.recipe}
          supported={supported}
          onLink={() => setAsked({ what: "link", recipe: asked.recipe })}
          onStart={() => setAsked({ what: "start", recipe: asked.recipe })}
          onShare={() => setAsked({ what: "share", recipe: asked.recipe })}
          onClose={close}
        />
      )}
    </>
  );
}
