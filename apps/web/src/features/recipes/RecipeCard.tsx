import { Box } from "@mui/material";
import type { Recipe } from "@terrarium/contract";
import LoaderCircle from "lucide-react/icons/loader-circle";
import Unplug from "lucide-react/icons/unplug";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import type { Me } from "../../session/user.ts";
import { CatalogueCard, PICTURE_ROOM } from "../../shared/catalogue/CatalogueCard.tsx";
import { Origin } from "../../shared/catalogue/Origin.tsx";
import { StatusMark } from "../../shared/catalogue/StatusMark.tsx";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import { type RecipeAct, recipeActions } from "./recipe-actions.ts";
import { androidOf } from "./recipe-texts.ts";

interface Props {
  recipe: Recipe;
  me: Me;
  /** A device of it is being asked for. */
  isStarting: boolean;
  onAsk: (what: RecipeAct) => void;
}

/** A recipe in the list: its device, what it is made of, and what can be done with it. */
export function RecipeCard({ recipe, me, isStarting, onAsk }: Props) {
  const { t } = useTranslation();
  const { hardware_profile: profile, os_image: image, status } = recipe;
  const display = profile?.display_settings.displays[0];
  const actions = recipeActions(t, me, recipe, onAsk).map((action) =>
    isStarting && action.isMain ? { ...action, glyph: LoaderCircle, short: t("recipes.actions.starting") } : action,
  );
  const isReady = status === "READY";
  return (
    <CatalogueCard
      name={recipe.name}
      picture={profile ? <DeviceDrawing profile={profile} within={PICTURE_ROOM} /> : <Icon glyph={Unplug} size={24} />}
      caption={
        <Box component="span" sx={{ display: "flex", gap: 1.5 }}>
          <Origin item={recipe} me={me.uuid} />
          {isReady && (
            <>
              <span aria-hidden="true">·</span>
              <span>{t("catalogue.statuses.READY")}</span>
            </>
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
      chip={!isReady && <StatusMark status={status} />}
      actions={actions}
      isBusy={isStarting}
      open={() => onAsk("details")}
    />
  );
}
