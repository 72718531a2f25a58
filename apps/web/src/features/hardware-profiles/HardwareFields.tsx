import { Box } from "@mui/material";
import { cpuCounts, diskSizes, formFactors, ramSizes } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { ChoiceField } from "../../components/form/ChoiceField.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import type { AppForm } from "../../components/form/app-form.ts";
import { useFormState } from "../../components/form/use-form.ts";
import type { ProfileFields } from "./profile-fields.ts";

interface Props {
  form: AppForm<ProfileFields>;
}

export function FormFactorField({ form }: Props) {
  const { t } = useTranslation();
  return (
    <ChoiceField
      form={form}
      name="form_factor"
      label={t("hardwareProfiles.form.formFactor")}
      choices={formFactors.map((value) => ({ value, label: t(`hardwareProfiles.formFactors.${value}`) }))}
    />
  );
}

/** Processor, memory and disk. */
export function ProcessorFields({ form }: Props) {
  const { t } = useTranslation();
  const disk = useFormState(form, ({ values }) => values.data_disk_size);
  // The API accepts other sizes than those on offer.
  const disks = [...new Set([...diskSizes, disk])].toSorted((a, b) => a - b);
  const mb = (value: number) => ({ value, label: t("hardwareProfiles.details.mb", { value }) });
  return (
    <Box sx={three}>
      <SelectField
        form={form}
        name="cpu_count"
        label={t("hardwareProfiles.form.cpu")}
        choices={cpuCounts.map((value) => ({ value, label: String(value) }))}
      />
      <SelectField form={form} name="ram_size" label={t("hardwareProfiles.form.ram")} choices={ramSizes.map(mb)} />
      <SelectField form={form} name="data_disk_size" label={t("hardwareProfiles.form.disk")} choices={disks.map(mb)} />
    </Box>
  );
}

const three = {
  display: "grid",
  gap: 3,
  gridTemplateColumns: { xs: "1fr", sm: "repeat(3, minmax(0, 1fr))" },
};
