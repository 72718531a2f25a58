import { Box } from "@mui/material";

/** What a row of a list is called: a long name ends in dots, and the whole of it is the tooltip. */
export const RowName = ({ name }: { name: string }) => (
  <Box component="span" title={name} sx={{ color: "text.primary", fontWeight: 550 }}>
    {name}
  </Box>
);
