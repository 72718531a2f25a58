import { Box, Button, Typography, useMediaQuery } from "@mui/material";
import Plus from "lucide-react/icons/plus";
import { Icon } from "./Icon.tsx";

interface Props {
  title: string;
  /** It is as long as people make it, and may take several lines. */
  isLong?: boolean;
  /** Between the title and the button. */
  children?: React.ReactNode;
  /** The way to one more of what the page lists. On a phone it floats above the list. */
  action?: { label: string; run: () => void } | undefined;
}

/** The title of a page, and what it is there to do. */
export function PageHeader({ title, isLong = false, children, action }: Props) {
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  return (
    <Box sx={{ display: "flex", alignItems: "center", gap: 3, minHeight: 32, flexWrap: "wrap" }}>
      <Typography
        variant="h1"
        // A long one has a line of its own on a phone.
        sx={isLong ? { flex: "1 1 240px", overflowWrap: "anywhere" } : { flex: 1, whiteSpace: "nowrap" }}
      >
        {title}
      </Typography>
      {children}
      {action && (
        <Button variant="contained" color="primary" onClick={action.run} sx={isPhone ? floating : {}}>
          <Icon glyph={Plus} />
          {action.label}
        </Button>
      )}
    </Box>
  );
}

const floating = {
  position: "fixed",
  right: 16,
  bottom: 16,
  zIndex: "fab",
  height: 48,
  px: 4.5,
  borderRadius: "12px",
  boxShadow: "var(--depth-3)",
};
