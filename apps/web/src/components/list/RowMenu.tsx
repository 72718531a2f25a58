import { Menu, MenuItem } from "@mui/material";
import { Link } from "react-router";
import { Icon } from "../Icon.tsx";
import type { RowAction } from "./list.ts";

interface Props {
  label: string;
  actions: readonly RowAction[];
  anchor: HTMLElement;
  onClose: () => void;
}

/** What can be done with one row now, as a menu. */
export function RowMenu({ label, actions, anchor, onClose }: Props) {
  return (
    <Menu
      open
      anchorEl={anchor}
      anchorOrigin={{ vertical: "bottom", horizontal: "right" }}
      transformOrigin={{ vertical: "top", horizontal: "right" }}
      onClose={onClose}
      // The menu key must not bring up the browser's own menu as well.
      onContextMenu={(event) => event.preventDefault()}
      slotProps={{ list: { "aria-label": label } }}
    >
      {actions
        .filter(({ reason }) => reason === undefined)
        .map(({ id, glyph, short, href, target, run }) => (
          <MenuItem
            key={id}
            {...(href !== undefined && { component: Link, to: href, target, rel: target && "noopener" })}
            onClick={() => {
              onClose();
              run?.();
            }}
          >
            <Icon glyph={glyph} />
            {short}
          </MenuItem>
        ))}
    </Menu>
  );
}
