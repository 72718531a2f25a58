import { Box, Typography } from "@mui/material";
import { Dropdown } from "../../../components/Dropdown.tsx";

/** A menu with its label to its left, which it is also named by. */
export function LabelledChoice<Value extends string>(props: React.ComponentProps<typeof Dropdown<Value>>) {
  return (
    <Box sx={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: "12px" }}>
      <Typography variant="label">{props.label}</Typography>
      <Dropdown {...props} />
    </Box>
  );
}
