import { IconButton, Menu, MenuItem, Tooltip } from "@mui/material";
import { useColorScheme } from "@mui/material/styles";
import Check from "lucide-react/icons/check";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Sun from "lucide-react/icons/sun";
import SunMoon from "lucide-react/icons/sun-moon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../components/Icon.tsx";

const modes = [
  ["light", Sun],
  ["dark", Moon],
  ["system", Monitor],
] as const;

/** Light, dark, or as the system says. */
export function ThemeMenu() {
  const { t } = useTranslation();
  const { mode = "system", setMode } = useColorScheme();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Tooltip title={t("common.theme.label")}>
        <IconButton
          aria-label={t("common.theme.label")}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Icon glyph={SunMoon} size={18} />
        </IconButton>
      </Tooltip>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {modes.map(([name, glyph]) => (
          <MenuItem
            key={name}
            role="menuitemradio"
            aria-checked={mode === name}
            selected={mode === name}
            sx={{ minWidth: 160 }}
            onClick={() => {
              setMode(name);
              setAnchor(null);
            }}
          >
            <Icon glyph={glyph} />
            <span style={{ flex: 1 }}>{t(`common.theme.${name}`)}</span>
            {mode === name && <Icon glyph={Check} size={14} />}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
