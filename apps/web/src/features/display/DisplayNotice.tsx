import { Box, Button, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { launchpad } from "../../session/routes.ts";
import { EmptyArch, TiltedCloche } from "../../components/drawings.tsx";
import type { Refusal } from "./refusal.ts";
import { SillStage } from "./SillStage.tsx";

const helps = {
  notRunning: "display.refused.ended",
  notAllowed: "display.refused.ask",
  notFound: "display.refused.checkLink",
  invalid: "display.refused.checkLink",
  other: "display.refused.safe",
} as const satisfies Record<Refusal, string>;

/** Why there is no picture, and the way back. */
export function RefusedDisplay({ refusal, onRetry }: { refusal: Refusal; onRetry?: (() => void) | undefined }) {
  const { t } = useTranslation();
  return (
    <Notice
      drawing={refusal === "notRunning" ? <EmptyArch /> : <TiltedCloche />}
      fact={t(`display.refused.${refusal}`)}
      help={t(helps[refusal])}
    >
      {refusal === "other" && onRetry && (
        <Button variant="contained" color="primary" onClick={onRetry}>
          {t("common.tryAgain")}
        </Button>
      )}
    </Notice>
  );
}

export function EndingDisplay({ isSaving }: { isSaving: boolean }) {
  const { t } = useTranslation();
  return (
    <Notice
      drawing={<EmptyArch />}
      fact={t(isSaving ? "display.ending.saving" : "display.ending.stopping")}
      help={t("display.ending.help")}
    />
  );
}

interface NoticeProps {
  drawing: React.ReactNode;
  fact: string;
  help: string;
  children?: React.ReactNode;
}

function Notice({ drawing, fact, help, children }: NoticeProps) {
  const { t } = useTranslation();
  return (
    <SillStage>
      <Box component="output" sx={notice}>
        {drawing}
        <Typography variant="h2" component="p" sx={{ mt: "8px" }}>
          {fact}
        </Typography>
        <Typography color="textSecondary">{help}</Typography>
        <Box sx={{ display: "flex", gap: "8px", mt: "12px" }}>
          {children}
          <Button component={Link} to={launchpad}>
            {t("display.backToDevices")}
          </Button>
        </Box>
      </Box>
    </SillStage>
  );
}

const notice = {
  display: "grid",
  placeContent: "center",
  justifyItems: "center",
  gap: "4px",
  padding: "24px",
  textAlign: "center",
};
