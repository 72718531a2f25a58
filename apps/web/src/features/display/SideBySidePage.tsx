import "../../en/display.ts";
import { Box, FormControlLabel, Switch } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { EmptyArch } from "../../components/drawings.tsx";
import { sideBySide } from "../../shared/side-by-side.ts";
import { DeviceTile } from "./DeviceTile.tsx";
import { DisplayHeader } from "./DisplayHeader.tsx";
import { Notice } from "./DisplayNotice.tsx";
import { Page } from "./DisplayPage.tsx";
import { Mirror } from "./mirror.ts";
import { type OpenPlayer, openPlayer as openRealPlayer } from "./player.ts";
import { isIdentifier } from "./refusal.ts";

/** Some running devices at once: `/devices/side-by-side?ids=…,…`, and with `&mirror=on` what is done on one is done on all. */
export default function SideBySidePage({ openPlayer = openRealPlayer }: { openPlayer?: OpenPlayer }) {
  const { t } = useTranslation();
  const [address, setAddress] = useSearchParams();
  const [mirror] = useState(() => new Mirror());
  const isMirrored = address.get("mirror") === "on";
  useEffect(() => mirror.turn(isMirrored), [mirror, isMirrored]);
  const asked = address.get("ids")?.toLowerCase().split(",") ?? [];
  const ids = [...new Set(asked.filter(isIdentifier))].slice(0, sideBySide.max);
  const change = (shown: readonly string[], mirrors: boolean) =>
    setAddress({ ids: shown.join(","), ...(mirrors && { mirror: "on" }) }, { replace: true });
  const title = t("common.titles.sideBySide");
  return (
    <Page
      header={
        <DisplayHeader title={title}>
          {ids.length > 1 && (
            <FormControlLabel
              control={
                <Switch
                  size="small"
                  checked={isMirrored}
                  onChange={(_, isOn) => change(ids, isOn)}
                  slotProps={{ input: { role: "switch", "aria-description": t("display.sideBySide.mirrorHelp") } }}
                />
              }
              label={t("display.sideBySide.mirror")}
              slotProps={{ typography: { variant: "body2" } }}
              title={t("display.sideBySide.mirrorHelp")}
              sx={{ gap: 1, mr: 1, flex: "none" }}
            />
          )}
        </DisplayHeader>
      }
    >
      {ids.length === 0 ? (
        <Notice drawing={<EmptyArch />} fact={t("display.sideBySide.none")} help={t("display.sideBySide.noneHelp")} />
      ) : (
        <Box sx={grid} style={{ ["--devices" as never]: ids.length, ["--few" as never]: Math.min(ids.length, 3) }}>
          {ids.map((uuid) => (
            <DeviceTile
              key={uuid}
              uuid={uuid}
              mirror={mirror}
              openPlayer={openPlayer}
              onRemove={() =>
                change(
                  ids.filter((id) => id !== uuid),
                  isMirrored,
                )
              }
            />
          ))}
        </Box>
      )}
    </Page>
  );
}

/** In a row where there is room for it. On a phone they stack, each with room beside its picture to scroll by. */
const grid = (theme: Theme) => ({
  flex: 1,
  minHeight: 0,
  overflow: "auto",
  display: "grid",
  gap: "12px",
  padding: "12px",
  gridTemplateColumns: "repeat(var(--devices), minmax(0, 1fr))",
  gridAutoRows: "minmax(360px, 1fr)",
  [theme.breakpoints.down("lg")]: { gridTemplateColumns: "repeat(var(--few), minmax(0, 1fr))" },
  [theme.breakpoints.down("sm")]: { gridTemplateColumns: "minmax(0, 1fr)", gridAutoRows: "78dvh" },
});
