import { useEffect, useRef } from "react";
import type { Theme } from "@mui/material/styles";
import { ToolButton } from "../../components/ToolButton.tsx";
import { keyCapOf, type Tool } from "./toolbar-items.ts";

/** A finger that scrolls the toolbar moves within this time; one that stays means the key. */
const TOUCH_HOLD_MS = 150;

interface Props extends Omit<React.ComponentProps<typeof ToolButton>, "glyph" | "onClick"> {
  tool: Tool;
  /** Its panel is open. */
  isOpen: boolean;
  onAct: () => void;
  /** For keys of the device, which stay down for as long as the pointer does. */
  onHold?: ((isDown: boolean) => void) | undefined;
}

/** A button of the device's toolbar: a key of the device is held for as long as it is. */
export function HoldButton({ tool, isOpen, onAct, onHold, ...button }: Props) {
  const isHeld = useRef(false);
  /** The click that follows a hold is the same press. */
  const wasHeld = useRef(false);

  const touch = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(touch.current), []);

  const press = (event: React.PointerEvent) => {
    if (button.reason !== undefined || !onHold || event.button !== 0) return;
    // A finger is held by the button without our asking; a tap shorter than this is the click that follows.
    if (event.pointerType === "touch") {
      touch.current = setTimeout(hold, TOUCH_HOLD_MS);
      return;
    }
    event.currentTarget.setPointerCapture(event.pointerId);
    hold();
  };
  const hold = () => {
    isHeld.current = true;
    wasHeld.current = true;
    onHold?.(true);
  };
  const release = () => {
    clearTimeout(touch.current);
    if (!isHeld.current) return;
    isHeld.current = false;
    onHold?.(false);
  };

  return (
    <ToolButton
      {...button}
      glyph={tool.glyph}
      glyphSize={18}
      keyCap={keyCapOf(tool)}
      aria-keyshortcuts={tool.shortcut}
      aria-pressed={tool.isOn}
      aria-expanded={tool.hasPanel ? isOpen : undefined}
      onPointerDown={press}
      onPointerUp={release}
      onPointerCancel={() => {
        release();
        // No click follows: the next one is its own press.
        wasHeld.current = false;
      }}
      onLostPointerCapture={release}
      onClick={() => {
        if (!wasHeld.current) onAct();
        wasHeld.current = false;
      }}
      sx={look}
      className={isOpen || tool.isOn ? "open" : ""}
    />
  );
}

const look = (theme: Theme) => ({
  width: 36,
  // All of them beside the device, also on a low screen.
  height: "clamp(26px, (100dvh - 150px) / 17, 36px)",
  flex: "none",
  borderRadius: "8px",
  touchAction: "manipulation",
  "&.open": {
    background: theme.vars.palette.primary.soft,
    color: theme.vars.palette.primary.main,
  },
  "&:active:not([aria-disabled=true])": { background: theme.vars.palette.action.focus },
  [theme.breakpoints.down("md")]: { width: 44, height: 44 },
});
