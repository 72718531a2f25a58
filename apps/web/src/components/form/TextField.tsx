import type { OutlinedInputProps } from "@mui/material";
import { useTranslation } from "react-i18next";
import { TextInput } from "../TextInput.tsx";
import type { AppForm } from "./app-form.ts";
import type { FieldPath } from "./field-path.ts";
import { useField } from "./use-form.ts";

/** From this share of its room on, a field shows how much is left. */
const COUNTER_FROM = 0.8;

export interface FieldProps<Values extends object> {
  form: AppForm<Values>;
  name: FieldPath<Values>;
  label: string;
  help?: string | undefined;
}

interface Props<Values extends object>
  extends
    FieldProps<Values>,
    Pick<
      OutlinedInputProps,
      | "type"
      | "autoComplete"
      | "endAdornment"
      | "disabled"
      | "inputMode"
      | "inputProps"
      | "multiline"
      | "minRows"
      | "maxRows"
    > {
  /** How long the text may be, for the counter; that it is not longer is a rule of the form. */
  max?: number;
  /** Says how many characters are left, from the first on. */
  countsDown?: boolean;
  /** Reserves a line for an error, so that one that appears moves nothing. */
  reservesLine?: boolean;
}

/** Text: a line, or several with `multiline`. */
export function TextField<Values extends object>({ form, name, max, countsDown = false, ...input }: Props<Values>) {
  const { value, error, onChange, onBlur, ref } = useField<string>(form, name);
  const { t } = useTranslation();
  const { length } = value;
  const counterOf = () => {
    if (max === undefined) return undefined;
    if (countsDown) return t("common.form.left", { count: max - length });
    return length >= max * COUNTER_FROM ? `${length} / ${max}` : undefined;
  };
  return (
    <TextInput
      {...input}
      name={name}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onBlur={onBlur}
      inputRef={ref}
      error={error}
      counter={counterOf()}
    />
  );
}
