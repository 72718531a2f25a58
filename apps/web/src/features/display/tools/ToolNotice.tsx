import { Box, Button, Typography } from "@mui/material";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { ToolFailure, type ToolState } from "./tool-socket.ts";

/** Why something was not done, with the device's own words where it has some. */
export function sayTrouble(t: TFunction, error: unknown): string {
  const { code, words } = error instanceof ToolFailure ? error : new ToolFailure("failed");
  return [t(`tools.trouble.${code}`), words].filter(Boolean).join(" ");
}

interface Props {
  state: ToolState;
  onAgain: () => void;
}

/** How a tool's connection is, if it is not simply there. */
export function ToolNotice({ state, onAgain }: Props) {
  const { t } = useTranslation();
  if (state.phase === "open") return null;
  const isOver = state.phase === "over";
  return (
    <Box component="output" sx={line}>
      <Typography variant="body2" sx={{ flex: 1, overflowWrap: "anywhere" }}>
        {isOver
          ? state.failure
            ? sayTrouble(t, state.failure)
            : t("tools.shell.ended", { code: state.exitCode ?? 0 })
          : t(`tools.${state.phase}`)}
      </Typography>
      {isOver && (
        <Button size="small" onClick={onAgain}>
          {t(state.failure ? "tools.again" : "tools.shell.again")}
        </Button>
      )}
    </Box>
  );
}

const line = {
  display: "flex",
  alignItems: "center",
  gap: "12px",
  flex: "none",
  padding: "6px 16px",
  bgcolor: "background.sunken",
  color: "text.secondary",
};
