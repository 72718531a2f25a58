import "../../en/recipes.ts";
import { Box, Button, Dialog, IconButton, Typography, useMediaQuery } from "@mui/material";
import { AppError } from "@terrarium/sdk";
import { type Instance, isGiven, type Organization, type Recipe } from "@terrarium/contract";
import CornerDownLeft from "lucide-react/icons/corner-down-left";
import LoaderCircle from "lucide-react/icons/loader-circle";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Me } from "../../session/user.ts";
import { Icon } from "../../components/Icon.tsx";
import { snack } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { useTrouble } from "../../components/use-trouble.ts";
import { deviceNameOf, hasControlCharacters } from "./device-name.ts";
import { LimitDialog } from "./LimitDialog.tsx";
import { RecipePane } from "./RecipePane.tsx";
import { whyNotStartable } from "./recipe-state.ts";
import { isLimitReached, startErrorKey } from "./start-error.ts";
import { StartSummary } from "./StartSummary.tsx";
import { useRecipePicker } from "./use-recipe-picker.ts";
import { type Idle, useStart } from "./use-start.ts";

interface Props {
  me: Me;
  /** Not there for guests, and while it loads. */
  organization: Organization | undefined;
  /** Chosen from the start. */
  recipe?: Recipe | undefined;
  onClose: () => void;
  onStarted: (instance: Instance) => void;
}

/** Choose a recipe, name the device, start it. Enter starts from wherever one is. */
export default function StartDialog({ me, organization, recipe, onClose, onStarted }: Props) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  const hasSources = me.role !== "guest";
  const picker = useRecipePicker({ hasSources, first: recipe });
  const [ownName, setOwnName] = useState<string>();
  const [idle, setIdle] = useState<Idle>("automatic");
  const [limitCode, setLimitCode] = useState<string>();
  const { isBusy, start } = useStart();
  const { chosen } = picker;
  const trouble = useTrouble();

  const name = ownName ?? (chosen ? deviceNameOf(chosen.name) : "");
  const nameError = isGiven(name)
    ? hasControlCharacters(name)
      ? t("errors.forms.invisible")
      : undefined
    : t("errors.forms.required");
  const isReady = chosen !== undefined && nameError === undefined && whyNotStartable(chosen) === undefined;

  const submit = async () => {
    if (!chosen || !isReady || isBusy) return;
    trouble.takeBack();
    try {
      const instance = await start({ recipe: chosen, name, idle });
      snack("success", t("recipes.startRecipeSuccess", { name: instance.name }));
      onStarted(instance);
    } catch (error) {
      const code = error instanceof AppError ? error.code : "other";
      if (isLimitReached(code)) setLimitCode(code);
      else trouble.say(t(`recipes.startErrors.${startErrorKey(code, me.role)}`));
    }
  };

  if (limitCode)
    return (
      <LimitDialog
        code={limitCode}
        role={me.role}
        recipe={chosen?.name ?? ""}
        organization={organization}
        onClose={onClose}
      />
    );
  return (
    <Dialog
      open
      onClose={onClose}
      fullScreen={isPhone}
      aria-labelledby="start-title"
      slotProps={{ paper: { sx: isPhone ? {} : { width: 912, maxWidth: "calc(100vw - 32px)", height: 672, m: 4 } } }}
    >
      <Box
        component="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        sx={{ display: "flex", flexDirection: "column", flex: 1, minHeight: 0 }}
      >
        <Box sx={{ display: "flex", alignItems: "center", pl: { xs: 4, sm: 6 }, pr: 4, pt: 4, pb: 3 }}>
          <Typography id="start-title" variant="h2" sx={{ flex: 1 }}>
            {t("recipes.start.title")}
          </Typography>
          <IconButton aria-label={t("common.close")} onClick={onClose}>
            <Icon glyph={X} size={18} />
          </IconButton>
        </Box>
        <Box sx={panes}>
          <RecipePane picker={picker} hasSources={hasSources} onStart={() => void submit()} />
          <StartSummary
            recipe={chosen}
            organization={organization}
            name={name}
            nameError={nameError}
            onName={setOwnName}
            idle={idle}
            onIdle={setIdle}
          />
        </Box>
        <Box sx={footer}>
          <Typography variant="body2" sx={{ flex: 1, color: "text.tertiary", display: { xs: "none", sm: "block" } }}>
            {organization &&
              t("recipes.start.running", {
                used: organization.running_instances,
                max: organization.license.instances.max,
              })}
          </Typography>
          <Button variant="text" onClick={onClose} sx={{ height: 36 }}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" variant="contained" color="primary" disabled={!isReady} sx={{ height: 36, px: 4 }}>
            {isBusy && <Icon glyph={LoaderCircle} spins />}
            {t(isBusy ? "recipes.start.busy" : "recipes.start.submit")}
            {!isPhone && !isBusy && <Icon glyph={CornerDownLeft} size={14} />}
          </Button>
        </Box>
      </Box>
      <Snacks />
    </Dialog>
  );
}

const panes = {
  flex: 1,
  minHeight: 0,
  display: "grid",
  gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "minmax(0, 1fr) 300px", md: "minmax(0, 1fr) 336px" },
  gridAutoRows: { xs: "max-content", sm: "minmax(0, 1fr)" },
  overflowY: { xs: "auto", sm: "hidden" },
  borderTop: 1,
  borderColor: "divider",
};
const footer = {
  display: "flex",
  alignItems: "center",
  justifyContent: "flex-end",
  gap: 2,
  px: { xs: 4, sm: 6 },
  py: 3,
  borderTop: 1,
  borderColor: "divider",
};
