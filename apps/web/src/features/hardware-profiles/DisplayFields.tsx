import { Box, Button, IconButton, Typography } from "@mui/material";
import { densityNameOf, densityNames, displayCountRule, displayCounts, displayModes } from "@terrarium/contract";
import Plus from "lucide-react/icons/plus";
import X from "lucide-react/icons/x";
import { useId } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { ChoiceField } from "../../components/form/ChoiceField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import type { AppForm } from "../../components/form/app-form.ts";
import { useFormState, useValues } from "../../components/form/use-form.ts";
import { Icon } from "../../components/Icon.tsx";
import { inchesOf } from "../../shared/drawing-layout.ts";
import { displayName } from "./display-name.ts";
import { glassOf, nextDisplay, type ProfileFields } from "./profile-fields.ts";

interface Props {
  form: AppForm<ProfileFields>;
}

/** How many displays there are to be; it says at once when there are more or fewer. */
export function DisplayModeField({ form }: Props) {
  const { t } = useTranslation();
  const { display_mode: mode, display_settings } = useValues(form);
  const broken = displayCountRule(mode, display_settings.displays.length);
  return (
    <ChoiceField
      form={form}
      name="display_mode"
      label={t("hardwareProfiles.form.mode")}
      error={broken && t(`errors.forms.${broken.says}`, { min: broken.min ?? 0, max: broken.max ?? 0 })}
      choices={displayModes.map((value) => ({ value, label: t(`hardwareProfiles.modes.${value}`) }))}
    />
  );
}

/** The displays, each with what it is by its numbers. */
export function DisplaysField({ form }: Props) {
  const { t } = useTranslation();
  const {
    display_mode: mode,
    display_settings: { displays },
  } = useValues(form);
  const add = () => {
    const index = displays.length;
    flushSync(() => form.set("display_settings.displays", [...displays, nextDisplay(displays[0])]));
    form.focus(`display_settings.displays.${index}.width`);
  };
  const removeAt = (index: number) => form.set("display_settings.displays", displays.toSpliced(index, 1));
  const densities = useId();
  return (
    <Box component="section" aria-label={t("hardwareProfiles.form.displays")} sx={{ display: "grid", gap: 3 }}>
      {displays.map((_, index) => (
        <DisplayField
          key={index}
          form={form}
          index={index}
          name={displayName(t, mode, index, displays.length)}
          densities={densities}
          onRemove={displays.length > 1 ? () => removeAt(index) : undefined}
        />
      ))}
      {displays.length < displayCounts[mode].max && (
        <Button sx={{ justifySelf: "start" }} onClick={add}>
          <Icon glyph={Plus} />
          {t("hardwareProfiles.form.add")}
        </Button>
      )}
      <datalist id={densities}>
        {densityNames.map(([dpi, name]) => (
          <option key={dpi} value={dpi}>
            {name}
          </option>
        ))}
      </datalist>
    </Box>
  );
}

interface DisplayProps extends Props {
  index: number;
  name: string;
  /** The list that densities may be chosen from. */
  densities: string;
  /** Not there for the only one. */
  onRemove: (() => void) | undefined;
}

function DisplayField({ form, index, name, densities, onRemove }: DisplayProps) {
  const { t } = useTranslation();
  const path = `display_settings.displays.${index}` as const;
  const display = useFormState(form, ({ values }) => values.display_settings.displays[index]);
  const glass = display && glassOf(display);
  const number = { form, inputMode: "numeric", autoComplete: "off" } as const;
  return (
    <Box component="fieldset" aria-label={name} sx={card}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 2, minHeight: 28 }}>
        <Typography variant="label" component="h3">
          {name}
        </Typography>
        <Typography variant="caption" sx={{ flex: 1, color: "text.tertiary" }} aria-live="polite">
          {glass && t("hardwareProfiles.glass", { inches: inchesOf(glass), name: densityNameOf(glass.density) })}
        </Typography>
        {onRemove && (
          <IconButton size="small" aria-label={t("hardwareProfiles.form.remove", { display: name })} onClick={onRemove}>
            <Icon glyph={X} />
          </IconButton>
        )}
      </Box>
      <Box sx={four}>
        <TextField {...number} name={`${path}.width`} label={t("hardwareProfiles.form.width")} />
        <TextField {...number} name={`${path}.height`} label={t("hardwareProfiles.form.height")} />
        <TextField
          {...number}
          name={`${path}.density`}
          label={t("hardwareProfiles.form.density")}
          inputProps={{ list: densities }}
        />
        <TextField
          {...number}
          inputMode="decimal"
          name={`${path}.physical_size`}
          label={t("hardwareProfiles.form.inches")}
          help={t("hardwareProfiles.form.inchesHelp")}
        />
      </Box>
      <CheckboxField form={form} name={`${path}.show_navigation_bar`} label={t("hardwareProfiles.form.bar")} />
    </Box>
  );
}

/** Keys of the device. Who chooses them is not shown a bar as well, unless they say so. */
export function KeysField({ form }: Props) {
  const { t } = useTranslation();
  return (
    <CheckboxField
      form={form}
      name="display_settings.hw_navigation_keys"
      label={t("hardwareProfiles.form.keys")}
      help={t("hardwareProfiles.form.keysHelp")}
      onChange={(hasKeys) => form.set("display_settings.displays.0.show_navigation_bar", !hasKeys)}
    />
  );
}

const card = {
  display: "grid",
  gap: 2,
  m: 0,
  minWidth: 0,
  p: 3,
  pb: 1,
  borderRadius: "10px",
  border: "1px solid",
  borderColor: "divider",
};
const four = {
  display: "grid",
  gap: 3,
  gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", sm: "repeat(4, minmax(0, 1fr))" },
};
