import { Box } from "@mui/material";

/** More parts than this are too thin to count; the words then say it alone. */
const MAX_PARTS = 20;

/** How much of a limit is used: a part per unit, and the words. */
export function UsageMeter({ used, max, label }: { used: number; max: number; label: string }) {
  return (
    <Box sx={{ display: "flex", alignItems: "center", gap: 2.5, typography: "body2", color: "text.secondary" }}>
      {max > 0 && max <= MAX_PARTS && (
        <Box aria-hidden="true" sx={{ display: { xs: "none", sm: "flex" }, gap: "2px" }}>
          {Array.from({ length: max }, (_, part) => (
            <Box
              key={part}
              sx={(theme) => ({
                width: 8,
                height: 14,
                borderRadius: "2px",
                background: part < used ? theme.vars.palette.primary.main : theme.vars.palette.divider,
              })}
            />
          ))}
        </Box>
      )}
      <span>{label}</span>
    </Box>
  );
}
