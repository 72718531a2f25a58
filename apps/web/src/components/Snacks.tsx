import { Box, Button, IconButton } from "@mui/material";
import { type Theme } from "@mui/material/styles";
import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import X from "lucide-react/icons/x";
import { useEffect, useId, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { Icon } from "./Icon.tsx";
import { Listeners } from "./listeners.ts";
import { closeSnack, readSnacks, type Snack, type SnackType, watchSnacks } from "./snack-queue.ts";

const glyphs: Partial<Record<SnackType, typeof X>> = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: TriangleAlert,
};

/** The places where snacks may be shown, the one in front last: the page, and each dialog above it. */
let places: string[] = [];
const watchers = new Listeners();
const changePlaces = (next: string[]) => {
  places = next;
  watchers.notify();
};

/**
 * What was just done or went wrong, at the bottom left. The app has one of these and each dialog its own: only the one in
 * front shows them, so that they lie above the dialog and are among what the Tab key reaches in it.
 */
export function Snacks() {
  const id = useId();
  useEffect(() => {
    changePlaces([...places, id]);
    return () => changePlaces(places.filter((place) => place !== id));
  }, [id]);
  const isInFront = useSyncExternalStore(watchers.subscribe, () => places.at(-1) === id);
  const snacks = useSyncExternalStore(watchSnacks, readSnacks);
  if (!isInFront || snacks.length === 0) return null;
  return (
    <Box sx={corner}>
      {snacks.map((each) => (
        <SnackLine key={each.id} snack={each} />
      ))}
    </Box>
  );
}

function SnackLine({ snack: { id, type, message, action, timeoutMs } }: { snack: Snack }) {
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

const corner = {
  position: "fixed",
  left: { xs: 16, sm: 24 },
  right: { xs: 16, sm: "auto" },
  // Above what else stands at the bottom: the bar of chosen rows, or on a phone the buttons of a dialog.
  bottom: "calc(24px + var(--bulk-bar, 0px))",
  ".MuiDialog-paperFullScreen > &": { bottom: "calc(16px + 68px)" },
  zIndex: "snackbar",
  display: "grid",
  gap: 2,
  justifyItems: "start",
} as const;

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
