import { Drawer, Popover, Typography, useMediaQuery } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useId } from "react";

interface Props {
  anchor: HTMLElement | undefined;
  title: string;
  /** In pixels. */
  width: number;
  onClose: () => void;
  children: React.ReactNode;
}

const GAP = 16;

/** The room that a panel of this size needs beside the toolbar, or above it on narrow screens. */
export const roomOf = (width: number, height: number) => ({ width: width + 2 * GAP, height });

/** What opens from a tool: beside the toolbar, above it on narrow screens, and on a phone a sheet at the bottom. */
export function GadgetPopover({ anchor, title, width, onClose, children }: Props) {
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down("md"));
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down("sm"));
  const id = useId();
  const content = (
    <>
      <Typography id={id} variant="h3">
        {title}
      </Typography>
      {children}
    </>
  );
  if (isPhone)
    return (
      <Drawer
        anchor="bottom"
        open={anchor !== undefined}
        onClose={onClose}
        // What is set shows in the picture above.
        slotProps={{
          paper: { sx: phoneSheet, role: "dialog", "aria-labelledby": id },
          backdrop: { invisible: true },
        }}
      >
        {content}
      </Drawer>
    );
  return (
    <Popover
      open={anchor !== undefined}
      anchorEl={anchor ?? null}
      onClose={onClose}
      anchorOrigin={isNarrow ? { vertical: "top", horizontal: "center" } : { vertical: "center", horizontal: "right" }}
      transformOrigin={
        isNarrow ? { vertical: "bottom", horizontal: "center" } : { vertical: "center", horizontal: "left" }
      }
      slotProps={{ paper: { sx: sheet, style: { width }, role: "dialog", "aria-labelledby": id } }}
    >
      {content}
    </Popover>
  );
}

const sheet = (theme: Theme) => ({
  padding: "16px 20px",
  margin: { xs: "-12px 0 0", md: `0 0 0 ${GAP}px` },
  borderRadius: "10px",
  background: theme.vars.palette.background.raised,
  boxShadow: `var(--depth-3), var(--glass-edge), 0 0 0 1px ${theme.vars.palette.divider}`,
});

const phoneSheet = {
  padding: "16px 20px max(20px, env(safe-area-inset-bottom))",
  borderRadius: "14px 14px 0 0",
  maxHeight: "70dvh",
  boxShadow: "var(--depth-3)",
  background: (theme: Theme) => theme.vars.palette.background.raised,
};
