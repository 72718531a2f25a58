import { Box, Typography } from "@mui/material";
import { EmptyArch } from "./drawings.tsx";

interface Props {
  /** One sentence of fact. */
  title: string;
  /** One sentence of help. */
  help: string;
  /** At most two buttons. */
  children?: React.ReactNode;
  drawing?: React.ReactNode;
}

/** What stands where rows would be. */
export function EmptyState({ title, help, children, drawing }: Props) {
  return (
    <Box
      sx={{
        flex: 1,
        display: "grid",
        placeContent: "center",
        justifyItems: "center",
        textAlign: "center",
        gap: 2,
        px: 4,
        py: 12,
      }}
    >
      {drawing ?? <EmptyArch />}
      <Typography variant="h2" sx={{ mt: 3 }}>
        {title}
      </Typography>
      <Typography color="textSecondary" sx={{ maxWidth: 400 }}>
        {help}
      </Typography>
      {children && (
        <Box sx={{ display: "flex", gap: 2, mt: 2, flexWrap: "wrap", justifyContent: "center" }}>{children}</Box>
      )}
    </Box>
  );
}
