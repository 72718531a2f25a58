import { Box, IconButton, Tooltip } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { type Ref, useRef } from "react";
import { Icon } from "../../components/Icon.tsx";
import type { Tool } from "./toolbar-items.ts";

interface Props {
  tool: Tool;
  label: string;
  /** Why it cannot act now; it stays in reach so that its tooltip can say so. */
  blocked?: string | undefined;
  isInTabOrder: boolean;
  isOpen: boolean;
  tooltipSide: "right" | "top";
  onFocus: () => void;
  onAct: () => void;
  /** For keys of the device, which stay down for as long as the pointer does. */
  onHold?: ((isDown: boolean) => void) | undefined;
  ref: Ref<HTMLButtonElement>;
}

export function ToolButton(props: Props) {
  const { tool, label, blocked, isInTabOrder, isOpen, tooltipSide, onFocus, onAct, onHold, ref } = props;
  const isHeld = useRef(false);
  /** The click that follows a hold is the same press. */
  const wasHeld = useRef(false);

  const hold = (event: React.PointerEvent) => {
    if (blocked || !onHold || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    isHeld.current = true;
    wasHeld.current = true;
    onHold(true);
  };
  const release = () => {
    if (!isHeld.current) return;
    isHeld.current = false;
    onHold?.(false);
  };

  return (
    <Tooltip
      placement={tooltipSide}
      title={
        blocked ?? (
          <Box component="span" sx={{ display: "inline-flex", gap: "8px" }}>
            {label}
            <Box component="kbd" sx={keyCap}>
              {tool.written ?? tool.shortcut.toUpperCase()}
            </Box>
          </Box>
        )
      }
    >
      <IconButton
        ref={ref}
        aria-label={label}
        aria-disabled={blocked !== undefined}
        aria-keyshortcuts={tool.shortcut}
        aria-expanded={tool.name === "battery" ? isOpen : undefined}
        tabIndex={isInTabOrder ? 0 : -1}
        onFocus={onFocus}
        onPointerDown={hold}
        onPointerUp={release}
        onPointerCancel={release}
        onLostPointerCapture={release}
        onClick={() => {
          if (!wasHeld.current) onAct();
          wasHeld.current = false;
        }}
        sx={button}
        className={isOpen ? "open" : ""}
      >
        <Icon glyph={tool.glyph} size={18} />
      </IconButton>
    </Tooltip>
  );
}

const button = (theme: Theme) => ({
  width: 36,
  height: 36,
  flex: "none",
  borderRadius: "8px",
  touchAction: "manipulation",
  "&.open": {
    background: (theme.vars ?? theme).palette.primary.soft,
    color: (theme.vars ?? theme).palette.primary.main,
  },
  "&:active:not([aria-disabled=true])": { background: (theme.vars ?? theme).palette.action.focus },
  [theme.breakpoints.down("md")]: { width: 44, height: 44 },
});

const keyCap = (theme: Theme) => ({
  fontFamily: "inherit",
  border: "1px solid currentColor",
  borderRadius: "4px",
  padding: "0 5px",
  opacity: 0.75,
  lineHeight: "14px",
  fontSize: theme.typography.caption.fontSize,
});
