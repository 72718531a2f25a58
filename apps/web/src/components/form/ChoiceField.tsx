import { FormField } from "../FormField.tsx";
import { Segmented } from "../Segmented.tsx";
import type { FieldProps } from "./TextField.tsx";
import { useField } from "./use-form.ts";

interface Props<Values extends object, Value extends string> extends FieldProps<Values> {
  choices: readonly { value: Value; label: string }[];
  /** What is wrong with the choice, where that depends on other fields. */
  error?: string | undefined;
}

/** One of a few choices, all of them in sight. */
export function ChoiceField<Values extends object, Value extends string>(props: Props<Values, Value>) {
  const { form, name, label, help, choices, error } = props;
  const { value, error: wrong, onChange } = useField<Value>(form, name);
  return (
    <FormField label={label} help={help} error={error ?? wrong}>
      {({ "aria-describedby": describedBy }) => (
        <Segmented label={label} describedBy={describedBy} value={value} onChange={onChange} choices={choices} />
      )}
    </FormField>
  );
}
