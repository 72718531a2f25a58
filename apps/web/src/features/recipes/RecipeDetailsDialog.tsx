import { Alert, Box, Button } from "@mui/material";
import type { Recipe } from "@terrarium/contract";
import Play from "lucide-react/icons/play";
import { useTranslation } from "react-i18next";
import { CopyId } from "../../components/CopyId.tsx";
import { Icon } from "../../components/Icon.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { DetailsDialog } from "../../shared/catalogue/DetailsDialog.tsx";
import { Origin } from "../../shared/catalogue/Origin.tsx";
import { StatusMark } from "../../shared/catalogue/StatusMark.tsx";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import { whyNotStartable } from "./recipe-state.ts";

interface Props {
  recipe: Recipe;
  /** The uuid of whoever looks. */
  me: string;
  onStart: () => void;
  onClose: () => void;
}

/** All that is known of a recipe. */
export function RecipeDetailsDialog({ recipe, me, onStart, onClose }: Props) {
  const { t } = useTranslation();
  const { hardware_profile: profile, os_image: image } = recipe;
  const reason = whyNotStartable(recipe);
  const used = (part: { name: string; recipe_count: number } | null) =>
    part ? t("recipes.details.used", { name: part.name, count: part.recipe_count }) : t("recipes.details.wasDeleted");
  const displays = profile?.display_settings.displays.map((display) => t("recipes.start.size", display)) ?? [];
  const facts: (readonly [string, React.ReactNode])[] = [
    [t("recipes.details.status"), <StatusMark key="status" status={recipe.status} />],
    [t("recipes.details.source"), <Origin key="source" item={recipe} me={me} />],
    [t("recipes.details.profile"), used(profile)],
    [t(displays.length > 1 ? "recipes.details.displays" : "recipes.details.display"), displays.join("; ") || "–"],
    [
      t("recipes.details.hardware"),
      profile
        ? t("recipes.start.hardwareValue", {
            cpu: profile.cpu_count,
            ram: profile.ram_size / 1024,
            disk: profile.data_disk_size / 1024,
          })
        : t("common.none"),
    ],
    [t("recipes.details.image"), used(image)],
    [
      t("recipes.details.android"),
      image
        ? t("recipes.details.androidValue", {
            version: image.os_version.os_version,
            api: image.os_version.sdk_version,
          })
        : t("common.none"),
    ],
    [t("recipes.details.arch"), recipe.arch ?? t("common.none")],
    [t("recipes.details.created"), <RelativeTime key="created" time={recipe.created_at} />],
    [t("recipes.details.updated"), <RelativeTime key="updated" time={recipe.updated_at} />],
    [
      t("recipes.details.id"),
      <Box key="id" component="span" sx={{ display: "inline-flex" }}>
        <CopyId id={recipe.uuid} />
      </Box>,
    ],
  ];
  return (
    <DetailsDialog
      title={recipe.name}
      picture={profile && <DeviceDrawing profile={profile} within={{ width: 400, height: 164 }} />}
      description={recipe.description}
      facts={facts}
      onClose={onClose}
      actions={
        reason === undefined && (
          <Button variant="contained" color="primary" onClick={onStart}>
            <Icon glyph={Play} size={14} />
            {t("recipes.actions.start")}
          </Button>
        )
      }
    >
      {reason && (
        <Alert severity="warning" sx={{ mb: 4 }}>
          {t(`recipes.start.${reason}`)}
        </Alert>
      )}
    </DetailsDialog>
  );
}
