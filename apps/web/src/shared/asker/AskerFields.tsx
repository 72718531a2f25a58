import "../../en/trial.ts";
import { Box } from "@mui/material";
import { limits } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { sideBySide } from "../../components/form/side-by-side.ts";
import { SelectField } from "../../components/form/SelectField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import type { AppForm } from "../../components/form/app-form.ts";
import type { FieldPath } from "../../components/form/field-path.ts";
import { countryChoices } from "../countries.ts";

/** How many people work somewhere. */
const sizes = ["1-10", "11-50", "51-200", "201-1000", "1001-5000", "5001+"];

/** What a request asks about who asks; each names its own fields of the form. */
interface Names<Values extends object> {
  firstName: FieldPath<Values>;
  lastName: FieldPath<Values>;
  email: FieldPath<Values>;
  country: FieldPath<Values>;
  /** About a company; not asked of a person. */
  company?: {
    name: FieldPath<Values>;
    role: FieldPath<Values>;
    employees: FieldPath<Values>;
    devices: FieldPath<Values>;
  };
}

interface Props<Values extends object> {
  form: AppForm<Values>;
  names: Names<Values>;
  emailHelp?: string;
}

/** Who asks for something, and for which company. */
export function AskerFields<Values extends object>({ form, names, emailHelp }: Props<Values>) {
  const { t } = useTranslation();
  const max = limits.textLength;
  return (
    <>
      <Box sx={sideBySide}>
        <TextField
          form={form}
          name={names.firstName}
          label={t("asker.firstName")}
          max={max}
          autoComplete="given-name"
        />
        <TextField form={form} name={names.lastName} label={t("asker.lastName")} max={max} autoComplete="family-name" />
        <TextField
          form={form}
          name={names.email}
          type="email"
          label={t("asker.email")}
          help={emailHelp}
          autoComplete="email"
        />
        <SelectField
          form={form}
          name={names.country}
          label={t("asker.country")}
          choices={[{ value: "", label: t("asker.chooseCountry") }, ...countryChoices]}
        />
      </Box>
      {names.company && (
        <Box sx={sideBySide}>
          <TextField
            form={form}
            name={names.company.name}
            label={t("asker.company")}
            max={max}
            autoComplete="organization"
          />
          <TextField
            form={form}
            name={names.company.role}
            label={t("asker.role")}
            max={max}
            autoComplete="organization-title"
          />
          <SelectField
            form={form}
            name={names.company.employees}
            label={t("asker.employees")}
            choices={[
              { value: "", label: t("asker.chooseEmployees") },
              ...sizes.map((size) => ({ value: size, label: size })),
            ]}
          />
          <TextField
            form={form}
            name={names.company.devices}
            label={t("asker.devices")}
            inputMode="numeric"
            autoComplete="off"
          />
        </Box>
      )}
    </>
  );
}
