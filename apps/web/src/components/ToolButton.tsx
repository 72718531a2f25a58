import { IconButton, Tooltip } from "@mui/material";
import { type Glyph, Icon } from "./Icon.tsx";

interface Props {
  label: string;
  glyph: Glyph;
  /** Why it cannot be used now. It keeps the focus and says this in its tooltip. */
  reason?: string | undefined;
  /** There is nothing to do with it now, which needs no words, as at the last page. */
  isOff?: boolean;
  onClick?: () => void;
  /** Makes it a link. */
  href?: string | undefined;
  target?: "_blank";
}

/** A small button with a picture; its word is the tooltip and its name. */
export function ToolButton({ label, glyph, reason, isOff = false, onClick, href, target }: Props) {
  const link = href !== undefined && reason === undefined ? { href, target, rel: target && "noopener" } : {};
  return (
    <Tooltip title={reason ?? label}>
      <IconButton
        size="small"
        {...link}
        aria-label={label}
        aria-description={reason}
        aria-disabled={isOff || reason !== undefined || undefined}
        onClick={(event) => {
          event.stopPropagation();
          if (reason === undefined && !isOff) onClick?.();
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <Icon glyph={glyph} />
      </IconButton>
    </Tooltip>
  );
}
