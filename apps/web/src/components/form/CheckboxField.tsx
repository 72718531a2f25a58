import { Box, Checkbox, Typography } from "@mui/material";
import { useId } from "react";
import { FieldHelp } from "../FormField.tsx";
import type { FieldProps } from "./TextField.tsx";
import { useField } from "./use-form.ts";

interface Props<Values extends object> extends Omit<FieldProps<Values>, "label"> {
  /** Stands right of the box; may hold a link. */
  label: React.ReactNode;
  isDisabled?: boolean;
  /** Called after each change, for fields that follow this one. */
  onChange?: (isChecked: boolean) => void;
}

/** Yes or no. */
export function CheckboxField<Values extends object>({
  form,
  name,
  label,
  help,
  isDisabled = false,
  onChange,
}: Props<Values>) {
  const { value, error, onChange: set, onBlur, ref } = useField<boolean>(form, name);
  const id = useId();
  const below = `${id}-help`;
  return (
    <div>
      <Box sx={{ display: "flex", alignItems: "flex-start", ml: { xs: -3.5, sm: -2 } }}>
        <Checkbox
          name={name}
          checked={value}
          onBlur={onBlur}
          onChange={(_, isChecked) => {
            set(isChecked);
            onChange?.(isChecked);
          }}
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
