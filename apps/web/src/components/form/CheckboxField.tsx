import { Box, Checkbox, Typography } from "@mui/material";
import { useId } from "react";
import { type FieldValues, useController } from "react-hook-form";
import { FieldHelp } from "../FormField.tsx";
import type { FieldProps } from "./TextField.tsx";

interface Props<Values extends FieldValues> extends Omit<FieldProps<Values>, "label"> {
  /** Stands right of the box; may hold a link. */
  label: React.ReactNode;
  isDisabled?: boolean;
  /** Told after each change, for fields that follow this one. */
  onChange?: (isChecked: boolean) => void;
}

/** Yes or no. */
export function CheckboxField<Values extends FieldValues>({
  form,
  name,
  label,
  help,
  isDisabled = false,
  onChange,
}: Props<Values>) {
  const { field, fieldState } = useController({ control: form.control, name });
  const { ref, value, ...bound } = field;
  const id = useId();
  const below = `${id}-help`;
  const error = fieldState.error?.message;
  return (
    <div>
      <Box sx={{ display: "flex", alignItems: "flex-start", ml: { xs: -3.5, sm: -2 } }}>
        <Checkbox
          {...bound}
          onChange={(event, isChecked) => {
            bound.onChange(event);
            onChange?.(isChecked);
          }}
          checked={Boolean(value)}
          disabled={isDisabled}
          sx={{ "&.Mui-disabled": { opacity: 0.5 } }}
          slotProps={{
            input: {
              id,
              ref,
              "aria-invalid": error !== undefined,
              "aria-describedby": (error ?? help) ? below : undefined,
            },
          }}
        />
        <Typography
          component="label"
          variant="body2"
          htmlFor={id}
          sx={{ pt: { xs: 3, sm: 1.5 }, overflowWrap: "anywhere", ...(isDisabled && { color: "text.tertiary" }) }}
        >
          {label}
        </Typography>
      </Box>
      <Box sx={{ pl: { xs: 7.5, sm: 6 } }}>
        <FieldHelp id={below} help={help} error={error} />
      </Box>
    </div>
  );
}
