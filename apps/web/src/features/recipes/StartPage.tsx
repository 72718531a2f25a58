import "../../en/display.ts";
import "../../en/recipes.ts";
import "../../en/start-page.ts";
import { Box, Button, useMediaQuery } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { activeStates, AppError, type Recipe } from "@terrarium/contract";
import { newKey } from "@terrarium/sdk";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { Delayed } from "../../components/Delayed.tsx";
import { TiltedCloche } from "../../components/drawings.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { useIsHere } from "../../components/use-is-here.ts";
import { useTitle } from "../../components/use-title.ts";
import { routeRules } from "../../session/routes.ts";
import { useMe } from "../../session/user.ts";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { Arch } from "../../shared/Stage.tsx";
import { instanceQuery } from "../display/display.queries.ts";
import { DisplayHeader } from "../display/DisplayHeader.tsx";
import { SillStage } from "../display/SillStage.tsx";
import { deviceNameOf } from "./device-name.ts";
import { LicenseHint } from "./LicenseHint.tsx";
import { LimitDialog } from "./LimitDialog.tsx";
import { rememberRecipe } from "./recent-recipes.ts";
import { recipeOf, sayStarted, startAndShow } from "./recipes.queries.ts";
import { startErrorKey } from "./start-error.ts";
import { StartPanel } from "./StartPanel.tsx";
import { useStart } from "./use-start.ts";
import { useVisit } from "./use-visit.ts";

/**
 * What a link to a recipe leads to. Anybody may put such a link anywhere, so opening it starts nothing: the page shows what would start,
 * and one press starts it and leads to its display.
 */
export default function StartPage() {
  const { t } = useTranslation();
  const me = useMe();
  const { uuid = "" } = useParams();
  const { data: recipe, error, refetch } = useQuery(recipeOf(uuid));
  const isUnknown = error instanceof AppError && error.status < 500;
  return (
    <Box component="main" id="main" tabIndex={-1} sx={page}>
      <DisplayHeader title={t("startPage.title")} />
      {isUnknown ? (
        <EmptyState
          title={t("startPage.unknown.title")}
          help={t("startPage.unknown.help", { email: me.email })}
          drawing={<TiltedCloche />}
        >
          <Button component={Link} to={routeRules.recipes.path}>
            {t("startPage.unknown.recipes")}
          </Button>
        </EmptyState>
      ) : recipe ? (
        <Ready key={recipe.uuid} recipe={recipe} />
      ) : error ? (
        <ErrorState
          title={t("startPage.failed.title")}
          help={t("startPage.failed.help")}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <SillStage>
          <Delayed>
            <Box component="output" sx={{ placeSelf: "center", color: "text.secondary" }}>
              {t("startPage.loading")}
            </Box>
          </Delayed>
        </SillStage>
      )}
    </Box>
  );
}

function Ready({ recipe }: { recipe: Recipe }) {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const isNarrow = useMediaQuery((theme) => theme.breakpoints.down("md"));
  const { data: organization } = useQuery({ ...organizationOf(me), refetchOnMount: "always" });
  const [visit, remember] = useVisit();
  const before = useDevice(visit?.device);
  const { start, limit, hasFailed, refusal, forget } = useStart(startAndShow);
  // From the press on: to remember the visit takes a moment in which a second press would count as well.
  const [isBusy, setBusy] = useState(false);
  const isHere = useIsHere();
  useTitle(recipe.name);

  const startAndOpen = async () => {
    const ask = visit && !visit.device ? visit : { key: newKey(), name: deviceNameOf(recipe.name) };
    await remember(ask);
    const device = await start({ recipe, name: ask.name, idle: "automatic", key: ask.key });
    rememberRecipe(recipe.uuid);
    if (isHere.current) {
      await remember({ ...ask, device: device.uuid });
      await navigate(`/instance/${device.uuid}`);
    } else sayStarted(t, device);
  };
  const press = () => {
    setBusy(true);
    startAndOpen().catch(() => setBusy(false));
  };
  const { hardware_profile: profile } = recipe;
  return (
    <Box sx={panes}>
      <SillStage sill={t("startPage.sill")}>
        <Arch sx={{ width: isNarrow ? 280 : 620, height: isNarrow ? 226 : 560 }} />
        <Box sx={{ placeSelf: "center", maxWidth: "100%" }}>
          {profile && <DeviceDrawing profile={profile} within={isNarrow ? smallRoom : largeRoom} />}
        </Box>
      </SillStage>
      <StartPanel
        recipe={recipe}
        me={me}
        organization={organization}
        before={before}
        isBusy={isBusy}
        refusal={
          hasFailed ? (
            <>
              {t(`recipes.startErrors.${startErrorKey(refusal, me.role)}`)} <LicenseHint code={refusal} me={me} />
            </>
          ) : undefined
        }
        onStart={press}
      />
      {limit && (
        <LimitDialog
          code={limit}
          me={me}
          recipe={recipe.name}
          organization={organization}
          onClose={forget}
          onRetry={press}
        />
      )}
    </Box>
  );
}

/** The device of this visit: null if there is none, `undefined` while it is asked for. */
function useDevice(uuid: string | undefined) {
  const { data, error } = useQuery({ ...instanceQuery(uuid ?? ""), enabled: uuid !== undefined });
  if (uuid === undefined || (error && !data)) return null;
  return data && { device: data, isRunning: !error && activeStates.includes(data.state) };
}

const largeRoom = { width: 460, height: 460 };
const smallRoom = { width: 240, height: 196 };

const page = { display: "flex", flexDirection: "column", minHeight: "100dvh", minWidth: 0 };

const panes = {
  flex: 1,
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "minmax(0, 1fr) 420px" },
  gridTemplateRows: { xs: "300px 1fr", md: "calc(100dvh - 56px)" },
};
