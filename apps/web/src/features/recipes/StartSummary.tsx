import { Alert, Box, Typography } from "@mui/material";
import { inactivityOptions, limits, type Organization, type Recipe } from "@terrarium/contract";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { FactList } from "../../components/FactList.tsx";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { Form } from "../../components/form/Form.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import type { AppForm } from "../../components/form/app-form.ts";
import { useValues } from "../../components/form/use-form.ts";
import { DeviceDrawing } from "../../shared/DeviceDrawing.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { Arch, Stage } from "../../shared/Stage.tsx";
import { numberedNames } from "./device-name.ts";
import { whyNotStartable } from "./recipe-state.ts";
import type { Idle } from "./recipes.queries.ts";
import { automaticIdle, sayIdle, startFacts } from "./start-facts.ts";
import type { RecipePicker } from "./use-recipe-picker.ts";

export interface StartFields {
  /** As the service calls it, so that what it finds wrong is said there. */
  instance_name: string;
  idle: Idle;
  /** How many devices. */
  count: number;
  queue: boolean;
}

/** As many as can be started at once, where there is room. */
const MAX_COUNT = 50;

interface Props {
  picker: RecipePicker;
  organization: Organization | undefined;
  form: AppForm<StartFields>;
  /** The way out of a refusal. */
  hint: React.ReactNode;
}

/** What will start, what it is called, and when it ends by itself. */
export function StartSummary({ picker, organization, form, hint }: Props) {
  const { t } = useTranslation();
  const { chosen: recipe } = picker;
  if (!recipe)
    return (
      <Box sx={pane}>
        <Typography color="textSecondary">{t("recipes.start.choose")}</Typography>
      </Box>
    );
  const reason = whyNotStartable(recipe);
  const version = recipe.os_image?.image_version ?? t("common.none");
  return (
    <Box sx={pane}>
      <Stage sx={stage}>
        <Arch sx={{ width: 170, height: 138 }} />
        {recipe.hardware_profile && <DeviceDrawing profile={recipe.hardware_profile} within={stageRoom} />}
      </Stage>
      <div>
        <Typography variant="h3" component="h3" sx={{ overflowWrap: "anywhere" }}>
          {recipe.name}
        </Typography>
        <Typography variant="body2" sx={{ color: "text.tertiary" }}>
          {recipe.is_official || !recipe.owner
            ? t("recipes.start.officialLead", { version })
            : t("recipes.start.customLead", { version, name: nameOf(recipe.owner) })}
        </Typography>
      </div>
      {reason && <Alert severity="warning">{t(`recipes.start.${reason}`)}</Alert>}
      <Facts recipe={recipe} picker={picker} organization={organization} />
      <Form form={form}>
        <NameField form={form} />
        <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: "minmax(0, 1fr) 72px" }}>
          <IdleField organization={organization} form={form} />
          <CountField organization={organization} form={form} />
        </Box>
        <QueueField form={form} />
      </Form>
      {hint}
    </Box>
  );
}

/** What it is called, or how several are numbered. */
function NameField({ form }: Pick<Props, "form">) {
  const { t } = useTranslation();
  const { instance_name: name, count } = useValues(form);
  const names = numberedNames(name.trim(), count);
  const [first = "", last = ""] = [names[0], names.at(-1)];
  return (
    <TextField
      form={form}
      name="instance_name"
      label={t("recipes.start.name")}
      help={count > 1 ? t("recipes.several.names", { first, last }) : undefined}
      max={limits.textLength}
      autoComplete="off"
    />
  );
}

function Facts({
  recipe,
  picker: { row, chooseArch },
  organization,
}: Pick<Props, "picker" | "organization"> & { recipe: Recipe }) {
  const { t } = useTranslation();
  const facts = startFacts(t, recipe, organization);
  const list = {
    ...facts,
    arch:
      row && row.length > 1 && recipe.arch ? (
        <Segmented
          label={t("recipes.start.arch")}
          value={recipe.arch}
          onChange={chooseArch}
          choices={row.flatMap(({ arch }) => (arch ? [{ value: arch, label: arch }] : []))}
        />
      ) : (
        facts.arch
      ),
  };
  return (
    <FactList>
      {Object.entries(list).map(([term, value]) => (
        <Fragment key={term}>
          <dt>{t(`recipes.start.${term as keyof typeof list}`)}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </FactList>
  );
}

function IdleField({ organization, form }: Pick<Props, "organization" | "form">) {
  const { t } = useTranslation();
  const { idle } = useValues(form);
  const automaticHelp = organization ? t("recipes.start.automaticHelp") : t("recipes.start.automaticGuest");
  const chosenHelp = idle === 0 ? t("recipes.start.neverHelp") : t("recipes.start.chosenHelp");
  return (
    <SelectField
      form={form}
      name="idle"
      label={t("recipes.start.idle")}
      help={idle === "automatic" ? automaticHelp : chosenHelp}
      choices={[
        { value: "automatic", label: automaticIdle(t, organization) },
        ...inactivityOptions.map((minutes) => ({ value: minutes, label: sayIdle(t, minutes) })),
      ]}
    />
  );
}

/** Whether it waits where it would be refused. */
function QueueField({ form }: Pick<Props, "form">) {
  const { t } = useTranslation();
  const { queue } = useValues(form);
  const help = queue ? t("recipes.start.queueHelp") : undefined;
  return <CheckboxField form={form} name="queue" label={t("recipes.start.queue")} help={help} />;
}

/** How many, up to what the organization has room for. */
function CountField({ organization, form }: Pick<Props, "organization" | "form">) {
  const { t } = useTranslation();
  const { count } = useValues(form);
  const { running_instances: used = 0, license } = organization ?? {};
  const room = (license?.instances.max ?? MAX_COUNT) - used;
  const max = Math.min(Math.max(room, count, 1), MAX_COUNT);
  return (
    <SelectField
      form={form}
      name="count"
      label={t("recipes.several.count")}
      choices={Array.from({ length: max }, (_, index) => ({ value: index + 1, label: String(index + 1) }))}
    />
  );
}

/** What is taller than the stage stands below its edge. */
const stageRoom = { width: 190, height: 204 };
const stage = {
  flex: "none",
  height: 128,
  display: { xs: "none", sm: "grid" },
  placeItems: "safe end center",
  py: 4,
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
