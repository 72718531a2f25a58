import { Box, FormControlLabel, Radio, RadioGroup, Typography } from "@mui/material";
import { isQuotaDisabled, isQuotaRequired, quotaMaximum, quotaMinimum, type QuotaPlace } from "@terrarium/contract";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { AppForm } from "../../components/form/app-form.ts";
import { StepperField } from "../../components/form/StepperField.tsx";
import { useField, useValues } from "../../components/form/use-form.ts";
import { FieldHelp } from "../../components/FormField.tsx";
import { Icon } from "../../components/Icon.tsx";
import type { GroupValues } from "./GroupForm.tsx";
import { allocationOf, modeOf, type QuotaMode } from "./quota-choice.ts";

interface Props {
  form: AppForm<GroupValues>;
  place: QuotaPlace;
  isAtTop: boolean;
}

/** Whether a group has a quota of its own, and which. What its place rules out cannot be chosen, and says why. */
export function QuotaField({ form, place, isAtTop }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const { value, error, onChange, ref } = useField<QuotaMode>(form, "quota");
  const { allocation } = useValues(form);
  const mode = modeOf(place, value);
  const [isDisabled, isRequired] = [isQuotaDisabled(place), isQuotaRequired(place)];
  const [min, max] = [quotaMinimum(place), Math.max(quotaMinimum(place), quotaMaximum(place))];
  const why = (isDisabled && t("groups.quota.disabled")) || (isRequired && t("groups.quota.required")) || undefined;
  return (
    <Box>
      <Typography variant="label" component="div" id={`${id}-label`} sx={{ mb: 1 }}>
        {t("groups.quota.label")}
      </Typography>
      <RadioGroup
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-help`}
        value={mode}
        onChange={(_, chosen) => onChange(chosen as QuotaMode)}
      >
        <FormControlLabel
          value="pool"
          disabled={isRequired && !isDisabled}
          control={<Radio size="small" slotProps={{ input: { ref } }} />}
          label={t(isAtTop ? "groups.quota.topPool" : "groups.quota.pool")}
          slotProps={small}
        />
        <FormControlLabel
          value="custom"
          disabled={isDisabled}
          control={<Radio size="small" />}
          label={t("groups.quota.custom")}
          slotProps={small}
        />
      </RadioGroup>
      <FieldHelp id={`${id}-help`} help={why} error={error} />
      {mode === "custom" && (
        <Box sx={{ mt: 2, ml: 7 }}>
          <StepperField
            form={form}
            name="allocation"
            label={t("groups.quota.allocation")}
            help={t(min === max ? "groups.quota.only" : "groups.quota.range", { min, max })}
            min={min}
            max={max}
            words={{ less: t("groups.quota.less"), more: t("groups.quota.more") }}
          />
          <Box component="output" sx={{ display: "block" }}>
            {allocation !== "" && allocationOf(place, value, allocation) === 0 && (
              <Typography variant="body2" sx={warning}>
                <Icon glyph={TriangleAlert} />
                {t("groups.quota.zero")}
              </Typography>
            )}
          </Box>
        </Box>
      )}
    </Box>
  );
}

const small = { typography: { variant: "body2" } } as const;
const warning = {
  display: "flex",
  alignItems: "center",
  gap: 2,
  mt: 2,
  px: 3,
  py: 2,
  borderRadius: "6px",
  bgcolor: "warning.soft",
  color: "warning.main",
} as const;
