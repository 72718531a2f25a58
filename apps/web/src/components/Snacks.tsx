import { Box, Button, IconButton } from "@mui/material";
import { type Theme } from "@mui/material/styles";
import CircleCheck from "lucide-react/icons/circle-check";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import X from "lucide-react/icons/x";
import { useEffect, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./Icon.tsx";
import { closeSnack, readSnacks, type Snack, type SnackType, watchSnacks } from "./snack-queue.ts";

const glyphs: Partial<Record<SnackType, typeof X>> = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: TriangleAlert,
};

/** What was just done or went wrong, one line each, where it covers nothing. */
export function Snacks() {
  const snacks = useSyncExternalStore(watchSnacks, readSnacks);
  return (
    <Box
      sx={{
        position: "fixed",
        left: { xs: 16, sm: 24 },
        right: { xs: 16, sm: "auto" },
        // Above the bar of chosen rows, when there is one.
        bottom: "calc(24px + var(--bulk-bar, 0px))",
        zIndex: "snackbar",
        display: "grid",
        gap: 2,
        justifyItems: "start",
      }}
    >
      {snacks.map((each) => (
        <SnackLine key={each.id} snack={each} />
      ))}
    </Box>
  );
}

function SnackLine({ snack: { id, type, message, action, timeoutMs } }: { snack: Snack }) {
  const { t } = useTranslation();
  useEffect(() => {
    if (timeoutMs === undefined) return undefined;
    const timer = setTimeout(() => closeSnack(id), timeoutMs);
    return () => clearTimeout(timer);
  }, [id, timeoutMs]);
  const glyph = glyphs[type];
  return (
    <Box role={type === "error" ? "alert" : "status"} data-floating sx={[line, type === "error" && errorLine]}>
      {glyph && <Icon glyph={glyph} />}
      <Box
        component="span"
        title={message}
        sx={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: { sm: "nowrap" } }}
      >
        {message}
      </Box>
      {action && (
        <Button
          variant="text"
          size="small"
          sx={{ color: "inherit", fontWeight: 600 }}
          onClick={() => {
            closeSnack(id);
            action.run();
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

const line = (theme: Theme) => ({
  ...theme.typography.body2,
  display: "inline-flex",
  alignItems: "center",
  gap: "10px",
  minHeight: 44,
  maxWidth: "min(420px, 100%)",
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
