import "../../en/recipes.ts";
import { Box, ButtonBase, Skeleton, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import type { CompleteRecipe, Instance, Organization } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { visuallyHidden } from "../../components/hidden.ts";
import type { Me } from "../../session/user.ts";
import { caseGrid, GlassCase } from "../../shared/GlassCase.tsx";
import { OPENED_DEVICE } from "../../shared/opened-device.ts";
import { recentRecipes } from "./recent-recipes.ts";
import { recipeShelf } from "./recipes.queries.ts";
import { useOnePress } from "./use-one-press.tsx";

interface Props {
  me: Me;
  /** Not there for guests, and while it loads. */
  organization: Organization | undefined;
  onStarted: (device: Instance) => void;
}

/** What stands where no device runs: devices under glass, and one press starts one. */
export function DeviceShelf({ me, organization, onStarted }: Props) {
  const { t } = useTranslation();
  const [recent] = useState(recentRecipes.read);
  const { data, error, refetch } = useQuery({
    ...recipeShelf(recent, organization?.os_images_supported_arch),
    enabled: organization !== undefined || me.organization === null,
  });
  const [pressed, setPressed] = useState<string>();
  const { press, isStarting, failure } = useOnePress({ me, organization, onStarted });

  if (error)
    return (
      <ErrorState {...t("recipes.failed", { returnObjects: true })} error={error} onRetry={() => void refetch()} />
    );
  if (!data) return <Loading />;
  if (data.length === 0)
    return <EmptyState {...t(`recipes.shelf.${me.role === "guest" ? "guest" : "none"}`, { returnObjects: true })} />;
  return (
    <Box component="section" aria-labelledby="shelf-title">
      <Typography id="shelf-title" variant="h2">
        {t("recipes.shelf.title")}
      </Typography>
      <Typography color="textSecondary" sx={{ mb: { xs: 4, sm: 5 } }}>
        {t("recipes.shelf.lead")}
      </Typography>
      {failure}
      <Box component="ul" aria-label={t("recipes.shelf.list")} sx={shelf}>
        {data.map((recipe) => (
          <li key={recipe.uuid}>
            <Place
              recipe={recipe}
              isBusy={isStarting(recipe)}
              isPressed={recipe.uuid === pressed}
              onPress={() => {
                setPressed(recipe.uuid);
                press(recipe);
              }}
            />
          </li>
        ))}
      </Box>
    </Box>
  );
}

interface PlaceProps {
  recipe: CompleteRecipe;
  isBusy: boolean;
  /** The last one that was: the device that starts grows out of it. */
  isPressed: boolean;
  onPress: () => void;
}

function Place({ recipe, isBusy, isPressed, onPress }: PlaceProps) {
  const { t } = useTranslation();
  const { name, hardware_profile: profile } = recipe;
  const display = profile.display_settings.displays[0];
  return (
    <ButtonBase aria-busy={isBusy} onClick={onPress} sx={place}>
      <GlassCase profile={profile} transitionName={isPressed ? OPENED_DEVICE : undefined} />
      <Box sx={{ px: 3, py: 2.5, minWidth: 0 }}>
        <Typography noWrap sx={{ fontWeight: 550, color: "text.primary" }} title={name}>
          <span style={visuallyHidden}>{t("recipes.shelf.start")} </span>
          {name}
        </Typography>
        <Typography variant="caption" component="div" sx={{ color: "text.tertiary" }} aria-live="polite">
          {isBusy ? t("recipes.shelf.busy") : display && t("recipes.start.size", display)}
        </Typography>
      </Box>
    </ButtonBase>
  );
}

const Loading = () => (
  <Delayed>
    <Box aria-busy="true" sx={shelf}>
      {[1, 2, 3, 4, 5, 6].map((one) => (
        <Skeleton
          key={one}
          variant="rounded"
          animation={false}
          sx={{ height: { xs: 194, sm: 254 }, borderRadius: "10px" }}
        />
      ))}
    </Box>
  </Delayed>
);

const shelf = {
  ...caseGrid,
  gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", md: "repeat(3, minmax(0, 1fr))" },
  maxWidth: 1160,
} as const;

const place = (theme: Theme) => ({
  display: "block",
  width: "100%",
  textAlign: "left",
  overflow: "hidden",
  borderRadius: "10px",
  background: theme.vars.palette.background.paper,
  boxShadow: `inset 0 0 0 1px ${theme.vars.palette.divider}, var(--glass-edge)`,
  transition: "box-shadow 120ms",
  "&:hover, &[aria-busy=true]": { boxShadow: `inset 0 0 0 1px ${theme.vars.palette.primary.main}` },
  "@media (forced-colors: active)": { border: "1px solid" },
});
