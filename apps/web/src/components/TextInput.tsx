import { OutlinedInput, type OutlinedInputProps } from "@mui/material";
import { FormField } from "./FormField.tsx";

interface Props extends Omit<OutlinedInputProps, "label" | "error"> {
  label: string;
  help?: string | undefined;
  /** Replaces the help. */
  error?: string | undefined;
  counter?: string | undefined;
  reservesLine?: boolean;
}

/** A text field with its label above and its help, or what is wrong, below. */
export function TextInput({ label, help, error, counter, reservesLine, inputMode, inputProps, ...input }: Props) {
  return (
    <FormField label={label} help={help} error={error} counter={counter} reservesLine={reservesLine}>
      {({ id, error: isWrong, "aria-describedby": describedBy }) => (
        <OutlinedInput
          id={id}
          fullWidth
          error={isWrong}
          inputProps={{ inputMode, ...inputProps, "aria-describedby": describedBy }}
          {...input}
        />
      )}
    </FormField>
  );
}
