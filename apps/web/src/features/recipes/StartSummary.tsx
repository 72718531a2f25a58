import { Alert, Box, MenuItem, Select, Typography } from "@mui/material";
import { inactivityOptions, limits, type Organization, type Recipe } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import { shapeOf } from "../../shared/FormFactorTile.tsx";
import { FormField } from "../../components/FormField.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { sayDuration } from "../../components/say-duration.ts";
import { Arch, Stage } from "../../shared/Stage.tsx";
import { TextInput } from "../../components/TextInput.tsx";
import { whyNotStartable } from "./recipe-state.ts";
import type { Idle } from "./use-start.ts";

/** From here on a name shows how much room is left. */
const COUNTER_FROM = 200;

interface Props {
  recipe: Recipe | undefined;
  organization: Organization | undefined;
  name: string;
  nameError: string | undefined;
  onName: (name: string) => void;
  idle: Idle;
  onIdle: (idle: Idle) => void;
}

/** What will start, what it is called, and when it ends by itself. */
export function StartSummary({ recipe, organization, name, nameError, onName, idle, onIdle }: Props) {
  const { t } = useTranslation();
  if (!recipe)
    return (
      <Box sx={pane}>
        <Typography color="textSecondary">{t("recipes.start.choose")}</Typography>
      </Box>
    );
  const reason = whyNotStartable(recipe);
  const shape = shapeOf(recipe.hardware_profile);
  return (
    <Box sx={pane}>
      <Stage sx={stage}>
        <Arch sx={{ width: 170, height: 138 }} />
        <Box sx={{ mb: foot[shape] ?? "16px" }}>
          <DeviceDrawing shape={shape} width={92} />
        </Box>
      </Stage>
      <div>
        <Typography variant="h3" component="h3" sx={{ overflowWrap: "anywhere" }}>
          {recipe.name}
        </Typography>
        <Typography variant="body2" sx={{ color: "text.tertiary" }}>
          <Lead recipe={recipe} />
        </Typography>
      </div>
      {reason && <Alert severity="warning">{t(`recipes.start.${reason}`)}</Alert>}
      <Facts recipe={recipe} organization={organization} />
      <TextInput
        label={t("recipes.start.name")}
        value={name}
        onChange={(event) => onName(event.target.value)}
        error={nameError}
        counter={name.length >= COUNTER_FROM ? `${name.length} / ${limits.textLength}` : undefined}
        inputProps={{ maxLength: limits.textLength, autoComplete: "off", spellCheck: false }}
      />
      <IdleField organization={organization} idle={idle} onIdle={onIdle} />
    </Box>
  );
}

function Lead({ recipe: { is_official: isOfficial, os_image: image, owner } }: { recipe: Recipe }) {
  const { t } = useTranslation();
  const version = image.image_version;
  return isOfficial || !owner
    ? t("recipes.start.officialLead", { version })
    : t("recipes.start.customLead", { version, name: nameOf(owner) });
}

function Facts({ recipe, organization }: { recipe: Recipe; organization: Organization | undefined }) {
  const { t } = useTranslation();
  const { hardware_profile: profile, os_image: image } = recipe;
  const display = profile.display_settings.displays[0];
  return (
    <Box component="dl" sx={facts}>
      <dt>{t("recipes.start.display")}</dt>
      <dd>{display ? t("recipes.start.size", display) : t("common.none")}</dd>
      <dt>{t("recipes.start.hardware")}</dt>
      <dd>
        {t("recipes.start.hardwareValue", {
          cpu: profile.cpu_count,
          ram: profile.ram_size / 1024,
          disk: profile.data_disk_size / 1024,
        })}
      </dd>
      <dt>{t("recipes.start.android")}</dt>
      <dd>
        {t("recipes.start.androidValue", { version: image.os_version.os_version, api: image.os_version.sdk_version })}
      </dd>
      {organization && (
        <>
          <dt>{t("recipes.start.region")}</dt>
          <dd>{t(`recipes.start.regions.${organization.license.instances.zone}`)}</dd>
        </>
      )}
    </Box>
  );
}

function IdleField({ organization, idle, onIdle }: Pick<Props, "organization" | "idle" | "onIdle">) {
  const { t } = useTranslation();
  const say = (minutes: number): string => (minutes === 0 ? t("recipes.start.never") : sayDuration(minutes, t));
  const byDefault = organization?.preferences.timeouts.inactivity;
  const automatic =
    byDefault === undefined
      ? t("recipes.start.automaticUnknown")
      : byDefault === 0
        ? t("recipes.start.automaticNever")
        : t("recipes.start.automatic", { time: say(byDefault) });
  const automaticHelp = organization ? t("recipes.start.automaticHelp") : t("recipes.start.automaticGuest");
  const chosenHelp = idle === 0 ? t("recipes.start.neverHelp") : t("recipes.start.chosenHelp");
  return (
    <FormField label={t("recipes.start.idle")} help={idle === "automatic" ? automaticHelp : chosenHelp}>
      {({ id, "aria-describedby": describedBy }) => (
        <Select
          fullWidth
          value={idle}
          onChange={(event) => onIdle(event.target.value)}
          SelectDisplayProps={{ "aria-label": t("recipes.start.idle"), "aria-describedby": describedBy }}
          inputProps={{ id }}
        >
          <MenuItem value="automatic">{automatic}</MenuItem>
          {inactivityOptions.map((minutes) => (
            <MenuItem key={minutes} value={minutes}>
              {say(minutes)}
            </MenuItem>
          ))}
        </Select>
      )}
    </FormField>
  );
}

/** What is taller than the stage stands below its edge. */
const foot: Partial<Record<ReturnType<typeof shapeOf>, string>> = { phone: "-92px", foldable: "-52px" };
const stage = {
  flex: "none",
  height: 152,
  display: { xs: "none", sm: "grid" },
  placeItems: "end center",
  borderRadius: "10px",
  boxShadow: "inset 0 0 0 1px var(--mui-palette-divider)",
};
const pane = {
  display: "flex",
  flexDirection: "column",
  gap: 4,
  px: 6,
  py: 5,
  minHeight: 0,
  overflowY: "auto",
  background: "var(--mui-palette-background-default)",
  borderLeft: { sm: "1px solid var(--mui-palette-divider)" },
  borderTop: { xs: "1px solid var(--mui-palette-divider)", sm: 0 },
};
const facts = {
  display: "grid",
  gridTemplateColumns: "auto 1fr",
  gap: "6px 16px",
  m: 0,
  typography: "body2",
  "& dt": { color: "text.tertiary" },
  "& dd": { m: 0, textAlign: "right" },
};
