import { Alert, Box, Button, Typography } from "@mui/material";
import type { Instance, Organization, Recipe } from "@terrarium/contract";
import Play from "lucide-react/icons/play";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { FactList } from "../../components/FactList.tsx";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { Icon } from "../../components/Icon.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import type { Me } from "../../session/user.ts";
import { Origin } from "../../shared/catalogue/Origin.tsx";
import { whyNotStartable } from "./recipe-state.ts";
import { automaticIdle, startFacts } from "./start-facts.ts";

interface Props {
  recipe: Recipe;
  me: Me;
  organization: Organization | undefined;
  /** What was started on this visit; `undefined` while that is not known, null if nothing was. */
  before: { device: Instance; isRunning: boolean } | null | undefined;
  isBusy: boolean;
  /** Why it did not start, if it was tried. */
  refusal: React.ReactNode;
  onStart: () => void;
}

/** What would start, whose limit it counts for, and the one button. */
export function StartPanel({ recipe, me, organization, before, isBusy, refusal, onStart }: Props) {
  const { t } = useTranslation();
  const reason = whyNotStartable(recipe);
  const running = before?.isRunning ? before.device : undefined;
  const facts = {
    ...Object.fromEntries(
      Object.entries(startFacts(t, recipe, organization)).map(([term, value]) => [
        t(`recipes.start.${term as keyof ReturnType<typeof startFacts>}`),
        value,
      ]),
    ),
    [t("recipes.start.idle")]: automaticIdle(t, organization),
    [t("startPage.runsIn")]:
      me.organization === null
        ? t("startPage.runsInOwners")
        : organization
          ? t("startPage.runsInValue", {
              organization: organization.name,
              used: organization.running_instances,
              max: organization.license.instances.max,
            })
          : t("common.none"),
  };
  const start = {
    onClick: ({ detail }: React.MouseEvent) => {
      // The second half of a double click was meant for the page before this one, as is a key that is still held.
      if (detail < 2 && !isBusy) onStart();
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      if (event.repeat) event.preventDefault();
    },
    "aria-busy": isBusy,
  };
  return (
    <Box component="section" aria-labelledby="start-recipe" sx={panel}>
      <div>
        <Typography
          id="start-recipe"
          variant="h2"
          sx={{ fontSize: "1.25rem", lineHeight: 1.4, overflowWrap: "anywhere" }}
        >
          {recipe.name}
        </Typography>
        <Typography variant="body2" component="div" sx={{ color: "text.tertiary" }}>
          <Origin item={recipe} me={me.uuid} />
        </Typography>
      </div>
      {recipe.description && (
        <Typography color="textSecondary" sx={{ overflowWrap: "anywhere" }}>
          {recipe.description}
        </Typography>
      )}
      {reason && !running && <Alert severity="warning">{t(`recipes.start.${reason}`)}</Alert>}
      {refusal && <Alert severity="error">{refusal}</Alert>}
      {before && (
        <Alert severity={running ? "success" : "info"}>
          {t(running ? "startPage.running" : "startPage.ended", { name: before.device.name })}
        </Alert>
      )}
      <Box sx={{ display: "grid", gap: 2 }}>
        {running && (
          <Button
            ref={focusWhenShown}
            component={Link}
            to={`/instance/${running.uuid}`}
            variant="contained"
            color="primary"
            sx={large}
          >
            {t("startPage.open")}
          </Button>
        )}
        {before !== undefined && reason === undefined && (
          <Button
            {...start}
            {...(running
              ? { variant: "text" as const }
              : { ref: focusWhenShown, variant: "contained" as const, color: "primary" as const })}
            sx={large}
          >
            <Icon glyph={Play} />
            {isBusy
              ? t("recipes.start.busy")
              : running
                ? t("startPage.another")
                : t("recipes.start.submit", { count: 1 })}
          </Button>
        )}
        <Typography variant="caption" sx={{ color: "text.tertiary", textAlign: "center" }}>
          {t("startPage.as", { name: nameOf(me) })}
        </Typography>
      </Box>
      <FactList>
        {Object.entries(facts).map(([term, value]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </FactList>
    </Box>
  );
}

const large = { height: 44, fontSize: "0.9375rem" };

const line = "1px solid var(--mui-palette-divider)";
const panel = {
  display: "flex",
  flexDirection: "column",
  gap: 5,
  minHeight: 0,
  overflowY: { md: "auto" },
  p: { xs: 4, md: 6 },
  bgcolor: "background.paper",
  borderLeft: { md: line },
  borderTop: { xs: line, md: 0 },
} as const;
