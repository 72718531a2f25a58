import "../../en/launchpad.ts";
import "../../en/recipes-page.ts";
import { Button } from "@mui/material";
import { useMutationState, useQuery } from "@tanstack/react-query";
import type { Instance, Recipe } from "@terrarium/contract";
import Plus from "lucide-react/icons/plus";
import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Icon } from "../../components/Icon.tsx";
import { PageHeader } from "../../components/PageHeader.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
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
type AboutOne = { what: Exclude<RecipeAct, "start" | "share">; recipe: Recipe };

/** The recipes that one may start, and what can be done with them. */
export default function RecipesPage() {
  // An old name of the official recipes.
  return useLocation().hash === "#default" ? <Navigate replace to="/recipes/#official" /> : <Recipes />;
}

function Recipes() {
  const { t } = useTranslation();
  const me = useMe();
  const isGuest = me.role === "guest";
  const { asked, ask, close } = useDialog<Asked>();
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
  const create = () => ask({ what: "create" });
  const started = (device: Instance) => {
    if (device.recipe) rememberRecipe(device.recipe.uuid);
    if (isGuest && !hideStopReminder.read()) ask({ what: "reminder", device });
    else close();
  };

  const aboutOne = ({ what, recipe }: AboutOne) => (
    <RecipeDialog
      key={recipe.uuid}
      what={what}
      recipe={recipe}
      supported={supported}
      onLink={() => ask({ what: "link", recipe })}
      onStart={() => ask({ what: "start", recipe })}
      onShare={() => ask({ what: "share", recipe })}
      onClose={close}
    />
  );

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
            onAsk={(what) => ask({ what, recipe })}
          />
        )}
        empty={<EmptyState {...t(`recipes.page.${isGuest ? "guest" : "empty"}`, { returnObjects: true })} />}
        instead={createButton}
      />
      <OpenDialog
        asked={asked}
        dialogs={{
          create: () => <RecipeFormDialog what="create" supported={supported} onClose={close} onDone={close} />,
          start: ({ recipe }) => (
            <StartDialog me={me} organization={organization} recipe={recipe} onClose={close} onStarted={started} />
          ),
          reminder: ({ device }) => <StopReminder instance={device} onClose={close} />,
          share: ({ recipe }) => <ShareDialog recipe={recipe} me={me} onClose={close} />,
          details: aboutOne,
          link: aboutOne,
          edit: aboutOne,
          duplicate: aboutOne,
          rollback: aboutOne,
          delete: aboutOne,
        }}
      />
    </>
  );
}
