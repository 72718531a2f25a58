import "../../en/display.ts";
import "../../en/list.ts";
import "../../en/palette.ts";
import { Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Keys, KeysDialog } from "../../components/KeysDialog.tsx";
import { listKeys } from "../../components/list/list-keys.ts";
import { everyTool, keyCapOf } from "../../features/display/toolbar-items.ts";
import { PALETTE_KEY } from "./use-palette-key.ts";

/** Every shortcut: those of the pages, and those of a device's controls. */
export function AllKeys({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <KeysDialog keys={[[PALETTE_KEY, t("palette.open")], ...listKeys(t)]} onClose={onClose}>
      <Typography variant="h3" sx={{ mt: 6, mb: 3 }}>
        {t("palette.deviceKeys")}
      </Typography>
      <Keys
        keys={[
          ["F6", t("palette.leaveDevice")],
          ...everyTool().map((tool): [string, string] => [keyCapOf(tool), t(`display.toolbar.${tool.name}`)]),
        ]}
      />
    </KeysDialog>
  );
}
