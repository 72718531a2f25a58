import { Box, DialogActions, DialogContent } from "@mui/material";

/** What stands below the title of a dialog that has several steps, each with buttons of its own. */
export const DialogBody = ({ children, actions }: { children: React.ReactNode; actions: React.ReactNode }) => (
  <>
    <DialogContent>
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 3 }}>{children}</Box>
    </DialogContent>
    <DialogActions>{actions}</DialogActions>
  </>
);
