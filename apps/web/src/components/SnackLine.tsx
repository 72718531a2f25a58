import { Box, Button, IconButton } from "@mui/material";
import { type Theme } from "@mui/material/styles";
import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import X from "lucide-react/icons/x";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { Icon } from "./Icon.tsx";
import { closeSnack, type Snack, type SnackType } from "./snack-queue.ts";

const glyphs: Partial<Record<SnackType, typeof X>> = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: TriangleAlert,
};

/** One snack, which goes by itself unless it is being read. */
export default function SnackLine({ snack: { id, type, message, action, timeoutMs } }: { snack: Snack }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  /** Being read or about to be pressed: it does not go from under the pointer. */
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (timeoutMs === undefined || isHeld) return undefined;
    const timer = setTimeout(() => closeSnack(id), timeoutMs);
    return () => clearTimeout(timer);
  }, [id, timeoutMs, isHeld]);
  const hold = () => setHeld(true);
  const letGo = () => setHeld(false);
  const glyph = glyphs[type];
  return (
    <Box
      role={type === "error" ? "alert" : "status"}
      data-floating
      sx={[line, type === "error" && errorLine]}
      onMouseEnter={hold}
      onMouseLeave={letGo}
      onFocus={hold}
      onBlur={letGo}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // It closes the snack, not the dialog below it.
        event.stopPropagation();
        closeSnack(id);
      }}
    >
      {glyph && <Icon glyph={glyph} />}
      <Box component="span" title={message} sx={words}>
        {message}
      </Box>
      {action && action.to !== pathname && (
        <Button
          {...(action.to !== undefined && { component: Link, to: action.to })}
          variant="text"
          size="small"
          sx={{ color: "inherit", fontWeight: 600, flex: "none" }}
          onClick={() => {
            closeSnack(id);
            action.run?.();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton size="small" sx={{ color: "inherit" }} aria-label={t("common.close")} onClick={() => closeSnack(id)}>
        <Icon glyph={X} />
      </IconButton>
    </Box>
  );
}

/** Two lines at most. */
const words = {
  display: "-webkit-box",
  WebkitBoxOrient: "vertical",
  WebkitLineClamp: 2,
  overflow: "hidden",
  overflowWrap: "anywhere",
  flex: 1,
} as const;

const line = (theme: Theme) => ({
  ...theme.typography.body2,
  display: "inline-flex",
  alignItems: "center",
  gap: "10px",
  minHeight: 44,
  maxWidth: "min(560px, 100%)",
  padding: "6px 8px 6px 14px",
  borderRadius: "10px",
  background: theme.vars.palette.snack.bg,
  color: theme.vars.palette.snack.fg,
  boxShadow: "var(--depth-3)",
});

const errorLine = (theme: Theme) => ({
  background: theme.vars.palette.error.soft,
  color: theme.vars.palette.error.main,
  border: `1px solid ${theme.vars.palette.error.main}`,
});
