import { Box } from "@mui/material";
import type { Recipe } from "@terrarium/contract";
import LoaderCircle from "lucide-react/icons/loader-circle";
import Unplug from "lucide-react/icons/unplug";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { StateChip } from "../../components/StateChip.tsx";
import type { Me } from "../../session/user.ts";
import { CatalogueCard, PICTURE_ROOM } from "../../shared/catalogue/CatalogueCard.tsx";
import { StatusMark } from "../../shared/catalogue/StatusMark.tsx";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import { type RecipeAct, recipeActions } from "./recipe-actions.ts";
import { shownStatus } from "./recipe-state.ts";
import { androidOf } from "./recipe-texts.ts";
import { RecipeOrigin } from "./RecipeOrigin.tsx";

interface Props {
  recipe: Recipe;
  me: Me;
  /** A device of it is being asked for. */
  isStarting: boolean;
  /** It is being shared. */
  isSharing: boolean;
  onAsk: (what: RecipeAct) => void;
}

/** A recipe in the list: its device, what it is made of, and what can be done with it. */
export function RecipeCard({ recipe, me, isStarting, isSharing, onAsk }: Props) {
  const { t } = useTranslation();
  const { hardware_profile: profile, os_image: image } = recipe;
  const status = shownStatus(recipe);
  const display = profile?.display_settings.displays[0];
  const actions = recipeActions(t, recipe, onAsk).map((action) =>
    isStarting && action.isMain ? { ...action, glyph: LoaderCircle, short: t("recipes.actions.starting") } : action,
  );
  const isReady = status === "READY";
  return (
    <CatalogueCard
      name={recipe.name}
      picture={profile ? <DeviceDrawing profile={profile} within={PICTURE_ROOM} /> : <Icon glyph={Unplug} size={24} />}
      caption={
        <Box component="span" sx={{ display: "flex", gap: 1.5 }}>
          <RecipeOrigin recipe={recipe} me={me.uuid} />
          {isReady && (
            <Box component="span" sx={{ display: "flex", flex: "none", gap: 1.5 }}>
              <span aria-hidden="true">·</span>
              <span>{t("catalogue.statuses.READY")}</span>
            </Box>
          )}
        </Box>
      }
      description={recipe.description}
      tags={[
        image ? androidOf(t, image) : t("recipes.page.noImage"),
        ...(image ? [image.arch] : []),
        display ? t("recipes.page.size", display) : t("recipes.page.noProfile"),
      ]}
      {...(profile && {
        facts: t("recipes.page.hardware", { cpu: profile.cpu_count, ram: profile.ram_size / 1024 }),
      })}
      chip={
        isSharing ? (
          <StateChip tone="info" glyph={LoaderCircle} spins label={t("recipes.actions.sharing")} />
        ) : (
          !isReady && <StatusMark status={status} />
        )
      }
      actions={actions}
      isBusy={isStarting || isSharing}
      isMainBusy={isStarting}
      open={() => onAsk("details")}
    />
  );
}
