import { Box, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Segmented } from "../../components/Segmented.tsx";
import { VirtualRows } from "../../components/VirtualRows.tsx";
import { sayTime } from "./say-time.ts";
import type { Step } from "./steps.ts";

interface Props {
  steps: readonly Step[];
  /** Of all steps, the last one that has happened; -1 before the first. */
  current: number;
  onSeek: (time: number) => void;
}

const ROW = 28;
const filters = ["all", "done", "log"] as const;
type Filter = (typeof filters)[number];

/** What happened, line by line, in step with the picture. A press or an arrow key leads to the time of a line. */
export function Steps({ steps, current, onSeek }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const [filter, setFilter] = useState<Filter>("all");
  const shown = filter === "all" ? steps : steps.filter(({ kind }) => (kind === "log") === (filter === "log"));
  const now = steps[current];
  const active = now ? shown.findLastIndex((step) => step.at <= now.at) : -1;
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = shown[active]?.at ?? -1;
    // Lines of the same time are one place in it.
    const next = by > 0 ? shown[active + 1] : shown.findLast((step) => step.at < at);
    if (next) onSeek(next.at);
  };
  return (
    <Box sx={{ display: "flex", flexDirection: "column", flex: 1, minWidth: 0, minHeight: 0 }}>
      <Box sx={{ p: "10px 16px", flex: "none" }}>
        <Segmented
          label={t("replay.filter")}
          choices={filters.map((value) => ({ value, label: t(`replay.filters.${value}`) }))}
          value={filter}
          onChange={setFilter}
        />
      </Box>
      {shown.length === 0 && <Typography sx={{ p: 4, color: "text.secondary" }}>{t("replay.nothing")}</Typography>}
      <VirtualRows
        count={shown.length}
        rowHeight={ROW}
        active={active}
        role="listbox"
        tabIndex={0}
        aria-label={t("replay.list")}
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        onKeyDown={onKeyDown}
        sx={list}
      >
        {(from, to) =>
          shown.slice(from, to).map((step, nth) => (
            <Box
              key={from + nth}
              role="option"
              id={`${id}-${from + nth}`}
              aria-selected={from + nth === active}
              aria-posinset={from + nth + 1}
              aria-setsize={shown.length}
              data-kind={step.kind}
              data-level={step.level}
              className={from + nth > active ? "later" : ""}
              onClick={() => onSeek(step.at)}
              sx={row}
            >
              <span className="time">{sayTime(step.at)}</span>
              {step.text}
            </Box>
          ))
        }
      </VirtualRows>
    </Box>
  );
}

const list = (theme: Theme) => ({
  flex: 1,
  background: theme.vars.palette.background.paper,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
});

const row = (theme: Theme) => ({
  ...theme.typography.body2,
  height: ROW,
  lineHeight: `${ROW}px`,
  padding: "0 16px",
  whiteSpace: "pre",
  cursor: "pointer",
  fontWeight: 550,
  "& .time": {
    ...theme.typography.mono,
    display: "inline-block",
    width: 56,
    color: theme.vars.palette.text.secondary,
    fontWeight: 400,
  },
  "&[data-kind=log]": { ...theme.typography.mono, lineHeight: `${ROW}px`, fontWeight: 400 },
  "&[data-level=W]": { color: theme.vars.palette.warning.main },
  "&[data-level=E], &[data-level=F]": { color: theme.vars.palette.error.main },
  "&.later": { opacity: 0.72 },
  "&:hover": { background: theme.vars.palette.action.hover },
  "&[aria-selected=true]": {
    background: theme.vars.palette.primary.soft,
    boxShadow: `inset 2px 0 0 ${theme.vars.palette.primary.main}`,
  },
});
