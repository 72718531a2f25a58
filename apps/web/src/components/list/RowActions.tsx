import { Box } from "@mui/material";
import { ToolButton } from "../ToolButton.tsx";
import type { RowAction } from "./list.ts";

/** What can mostly be done with one row, always in sight. */
export const RowActions = ({ actions }: { actions: readonly RowAction[] }) => (
  <Box sx={{ display: "flex", justifyContent: "flex-end" }}>
    {actions
      .filter(({ isInMenu }) => !isInMenu)
      .map(({ id, glyph, label, reason, href, target, run }) => (
        <ToolButton key={id} glyph={glyph} label={label} reason={reason} href={href} target={target} onClick={run} />
      ))}
  </Box>
);
