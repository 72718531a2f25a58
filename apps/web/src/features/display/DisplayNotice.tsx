import { Box, Button, LinearProgress, Typography } from "@mui/material";
import { displayedStates, type Instance, type Person } from "@terrarium/contract";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import Mail from "lucide-react/icons/mail";
import Power from "lucide-react/icons/power";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { launchpad, routeRules } from "../../session/routes.ts";
import { Icon } from "../../components/Icon.tsx";
import { nameOf } from "../../components/PersonMark.tsx";
import { EmptyArch, TiltedCloche } from "../../components/drawings.tsx";
import type { Refusal } from "./refusal.ts";
import { SillStage } from "./SillStage.tsx";

/** What to do about a refusal. */
export const refusalHelps = {
  notRunning: "display.refused.ended",
  notAllowed: "display.refused.ask",
  notSavable: "display.refused.ask",
  notFound: "display.refused.checkLink",
  invalid: "display.refused.checkLink",
  other: "display.refused.safe",
} as const satisfies Record<Refusal, string>;

interface RefusedProps {
  refusal: Refusal;
  onRetry?: (() => void) | undefined;
  /** Starts another device from the same recipe. */
  onStartAgain?: (() => void) | undefined;
  /** How many captures of it are stored. */
  captures?: number | undefined;
}

/** Why there is no picture, and what can be done instead. */
export function RefusedDisplay({ refusal, onRetry, onStartAgain, captures = 0 }: RefusedProps) {
  const { t } = useTranslation();
  return (
    <Notice
      drawing={refusal === "notRunning" ? <EmptyArch /> : <TiltedCloche />}
      fact={t(
        refusal === "notSavable" ? "launchpad.deviceActions.unlessSave.notAllowed" : `display.refused.${refusal}`,
      )}
      help={t(refusalHelps[refusal])}
    >
      {refusal === "other" && onRetry && (
        <Button variant="contained" color="primary" onClick={onRetry}>
          {t("common.tryAgain")}
        </Button>
      )}
      {refusal === "notRunning" && onStartAgain && (
        <Button variant="contained" color="primary" onClick={onStartAgain} startIcon={<Icon glyph={RotateCcw} />}>
          {t("display.startAgain")}
        </Button>
      )}
      {captures > 0 && (
        <Button component={Link} to={routeRules.captures.path}>
          {t("display.captures", { count: captures })}
        </Button>
      )}
    </Notice>
  );
}

interface ColleagueProps {
  owner: Person;
  /** Writes to the owner. */
  mail: string;
  /** Missing for those who may not stop it, and when it does not take a stop. */
  onStop?: (() => void) | undefined;
}

/** The device of somebody else in one's organization: whose it is, and what one may do with it without its picture. */
export function ColleagueDisplay({ owner, mail, onStop }: ColleagueProps) {
  const { t } = useTranslation();
  return (
    <Notice
      drawing={<TiltedCloche />}
      fact={t("display.refused.notAllowed")}
      help={t(onStop ? "display.colleague.mayStop" : "display.colleague.belongs", { owner: nameOf(owner) })}
    >
      <Button href={mail} startIcon={<Icon glyph={Mail} />}>
        {t("display.colleague.message")}
      </Button>
      {onStop && (
        <Button onClick={onStop} startIcon={<Icon glyph={Power} />}>
          {t("display.colleague.stop")}
        </Button>
      )}
    </Notice>
  );
}

/** A device that is being stopped, or saved and then stopped: how far that is. */
export function EndingDisplay({ instance: { state, save } }: { instance: Pick<Instance, "state" | "save"> }) {
  const { t } = useTranslation();
  const isSaving = displayedStates[state] === "saving";
  const progress = state === "SAVED" ? 100 : save?.progress;
  if (!isSaving || progress === undefined)
    return (
      <Notice
        drawing={<EmptyArch />}
        fact={t(isSaving ? "display.ending.saving" : "display.ending.stopping")}
        help={t("display.ending.help")}
      />
    );
  const step = state === "SAVED" ? "saved" : progress === 0 ? "collecting" : "writing";
  return (
    <Notice
      drawing={<EmptyArch />}
      fact={t("display.ending.saving")}
      help={t(`display.ending.steps.${step}`, { progress })}
      more={t("display.ending.stopsAfter")}
    >
      <LinearProgress
        variant="determinate"
        value={progress}
        aria-label={t("display.ending.progress")}
        sx={{ width: 240, flexBasis: "100%", mb: 2 }}
      />
    </Notice>
  );
}

interface NoticeProps {
  drawing: React.ReactNode;
  fact: string;
  help: string;
  more?: string;
  children?: React.ReactNode;
}

/** What stands where the picture would be, and the way back. */
export function Notice({ drawing, fact, help, more, children }: NoticeProps) {
  const { t } = useTranslation();
  return (
    <SillStage>
      <Box component="output" sx={notice}>
        {drawing}
        <Typography variant="h2" component="p" sx={{ mt: "8px" }}>
          {fact}
        </Typography>
        <Typography color="textSecondary">{help}</Typography>
        {more && <Typography color="textSecondary">{more}</Typography>}
        <Box sx={{ display: "flex", flexWrap: "wrap", justifyContent: "center", gap: "8px", mt: "12px" }}>
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
