import { type FieldValues, useController } from "react-hook-form";
import { FormField } from "../FormField.tsx";
import { Segmented } from "../Segmented.tsx";
import type { FieldProps } from "./TextField.tsx";

interface Props<Values extends FieldValues, Value extends string> extends FieldProps<Values> {
  choices: readonly { value: Value; label: string }[];
  /** What is wrong with the choice, where that depends on other fields. */
  error?: string | undefined;
}

/** One of a few choices, all of them in sight. */
export function ChoiceField<Values extends FieldValues, Value extends string>(props: Props<Values, Value>) {
  const { form, name, label, help, choices, error } = props;
  const { field, fieldState } = useController({ control: form.control, name });
  return (
    <FormField label={label} help={help} error={error ?? fieldState.error?.message}>
      {({ "aria-describedby": describedBy }) => (
        <Segmented
          label={label}
          describedBy={describedBy}
          value={field.value}
          onChange={field.onChange}
          choices={choices}
        />
      )}
    </FormField>
  );
}
