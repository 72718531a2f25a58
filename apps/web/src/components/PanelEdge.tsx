import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useState } from "react";
import { useTranslation } from "react-i18next";

interface Props {
  /** What it makes wider, for screen readers. */
  label: string;
  /** The id of the panel. */
  controls: string;
  /** Of the panel, in CSS pixels; as are the bounds. */
  width: number;
  min: number;
  max: number;
  /** Called while it is dragged, and once more with `isDone` when it is released. Undefined means the default width. */
  onResize: (width: number | undefined, isDone: boolean) => void;
  /** The drag was cancelled: restore the former width. */
  onCancel: () => void;
}

/** A press of an arrow key; with Shift, of four. */
const STEP = 16;

/** The left edge of a panel that is on the right: dragging it, or pressing arrow keys, resizes the panel. A double click resets it. */
export function PanelEdge({ label, controls, width, min, max, onResize, onCancel }: Props) {
  const { t } = useTranslation();
  /** Where the pointer grabbed it, how wide the panel was, and whether the width has changed since. */
  const [hold, setHold] = useState<{ x: number; width: number; isDragged: boolean }>();
  const bounded = (wanted: number) => Math.round(Math.min(max, Math.max(min, wanted)));
  const at = (event: React.PointerEvent) => hold && bounded(hold.width + hold.x - event.clientX);
  const letGo = (event: React.PointerEvent) => {
    if (hold?.isDragged) onResize(at(event), true);
    setHold(undefined);
  };
  const takeBack = () => {
    if (hold) onCancel();
    setHold(undefined);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = event.shiftKey ? STEP * 4 : STEP;
    const wanted = { ArrowLeft: width + step, ArrowRight: width - step, Home: min, End: max }[event.key];
    if (wanted === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onResize(bounded(wanted), true);
  };
  return (
    <Box
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- one that moves is a control, which `hr` is not
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={t("common.pixels", { px: width })}
      sx={edge}
      {...(hold && { "data-held": "" })}
      onKeyDown={onKeyDown}
      onDoubleClick={() => onResize(undefined, true)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setHold({ x: event.clientX, width, isDragged: false });
      }}
      onPointerMove={(event) => {
        if (!hold || (!hold.isDragged && hold.x === event.clientX)) return;
        setHold({ ...hold, isDragged: true });
        onResize(at(event), false);
      }}
      onPointerUp={letGo}
      // Some browsers do not report the position with this event.
      onPointerCancel={takeBack}
      onLostPointerCapture={takeBack}
    />
  );
}

/** A hairline to look at, with a larger area to grab. */
const edge = (theme: Theme) => ({
  position: "absolute",
  zIndex: 1,
  left: -5,
  top: 0,
  bottom: 0,
  width: 9,
  cursor: "col-resize",
  touchAction: "none",
  "&::after": {
    content: '""',
    position: "absolute",
    left: 4,
    top: 0,
    bottom: 0,
    width: "1px",
    background: theme.vars.palette.divider,
    transition: "background 120ms",
  },
  "&:hover::after, &[data-held]::after": { width: "3px", left: 3, background: theme.vars.palette.outline },
  "&:focus-visible": { outline: "none" },
  "&:focus-visible::after": { width: "3px", left: 3, background: theme.vars.palette.focus },
});
