import type { OpenPlayer } from "@terrarium/sdk/display";
import "../../en/display.ts";
import { Box, FormControlLabel, Switch } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { EmptyArch } from "../../components/drawings.tsx";
import { sideBySide } from "../../shared/side-by-side.ts";
import { DeviceTile } from "./DeviceTile.tsx";
import { Differences } from "./differences/differences.ts";
import { DisplayHeader } from "./DisplayHeader.tsx";
import { Notice } from "./DisplayNotice.tsx";
import { Page } from "./DisplayPage.tsx";
import { Mirror } from "./mirror.ts";
import { openPlayer as openRealPlayer } from "./open-player.ts";
import { isIdentifier } from "./refusal.ts";

/**
 * Some running devices at once: `/devices/side-by-side?ids=…,…`. With `&mirror=on` what is done on one is done on all, and with
 * `&differences=on` it is outlined where the others differ from the first.
 */
export default function SideBySidePage({ openPlayer = openRealPlayer }: { openPlayer?: OpenPlayer }) {
  const { t } = useTranslation();
  const [address, setAddress] = useSearchParams();
  const [mirror] = useState(() => new Mirror());
  const isMirrored = address.get("mirror") === "on";
  useEffect(() => mirror.turn(isMirrored), [mirror, isMirrored]);
  const asked = address.get("ids")?.toLowerCase().split(",") ?? [];
  const ids = [...new Set(asked.filter(isIdentifier))].slice(0, sideBySide.max);
  const [differences] = useState(() => new Differences());
  const isCompared = address.get("differences") === "on";
  const change = (said: { ids?: string; mirror?: "on" | "off"; differences?: "on" | "off" }) => {
    const next = { ids: ids.join(","), ...Object.fromEntries(address), ...said };
    setAddress(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "off")), { replace: true });
  };
  const title = t("common.titles.sideBySide");
  return (
    <Page
      header={
        <DisplayHeader title={title}>
          {ids.length > 1 && (
            <>
              <HelpedSwitch
                label={t("display.sideBySide.differences")}
                help={t("display.sideBySide.differencesHelp")}
                isOn={isCompared}
                onChange={(isOn) => change({ differences: isOn ? "on" : "off" })}
              />
              <HelpedSwitch
                label={t("display.sideBySide.mirror")}
                help={t("display.sideBySide.mirrorHelp")}
                isOn={isMirrored}
                onChange={(isOn) => change({ mirror: isOn ? "on" : "off" })}
              />
            </>
          )}
        </DisplayHeader>
      }
    >
      {ids.length === 0 ? (
        <Notice drawing={<EmptyArch />} fact={t("display.sideBySide.none")} help={t("display.sideBySide.noneHelp")} />
      ) : (
        <Box sx={grid} style={{ ["--devices" as never]: ids.length, ["--few" as never]: Math.min(ids.length, 3) }}>
          {ids.map((uuid, index) => (
            <DeviceTile
              key={uuid}
              uuid={uuid}
              mirror={mirror}
              differences={isCompared && ids.length > 1 ? differences : undefined}
              isFirst={index === 0}
              openPlayer={openPlayer}
              onRemove={() => change({ ids: ids.filter((id) => id !== uuid).join(",") })}
            />
          ))}
        </Box>
      )}
    </Page>
  );
}

interface HelpedSwitchProps {
  label: string;
  help: string;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

const HelpedSwitch = ({ label, help, isOn, onChange }: HelpedSwitchProps) => (
  <FormControlLabel
    control={
      <Switch
        size="small"
        checked={isOn}
        onChange={(_, isNowOn) => onChange(isNowOn)}
        slotProps={{ input: { role: "switch", "aria-description": help } }}
      />
    }
    label={label}
    slotProps={{ typography: { variant: "body2" } }}
    title={help}
    sx={{ gap: 1, mx: 1, flex: "none" }}
  />
);

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
