import { Box, MenuItem, Select, Typography } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import ArrowDownToLine from "lucide-react/icons/arrow-down-to-line";
import ChevronsDown from "lucide-react/icons/chevrons-down";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import Trash from "lucide-react/icons/trash-2";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { saveFile } from "../../../components/save-file.ts";
import { SearchField } from "../../../components/SearchField.tsx";
import { snack } from "../../../components/snack-queue.ts";
import { ToolButton } from "../../../components/ToolButton.tsx";
import { VirtualRows } from "../../../components/VirtualRows.tsx";
import { type LogFilter, type LogLevel, type LogLine, logLevels, LogStore } from "./log-store.ts";
import { controls, foot, footWords, note } from "./tool-styles.ts";
import { sayTrouble, ToolNotice } from "./ToolNotice.tsx";
import { type ToolDevice, useTool } from "./use-tool.ts";

const ROW = 18;

/** The device's log as it is written. */
export default function Logcat({ device }: { device: ToolDevice }) {
  const { t } = useTranslation();
  const [store] = useState(() => new LogStore());
  const [filter, setFilter] = useState<LogFilter>({ level: "V", tag: "", search: "" });
  const [isFollowing, setFollowing] = useState(true);
  const draw = useRedraw();
  const { socket, state } = useTool(device, {
    tool: "logcat",
    onBytes: (bytes) => {
      store.push(bytes);
      draw();
    },
    // It comes with what was logged before, all of it again.
    onOpen: () => store.clear(),
  });
  const { shown, count, held, isPaused } = store;
  const change = (part: Partial<LogFilter>) => {
    const next = { ...filter, ...part };
    setFilter(next);
    store.show(next);
  };
  const clear = () => {
    socket.ask("clear").then(
      () => {
        store.clear();
        draw();
      },
      (error: unknown) => snack("error", sayTrouble(t, error)),
    );
  };
  const togglePause = () => {
    if (isPaused) store.resume();
    else store.pause();
    draw();
  };
  const download = () => {
    const text = shown.map((line) => `${line.text}\n`);
    saveFile(new Blob(text, { type: "text/plain" }), `${device.name}.log`);
  };
  const isFiltered = filter.level !== "V" || filter.tag !== "" || filter.search !== "";
  return (
    <>
      <Box sx={controls}>
        <SearchField
          label={t("tools.log.search")}
          value={filter.search}
          onChange={(search) => change({ search })}
          sx={{ flex: "2 1 150px", minWidth: 0 }}
        />
        <SearchField
          label={t("tools.log.tag")}
          value={filter.tag}
          onChange={(tag) => change({ tag })}
          sx={{ flex: "1 1 96px", minWidth: 0 }}
        />
        <Select<LogLevel>
          size="small"
          value={filter.level}
          onChange={({ target }) => change({ level: target.value })}
          SelectDisplayProps={{ "aria-label": t("tools.log.level") }}
          sx={{ flex: "0 1 116px" }}
        >
          {logLevels.map((level) => (
            <MenuItem key={level} value={level}>
              {t(`tools.log.levels.${level}`)}
            </MenuItem>
          ))}
        </Select>
      </Box>
      <ToolNotice state={state} onAgain={() => socket.start()} />
      {shown.length === 0 && state.phase === "open" && (
        <Typography sx={note}>{t(count > 0 ? "tools.log.nothing" : "tools.log.empty")}</Typography>
      )}
      <VirtualRows
        count={shown.length}
        rowHeight={ROW}
        isFollowing={isFollowing && !isPaused}
        onFollow={setFollowing}
        role="log"
        aria-live="off"
        aria-label={t("tools.log.label", { name: device.name })}
        tabIndex={0}
        sx={lines}
      >
        {(from, to) => shown.slice(from, to).map((line) => <Line key={line.key} line={line} />)}
      </VirtualRows>
      <Box sx={foot}>
        <Typography variant="caption" component="output" aria-live="off" sx={footWords} noWrap>
          {isPaused
            ? t("tools.log.held", { count: held })
            : isFiltered
              ? t("tools.log.countOf", { shown: shown.length, count })
              : t("tools.log.count", { count })}
        </Typography>
        <ToolButton
          label={t("tools.log.follow")}
          glyph={ChevronsDown}
          isOff={isFollowing || isPaused}
          onClick={() => setFollowing(true)}
        />
        <ToolButton
          label={t(isPaused ? "tools.log.resume" : "tools.log.pause")}
          glyph={isPaused ? Play : Pause}
          onClick={togglePause}
        />
        <ToolButton label={t("tools.log.clear")} glyph={Trash} isOff={state.phase !== "open"} onClick={clear} />
        <ToolButton
          label={t("tools.log.download")}
          glyph={ArrowDownToLine}
          isOff={shown.length === 0}
          onClick={download}
        />
      </Box>
    </>
  );
}

const Line = ({ line: { text, level } }: { line: LogLine }) => (
  <Box component="div" data-level={level} sx={lineOf}>
    {text}
  </Box>
);

/** Draws anew with the next picture, however often it is asked to before. */
function useRedraw(): () => void {
  const [, setVersion] = useState(0);
  const waiting = useRef<number>(undefined);
  const next = useEffectEvent(() => {
    waiting.current = undefined;
    setVersion((version) => version + 1);
  });
  const [draw] = useState(() => () => {
    waiting.current ??= requestAnimationFrame(() => next());
  });
  useEffect(
    () => () => {
      if (waiting.current !== undefined) cancelAnimationFrame(waiting.current);
      waiting.current = undefined;
    },
    [],
  );
  return draw;
}

const lines = (theme: Theme) => ({
  ...theme.typography.mono,
  flex: 1,
  lineHeight: `${ROW}px`,
  fontSize: "0.75rem",
  fontVariantLigatures: "none",
  color: theme.vars.palette.text.primary,
  background: theme.vars.palette.background.paper,
});

const lineOf = (theme: Theme) => ({
  height: ROW,
  padding: "0 16px",
  whiteSpace: "pre",
  "&[data-level=V], &[data-level=D]": { color: theme.vars.palette.text.secondary },
  "&[data-level=W]": { color: theme.vars.palette.warning.main },
  "&[data-level=E], &[data-level=F]": { color: theme.vars.palette.error.main },
});
