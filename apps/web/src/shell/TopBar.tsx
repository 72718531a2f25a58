import { Box, IconButton } from "@mui/material";
import Menu from "lucide-react/icons/menu";
import { useTranslation } from "react-i18next";
import { Icon } from "../components/Icon.tsx";
import { Logo } from "../shared/glyphs.tsx";
import { AccountMenu } from "./AccountMenu.tsx";
import { PaletteButton } from "./palette/PaletteButton.tsx";
import { ThemeMenu } from "./ThemeMenu.tsx";

/** What belongs to the person rather than to the page. `onMenu` is given where the navigation is behind a button. */
export function TopBar({ onMenu, onPalette }: { onMenu?: (() => void) | undefined; onPalette: () => void }) {
  const { t } = useTranslation();
  return (
    <Box
      component="header"
      sx={{
        gridColumn: "-2 / -1",
        position: "sticky",
        top: 0,
        zIndex: "appBar",
        display: "flex",
        alignItems: "center",
        gap: 2,
        px: { xs: 3, sm: 6 },
        borderBottom: "1px solid",
        borderColor: "divider",
        background: "var(--mui-palette-background-default)",
      }}
    >
      {onMenu && (
        <>
          <IconButton aria-label={t("common.navigation.open")} onClick={onMenu} sx={{ width: 44, height: 44 }}>
            <Icon glyph={Menu} size={20} />
          </IconButton>
          <Box sx={{ color: "primary.main", display: "flex" }}>
            <Logo />
          </Box>
        </>
      )}
      <Box sx={{ flex: 1 }} />
      <PaletteButton onPress={onPalette} />
      <ThemeMenu />
      <AccountMenu />
    </Box>
  );
}
