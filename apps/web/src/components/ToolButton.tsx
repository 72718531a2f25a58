import { Box, IconButton, type IconButtonProps, Tooltip, type TooltipProps } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { type Glyph, Icon } from "./Icon.tsx";

interface Props extends Omit<IconButtonProps, "aria-label" | "children"> {
  label: string;
  glyph: Glyph;
  glyphSize?: 16 | 18;
  /** Why it cannot be used now. It can still be focused, and says this in its tooltip. */
  reason?: string | undefined;
  /** There is nothing to do with it now, which needs no words, as at the last page. */
  isOff?: boolean;
  /** The key that does the same, as it is written. */
  keyCap?: string;
  tooltipSide?: NonNullable<TooltipProps["placement"]>;
  /** Makes it a link. */
  href?: string | undefined;
  target?: "_blank" | undefined;
}

/** A button with a picture; its word is the tooltip and its name. */
export function ToolButton(props: Props) {
  const { label, glyph, glyphSize, reason, isOff, keyCap, tooltipSide, href, target, onClick, ...button } = props;
  const link = href !== undefined && reason === undefined ? { href, target, rel: target && "noopener" } : {};
  const hint = keyCap === undefined ? label : <WithKey label={label} keyCap={keyCap} />;
  return (
    <Tooltip title={reason ?? hint} {...(tooltipSide && { placement: tooltipSide })}>
      <IconButton
        size="small"
        {...button}
        {...link}
        aria-label={label}
        aria-description={reason}
        aria-disabled={isOff === true || reason !== undefined || undefined}
        onClick={(event) => {
          event.stopPropagation();
          if (reason === undefined && !isOff) onClick?.(event);
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <Icon glyph={glyph} size={glyphSize} />
      </IconButton>
    </Tooltip>
  );
}

const WithKey = ({ label, keyCap }: { label: string; keyCap: string }) => (
  <Box component="span" sx={{ display: "inline-flex", gap: "8px" }}>
    {label}
    <Box component="kbd" sx={cap}>
      {keyCap}
    </Box>
  </Box>
);

const cap = (theme: Theme) => ({
  fontFamily: "inherit",
  border: "1px solid currentColor",
  borderRadius: "4px",
  padding: "0 5px",
  opacity: 0.75,
  lineHeight: "14px",
  fontSize: theme.typography.caption.fontSize,
});
