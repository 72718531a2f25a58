import { Box, Button, Divider, IconButton } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import Copy from "lucide-react/icons/copy";
import Power from "lucide-react/icons/power";
import X from "lucide-react/icons/x";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useMe } from "../../session/user.ts";
import { copyText } from "../../components/copy-text.ts";
import { Icon } from "../../components/Icon.tsx";
import { snack } from "../../components/snack-queue.ts";
import { mayStop } from "./device-actions.ts";

interface Props {
  instances: Instance[];
  onStop: (instances: Instance[]) => void;
  onClear: () => void;
}

/** What can be done with all chosen devices at once. Those that cannot be stopped are left out. */
export function BulkBar({ instances, onStop, onClear }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const count = instances.length;
  const isShown = count > 0;
  useEffect(() => {
    if (!isShown) return undefined;
    const { style } = document.documentElement;
    style.setProperty("--bulk-bar", "52px");
    return () => void style.removeProperty("--bulk-bar");
  }, [isShown]);
  if (!isShown) return null;
  const stoppable = instances.filter((instance) => mayStop(instance, me));
  const copy = async () => {
    if (await copyText(instances.map(({ uuid }) => uuid).join("\n")))
      snack("dark", t("launchpad.idsCopied", { count }));
  };
  return (
    <Box sx={bar} data-floating>
      <Box component="output" sx={{ fontWeight: 600, whiteSpace: "nowrap" }}>
        {t("launchpad.selected", { count })}
      </Box>
      <Divider orientation="vertical" flexItem sx={{ my: 3, borderColor: "currentColor", opacity: 0.25 }} />
      {stoppable.length > 0 && (
        <Button variant="text" sx={{ color: "inherit" }} onClick={() => onStop(stoppable)}>
          <Icon glyph={Power} />
          {t("launchpad.stopSelected", { count: stoppable.length })}
        </Button>
      )}
      <Button variant="text" sx={{ color: "inherit" }} onClick={() => void copy()}>
        <Icon glyph={Copy} />
        {t("launchpad.copyIds", { count })}
      </Button>
      <IconButton size="small" sx={{ color: "inherit" }} aria-label={t("launchpad.clearSelection")} onClick={onClear}>
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
