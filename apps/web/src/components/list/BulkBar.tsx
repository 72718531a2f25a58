import { Box, Button, Divider, IconButton } from "@mui/material";
import Copy from "lucide-react/icons/copy";
import X from "lucide-react/icons/x";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../copy-text.ts";
import { Icon } from "../Icon.tsx";
import { snack } from "../snack-queue.ts";
import type { BulkAction } from "./list.ts";

interface Props {
  ids: readonly string[];
  actions: readonly BulkAction[];
  onClear: () => void;
}

/** What can be done with all selected rows at once. */
export function BulkBar({ ids, actions, onClear }: Props) {
  const { t } = useTranslation();
  const count = ids.length;
  const isShown = count > 0;
  useEffect(() => {
    if (!isShown) return undefined;
    const { style } = document.documentElement;
    style.setProperty("--bulk-bar", "52px");
    return () => void style.removeProperty("--bulk-bar");
  }, [isShown]);
  if (!isShown) return null;
  const copy = async () => {
    if (await copyText(ids.join("\n"))) snack("dark", t("common.bulk.idsCopied", { count }));
  };
  return (
    <Box sx={bar} data-floating>
      <Box component="output" sx={{ fontWeight: 600, whiteSpace: "nowrap" }}>
        {t("common.bulk.selected", { count })}
      </Box>
      <Divider orientation="vertical" flexItem sx={{ my: 3, borderColor: "currentColor", opacity: 0.25 }} />
      {[...actions, { glyph: Copy, label: t("common.bulk.copyIds", { count }), run: () => void copy() }].map(
        ({ glyph, label, run }) => (
          <Button key={label} variant="text" sx={{ color: "inherit" }} onClick={run}>
            <Icon glyph={glyph} />
            {label}
          </Button>
        ),
      )}
      <IconButton size="small" sx={{ color: "inherit" }} aria-label={t("common.bulk.clear")} onClick={onClear}>
        <Icon glyph={X} />
      </IconButton>
    </Box>
  );
}

const bar = {
  position: "fixed",
  // In the middle of the page beside the navigation, whose width the shell says.
  left: "calc(50% + var(--side, 0px) / 2)",
  bottom: 20,
  transform: "translateX(-50%)",
  zIndex: "speedDial",
  display: "flex",
  alignItems: "center",
  gap: 2,
  minHeight: 40,
  pl: 3.5,
  pr: 1.5,
  maxWidth: "calc(100vw - 32px)",
  borderRadius: "10px",
  typography: "body2",
  background: "var(--mui-palette-snack-bg)",
  color: "var(--mui-palette-snack-fg)",
  boxShadow: "var(--depth-3)",
};
