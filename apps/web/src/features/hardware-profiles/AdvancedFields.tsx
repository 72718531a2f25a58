import { Box, ButtonBase, Collapse, Typography } from "@mui/material";
import { devicePropertyNames } from "@terrarium/contract";
import ChevronDown from "lucide-react/icons/chevron-down";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { SelectField } from "../../components/form/SelectField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import type { AppForm } from "../../components/form/app-form.ts";
import { useFormState } from "../../components/form/use-form.ts";
import { Icon } from "../../components/Icon.tsx";
import type { ProfileFields } from "./profile-fields.ts";

const buildTypes = ["user", "userdebug", "eng"] as const;

/** System properties that the profile overrides. They are out of the way until somebody wants them, or one is wrong. */
export function AdvancedFields({ form }: { form: AppForm<ProfileFields> }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const isWrong = useFormState(form, ({ errors }) =>
    [...errors.keys()].some((path) => path.startsWith("device_properties.")),
  );
  const id = useId();
  // They stay open once the mistake is mended: somebody types there.
  if (isWrong && !isOpen) setOpen(true);
  return (
    <Box sx={{ borderTop: 1, borderColor: "divider", pt: 2 }}>
      <ButtonBase aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)} sx={heading}>
        <Typography variant="label" component="span">
          {t("hardwareProfiles.form.advanced")}
        </Typography>
        <Box sx={{ display: "flex", transition: "transform 180ms", transform: isOpen ? "rotate(180deg)" : "none" }}>
          <Icon glyph={ChevronDown} />
        </Box>
      </ButtonBase>
      <Collapse in={isOpen} id={id} onEnter={focusWrong}>
        <Typography variant="caption" component="p" sx={{ color: "text.tertiary", m: 0, mb: 3 }}>
          {t("hardwareProfiles.form.advancedHelp")}
        </Typography>
        <Box sx={two}>
          {devicePropertyNames.map((property) => {
            const field = {
              form,
              name: `device_properties.${property}`,
              label: t(`hardwareProfiles.form.properties.${property}`),
              help: property,
            } as const;
            return property === "build_type" ? (
              <SelectField
                key={property}
                {...field}
                choices={[
                  { value: "", label: t("hardwareProfiles.form.byImage") },
                  ...buildTypes.map((value) => ({ value, label: value })),
                ]}
              />
            ) : (
              <TextField key={property} {...field} autoComplete="off" />
            );
          })}
        </Box>
      </Collapse>
    </Box>
  );
}

/** While they were hidden, a wrong one could not take the focus. */
const focusWrong = (fields: HTMLElement) =>
  fields.closest("form")?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();

const heading = {
  display: "flex",
  alignItems: "center",
  justifyContent: "space-between",
  width: "100%",
  minHeight: { xs: 44, sm: 36 },
  borderRadius: "6px",
  // What stands in a button has the browser's own font otherwise.
  fontFamily: "inherit",
};
const two = { display: "grid", gap: 3, gridTemplateColumns: { xs: "1fr", sm: "repeat(2, minmax(0, 1fr))" } };
