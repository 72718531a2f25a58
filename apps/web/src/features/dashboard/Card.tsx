import { Box, Paper, Typography } from "@mui/material";
import { useId } from "react";

interface Props {
  title: string;
  /** A line below the title. */
  caption?: string | undefined;
  action?: React.ReactNode;
  children: React.ReactNode;
}

/** A part of the dashboard. */
export function Card({ title, caption, action, children }: Props) {
  const id = useId();
  return (
    <Paper
      component="section"
      variant="outlined"
      aria-labelledby={id}
      sx={{ p: { xs: 4, sm: 5 }, borderRadius: "10px", minWidth: 0 }}
    >
      <Box sx={{ display: "flex", alignItems: "flex-start", gap: 3, flexWrap: "wrap" }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="h3" component="h2" id={id}>
            {title}
          </Typography>
          {caption && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
              {caption}
            </Typography>
          )}
        </Box>
        {action}
      </Box>
      {children}
    </Paper>
  );
}
