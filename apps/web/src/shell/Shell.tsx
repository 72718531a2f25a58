import { Box, Drawer, useMediaQuery } from "@mui/material";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Outlet } from "react-router";
import { askForAvatarsAt } from "../components/avatars.ts";
import { Announcement } from "../features/announcement/Announcement.tsx";
import { News } from "../features/updates/News.tsx";
import { SandboxBank } from "../shared/payments/SandboxBank.tsx";
import { publicSettings } from "../session/settings.ts";
import { fetchPaletteWhenIdle, type FrameDialog, FrameDialogs } from "./FrameDialogs.tsx";
import { LinkBar } from "./LinkBar.tsx";
import { Navigation } from "./Navigation.tsx";
import { usePaletteKey } from "./palette/use-palette-key.ts";
import { TopBar } from "./TopBar.tsx";

/** From here on there is room for the words of the navigation. */
const WIDE = "(min-width:1024px)";

/** The frame of every page of somebody signed in: navigation at the side, account at the top. */
export function Shell() {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<FrameDialog>();
  const closeDialog = useCallback(() => setDialog(undefined), []);
  const openPalette = useCallback(() => setDialog("palette"), []);
  const openUpdates = useCallback(() => setDialog("updates"), []);
  usePaletteKey(openPalette);
  useEffect(fetchPaletteWhenIdle, []);
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  const { data: settings } = useQuery(publicSettings);
  useEffect(() => askForAvatarsAt(settings?.avatar_url), [settings]);
  return (
    <Frame>
      {isPhone ? (
        <Drawer
          open={isOpen}
          onClose={() => setOpen(false)}
          slotProps={{ paper: { "aria-label": t("common.navigation.menu"), sx: { width: 264, pt: 3 } } }}
        >
          <Navigation onChoose={() => setOpen(false)} onAsk={setDialog} />
        </Drawer>
      ) : (
        <Side>
          <Navigation onAsk={setDialog} />
        </Side>
      )}
      <TopBar onPalette={openPalette} onMenu={isPhone ? () => setOpen(true) : undefined} />
      <Box sx={{ gridColumn: "-2 / -1", minWidth: 0, display: "flex", flexDirection: "column" }}>
        <LinkBar />
        <Announcement />
        <News onAll={openUpdates} />
        <Main id="main" tabIndex={-1}>
          <Outlet />
        </Main>
      </Box>
      <SandboxBank />
      <FrameDialogs open={dialog} onAsk={setDialog} onClose={closeDialog} />
    </Frame>
  );
}

const Frame = styled("div")(({ theme }) => ({
  display: "grid",
  minHeight: "100dvh",
  gridTemplateRows: "56px minmax(0, 1fr)",
  gridTemplateColumns: "minmax(0, 1fr)",
  [theme.breakpoints.up("sm")]: { "--side": "56px", gridTemplateColumns: "var(--side) minmax(0, 1fr)" },
  [`@media ${WIDE}`]: { "--side": "232px" },
}));

const Side = styled("div")(({ theme }) => ({
  gridRow: "1 / 3",
  position: "sticky",
  top: 0,
  height: "100dvh",
  overflowY: "auto",
  borderRight: `1px solid ${theme.vars.palette.divider}`,
}));

const Main = styled("main")(({ theme }) => ({
  flex: 1,
  display: "flex",
  flexDirection: "column",
  padding: "20px 24px 16px",
  [theme.breakpoints.down("sm")]: { padding: "12px 16px 96px" },
}));
