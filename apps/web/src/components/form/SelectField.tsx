import { MenuItem, Select } from "@mui/material";
import { FormField } from "../FormField.tsx";
import type { FieldProps } from "./TextField.tsx";
import { useField } from "./use-form.ts";

interface Props<Values extends object> extends FieldProps<Values> {
  choices: readonly { value: string | number; label: string }[];
}

/** One of a few choices. */
export function SelectField<Values extends object>({ form, name, label, help, choices }: Props<Values>) {
  const { value, error: wrong, onChange, onBlur, ref } = useField<string | number>(form, name);
  return (
    <FormField label={label} help={help} error={wrong}>
      {({ id, error, "aria-describedby": describedBy }) => (
        <Select
          name={name}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onBlur={onBlur}
          fullWidth
          // An empty value is a choice, with a name of its own.
          displayEmpty
          error={error}
          inputRef={ref}
          inputProps={{ id }}
          SelectDisplayProps={{ "aria-label": label, "aria-describedby": describedBy }}
        >
          {choices.map(({ value: each, label: choice }) => (
            <MenuItem key={each} value={each}>
              {choice}
            </MenuItem>
          ))}
        </Select>
      )}
    </FormField>
  );
}
