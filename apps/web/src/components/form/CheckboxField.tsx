import { Box, Checkbox, Typography } from "@mui/material";
import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { FieldHelp } from "../FormField.tsx";
import type { FieldProps } from "./TextField.tsx";

interface Props<Values extends FieldValues> extends Omit<FieldProps<Values>, "label"> {
  /** Stands right of the box; may hold a link. */
  label: React.ReactNode;
}

/** Yes or no. */
export function CheckboxField<Values extends FieldValues>({ form, name, label, help }: Props<Values>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const { ref, value, ...bound } = field;
  const id = useId();
  const below = `${id}-help`;
  const error = fieldState.error?.message;
  return (
    <div>
      <Box sx={{ display: "flex", alignItems: "flex-start", ml: -2 }}>
        <Checkbox
          {...bound}
          checked={Boolean(value)}
          slotProps={{
            input: {
              id,
              ref,
              "aria-invalid": error !== undefined,
              "aria-describedby": (error ?? help) ? below : undefined,
            },
          }}
        />
        <Typography component="label" variant="body2" htmlFor={id} sx={{ pt: "6px" }}>
          {label}
        </Typography>
      </Box>
      <FieldHelp id={below} help={help} error={error} />
    </div>
  );
}
