import { MenuItem, Select } from "@mui/material";
import { type FieldValues, useController } from "react-hook-form";
import { FormField } from "../FormField.tsx";
import type { FieldProps } from "./TextField.tsx";

interface Props<Values extends FieldValues> extends FieldProps<Values> {
  choices: readonly { value: string | number; label: string }[];
}

/** One of a few choices. */
export function SelectField<Values extends FieldValues>({ form, name, label, help, choices }: Props<Values>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const { ref, ...bound } = field;
  return (
    <FormField label={label} help={help} error={fieldState.error?.message}>
      {({ id, error, "aria-describedby": describedBy }) => (
        <Select
          {...bound}
          fullWidth
          // An empty value is a choice, with a name of its own.
          displayEmpty
          error={error}
          inputRef={ref}
          inputProps={{ id }}
          SelectDisplayProps={{ "aria-label": label, "aria-describedby": describedBy }}
        >
          {choices.map(({ value, label: choice }) => (
            <MenuItem key={value} value={value}>
              {choice}
            </MenuItem>
          ))}
        </Select>
      )}
    </FormField>
  );
}
