import { Box, LinearProgress, Typography } from "@mui/material";
import type { ScenarioRun } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { lengthText } from "../../../../shared/length-text.ts";

/** The steps of a run, in the order in which they happen, and how far it is. */
export function ScenarioSteps({ run }: { run: ScenarioRun }) {
  const { t } = useTranslation();
  const { status, steps, step, elapsed_ms: elapsed, duration_ms: length, round, rounds } = run;
  const inOrder = steps.map((each, index) => ({ ...each, index })).toSorted((a, b) => a.at_ms - b.at_ms);
  const isOver = status === "finished" || status === "stopped";
  return (
    <Box component="section" aria-label={t("scenario.run")} sx={section}>
      <Box sx={{ display: "flex", gap: "12px", padding: "8px 16px", alignItems: "baseline" }}>
        <Typography variant="subtitle2" noWrap sx={{ flex: 1, minWidth: 0 }}>
          {run.name ?? t("scenario.nameless")}
        </Typography>
        <Typography variant="caption" component="output" sx={{ color: "text.secondary", flex: "none" }}>
          {t(`scenario.status.${status}`)}
          {rounds > 1 && ` · ${t("scenario.round", { round, rounds })}`}
        </Typography>
        <Typography variant="caption" sx={{ color: "text.tertiary", flex: "none", fontVariantNumeric: "tabular-nums" }}>
          {lengthText(elapsed)} / {lengthText(length)}
        </Typography>
      </Box>
      <LinearProgress
        variant="determinate"
        value={length > 0 ? Math.min(100, (100 * elapsed) / length) : 100}
        aria-label={t("scenario.progress")}
      />
      <Box component="ol" sx={list}>
        {inOrder.map(({ index, name, kinds, at_ms: at }) => {
          const isNow = !isOver && index === step;
          return (
            <Box
              component="li"
              key={index}
              aria-current={isNow ? "step" : undefined}
              sx={isNow ? { ...row, ...now } : row}
            >
              <Typography variant="caption" sx={time}>
                {lengthText(at)}
              </Typography>
              <Typography variant="body2" noWrap sx={{ flex: 1, minWidth: 0 }}>
                {name ?? kinds.map((kind) => t(`scenario.kinds.${kind}`)).join(", ")}
              </Typography>
              {name !== null && (
                <Typography variant="caption" noWrap sx={{ color: "text.tertiary", flex: "0 1 auto", minWidth: 0 }}>
                  {kinds.map((kind) => t(`scenario.kinds.${kind}`)).join(", ")}
                </Typography>
              )}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

const section = { flex: "0 1 auto", display: "flex", flexDirection: "column", maxHeight: "50%", minHeight: 0 };
const list = { m: 0, p: 0, listStyle: "none", overflowY: "auto", minHeight: 0 };
const row = { display: "flex", gap: "12px", alignItems: "baseline", padding: "6px 16px" };
const now = { bgcolor: "action.selected" };
const time = { color: "text.tertiary", flex: "none", minWidth: 44, fontVariantNumeric: "tabular-nums" };
