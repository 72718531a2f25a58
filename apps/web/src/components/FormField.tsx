import { Box, Typography } from "@mui/material";
import CircleAlert from "lucide-react/icons/circle-alert";
import { useId } from "react";
import { Icon } from "./Icon.tsx";

interface FieldIds {
  id: string;
  /** Names the help or the error below the field. */
  "aria-describedby": string | undefined;
  error: boolean;
}

interface Props {
  label: string;
  help?: React.ReactNode;
  /** Takes the place of the help. */
  error?: string | undefined;
  /** Stands right of the help, such as "24 / 250". */
  counter?: string | undefined;
  /** Reserves a line for an error, so that one that appears moves nothing from under the pointer. */
  reservesLine?: boolean | undefined;
  /** Renders the field itself, with what ties it to its label and help. */
  children: (ids: FieldIds) => React.ReactNode;
}

/** A field with its label above and its help, error and counter below. */
export function FormField({ label, help, error, counter, reservesLine = false, children }: Props) {
  const id = useId();
  const below = `${id}-help`;
  const hasBelow = Boolean(error ?? help ?? counter);
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography component="label" variant="label" htmlFor={id} sx={{ display: "block", mb: 1.5 }}>
        {label}
      </Typography>
      {children({ id, "aria-describedby": hasBelow ? below : undefined, error: error !== undefined })}
      <FieldHelp id={below} help={help} error={error} counter={counter} reservesLine={reservesLine} />
    </Box>
  );
}

/** What stands below a field: its help, or what is wrong with it, and its counter. */
export function FieldHelp({
  id,
  help,
  error,
  counter,
  reservesLine,
}: Omit<Props, "label" | "children"> & { id: string }) {
  if (!(error ?? help ?? counter) && !reservesLine) return null;
  return (
    <Typography id={id} variant="caption" component="div" sx={{ display: "flex", gap: 2, mt: 1, minHeight: 16 }}>
      <Box
        component="span"
        sx={{ flex: 1, display: "flex", gap: 1, color: error ? "error.main" : "text.tertiary" }}
        aria-live="polite"
      >
        {error && <Icon glyph={CircleAlert} size={14} />}
        {error ?? help}
      </Box>
      {counter && (
        <Box component="span" sx={{ color: error ? "error.main" : "text.tertiary" }}>
          {counter}
        </Box>
      )}
    </Typography>
  );
}
