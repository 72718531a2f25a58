import { Alert, Box, Button } from "@mui/material";
import type { Recipe } from "@terrarium/contract";
import Play from "lucide-react/icons/play";
import { useTranslation } from "react-i18next";
import { CopyId } from "../../components/CopyId.tsx";
import { Icon } from "../../components/Icon.tsx";
import { RelativeTime } from "../../components/RelativeTime.tsx";
import { DetailsDialog } from "../../shared/catalogue/DetailsDialog.tsx";
import { StatusMark } from "../../shared/catalogue/StatusMark.tsx";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import { shownStatus, whyNotStartable } from "./recipe-state.ts";
import { RecipeOrigin } from "./RecipeOrigin.tsx";

interface Props {
  recipe: Recipe;
  /** The uuid of whoever looks. */
  me: string;
  onLink: () => void;
  onStart: () => void;
  onShare: () => void;
  onClose: () => void;
}

/** All that is known about a recipe. */
export function RecipeDetailsDialog({ recipe, me, onLink, onStart, onShare, onClose }: Props) {
  const { t } = useTranslation();
  const { hardware_profile: profile, os_image: image } = recipe;
  const reason = whyNotStartable(recipe);
  const used = (part: { name: string; recipe_count: number } | null) =>
    part ? t("recipes.details.used", { name: part.name, count: part.recipe_count }) : t("recipes.details.wasDeleted");
  const displays = profile?.display_settings.displays.map((display) => t("recipes.start.size", display)) ?? [];
  const facts: (readonly [string, React.ReactNode])[] = [
    [t("recipes.details.status"), <StatusMark key="status" status={shownStatus(recipe)} />],
    [
      t("recipes.details.source"),
      <Box
        key="source"
        component="span"
        sx={{ display: "inline-flex", flexWrap: "wrap", justifyContent: "end", gap: 2 }}
      >
        <RecipeOrigin recipe={recipe} me={me} />
      </Box>,
    ],
    ...(recipe.share
      ? [[t("recipes.details.shared"), <RelativeTime key="shared" time={recipe.share.created_at} />] as const]
      : []),
    [t("recipes.details.profile"), used(profile)],
    [
      t(displays.length > 1 ? "recipes.details.displays" : "recipes.details.display"),
      <Box key="displays" component="span" sx={{ whiteSpace: "pre-line" }}>
        {displays.join("\n") || t("common.none")}
      </Box>,
    ],
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
        <>
          <Button variant="text" onClick={onLink}>
            {t("recipes.actions.link")}
          </Button>
          {recipe.actions.includes("share") && <Button onClick={onShare}>{t("recipes.actions.share")}</Button>}
          {reason === undefined && (
            <Button variant="contained" color="primary" onClick={onStart}>
              <Icon glyph={Play} size={14} />
              {t("recipes.actions.start")}
            </Button>
          )}
        </>
      }
    >
      {recipe.share?.message && (
        <Box component="blockquote" sx={message}>
          {recipe.share.message}
        </Box>
      )}
      {reason && (
        <Alert severity="warning" sx={{ mb: 4 }}>
          {t(`recipes.start.${reason}`)}
        </Alert>
      )}
    </DetailsDialog>
  );
}

/** What whoever shared it has written to whom they share it with. */
const message = {
  m: 0,
  mb: 4,
  pl: 3,
  borderLeft: "2px solid var(--mui-palette-divider)",
  color: "text.secondary",
  whiteSpace: "pre-wrap",
  overflowWrap: "anywhere",
} as const;
