import { Box, OutlinedInput, type OutlinedInputProps, Typography } from "@mui/material";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useId } from "react";
import { Icon } from "./Icon.tsx";

interface Props extends Omit<OutlinedInputProps, "label" | "error"> {
  label: string;
  help?: string | undefined;
  /** Replaces the help. */
  error?: string | undefined;
}

/** A field with its label above and its help, or what is wrong, below. */
export function TextInput({ label, help, error, inputProps, ...input }: Props) {
  const id = useId();
  const note = error ?? help;
  return (
    <Box sx={{ display: "grid", gap: "6px" }}>
      <Typography component="label" variant="label" htmlFor={id}>
        {label}
      </Typography>
      <OutlinedInput
        id={id}
        fullWidth
        error={error !== undefined}
        inputProps={{
          ...inputProps,
          "aria-describedby": note ? `${id}-note` : undefined,
          "aria-invalid": error !== undefined,
        }}
        {...input}
      />
      {note && (
        <Typography
          id={`${id}-note`}
          variant="caption"
          color={error ? "error" : "textSecondary"}
          sx={{ display: "flex", gap: 1, alignItems: "center" }}
        >
          {error && <Icon glyph={TriangleAlert} size={14} />}
          {note}
        </Typography>
      )}
    </Box>
  );
}
