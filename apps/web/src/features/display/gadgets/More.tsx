import { Box, MenuItem, MenuList } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../components/Icon.tsx";
import type { Tool, ToolName } from "../toolbar-items.ts";
import { GadgetPopover, roomOf } from "./GadgetPopover.tsx";

interface Props {
  anchor: HTMLElement | undefined;
  tools: readonly Tool[];
  onChoose: (name: ToolName) => void;
  onClose: () => void;
}

const WIDTH = 232;
const ROW = 36;

export const moreRoom = (count: number) => roomOf(WIDTH, 68 + count * ROW);

/** The gadgets that have no tool of their own, by their names. */
export function More({ anchor, tools, onChoose, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <GadgetPopover anchor={anchor} title={t("display.toolbar.more")} width={WIDTH} onClose={onClose}>
      <MenuList autoFocusItem sx={{ m: "8px -12px -8px", p: 0 }}>
        {tools.map(({ name, glyph, shortcut }) => (
          <MenuItem
            key={name}
            onClick={() => onChoose(name)}
            sx={{ minHeight: { xs: 44, sm: ROW }, borderRadius: "6px", px: "12px", gap: "12px" }}
          >
            <Icon glyph={glyph} size={18} />
            <Box component="span" sx={{ flex: 1, typography: "body2" }}>
              {t(`display.toolbar.${name}`)}
            </Box>
            <Box component="kbd" aria-hidden sx={{ typography: "caption", color: "text.tertiary" }}>
              {shortcut.toUpperCase()}
            </Box>
          </MenuItem>
        ))}
      </MenuList>
    </GadgetPopover>
  );
}
