import "../../en/palette.ts";
import "../../en/around.ts";
import { Box, Dialog, InputBase, LinearProgress, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import Search from "lucide-react/icons/search";
import { useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { announce } from "../../components/announce.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { visuallyHidden } from "../../components/hidden.ts";
import { Icon } from "../../components/Icon.tsx";
import { publicSettings } from "../../session/settings.ts";
import { track } from "../../shared/analytics.ts";
import type { FrameDialog } from "../FrameDialogs.tsx";
import { type Command, recentFirst } from "./command.ts";
import { matching } from "./fuzzy.ts";
import { Options } from "./Options.tsx";
import { recentCommands, rememberCommand } from "./recent-commands.ts";
import { useCommands } from "./use-commands.ts";
import { useFound } from "./use-found.ts";

interface Props {
  onAsk: (what: FrameDialog) => void;
  onClose: () => void;
}

/**
 * Everything by name: screens, devices, recipes, people, acts. A field with a list below it (the combobox pattern of ARIA): the focus
 * stays in the field, arrows choose in the list.
 */
export function Palette({ onAsk, onClose }: Props) {
  const { t } = useTranslation();
  const list = useId();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const [recent] = useState(recentCommands.read);
  const own = useCommands(onAsk, useQuery(publicSettings).data);
  const found = useFound(typed);
  const isAsked = typed.trim() !== "";
  // Until the answer is here, what an earlier search found may have nothing to do with what is typed now.
  const answering = found.isBusy ? matching(typed, found.commands) : found.commands;
  const offered = isAsked ? [...matching(typed, own), ...answering] : recentFirst([...found.commands, ...own], recent);
  // Arrows go through them in the order in which they are shown.
  const commands = [...Map.groupBy(offered, ({ group }) => group).values()].flat();
  const at = Math.min(chosen, commands.length - 1);

  const count = commands.length;
  const isSettled = !found.isBusy;
  useEffect(() => {
    if (isAsked && isSettled) announce(t("palette.found", { count }));
  }, [isAsked, isSettled, count, t]);

  const run = (command: Command | undefined) => {
    if (!command) return;
    rememberCommand(command.id);
    track("command_run");
    // Before it runs: it may open another dialog.
    onClose();
    command.run();
  };
  const move: Record<string, () => number> = {
    ArrowDown: () => (at + 1) % count,
    ArrowUp: () => (at - 1 + count) % count,
    PageDown: () => Math.min(at + 5, count - 1),
    PageUp: () => Math.max(at - 5, 0),
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    // What an input method makes of keys is its own matter.
    if (event.nativeEvent.isComposing) return;
    const next = move[event.key];
    if (event.key === "Enter") run(commands[at]);
    else if (next && count > 0) setChosen(next());
    else return;
    event.preventDefault();
  };

  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={`${list}-title`}
      slotProps={{ paper: { sx: paper }, container: { sx: { alignItems: "flex-start" } } }}
    >
      <Box component="h2" id={`${list}-title`} sx={visuallyHidden}>
        {t("palette.title")}
      </Box>
      <Box sx={{ display: "flex", alignItems: "center", gap: 3, px: 4, borderBottom: 1, borderColor: "divider" }}>
        <Icon glyph={Search} size={18} />
        <InputBase
          fullWidth
          inputRef={focusWhenShown}
          placeholder={t("palette.search")}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
          sx={{ height: 52, fontSize: 15 }}
          inputProps={{
            role: "combobox",
            "aria-label": t("palette.search"),
            "aria-autocomplete": "list",
            "aria-expanded": count > 0,
            "aria-controls": list,
            "aria-activedescendant": count > 0 ? `${list}-${at}` : undefined,
            autoComplete: "off",
            spellCheck: false,
            maxLength: 250,
          }}
        />
      </Box>
      <Box sx={{ height: 2 }}>
        {found.isBusy && isAsked && (
          <Delayed>
            <LinearProgress aria-label={t("common.loadingPage")} sx={{ height: 2 }} />
          </Delayed>
        )}
      </Box>
      {found.hasFailed && (
        <Typography role="alert" variant="body2" color="error" sx={{ px: 4, py: 2 }}>
          {t("palette.failed")}
        </Typography>
      )}
      {count === 0 && isSettled && !found.hasFailed && (
        <Typography color="textSecondary" sx={{ p: 6, textAlign: "center", overflowWrap: "anywhere" }}>
          {t("palette.none", { text: typed.trim() })}
        </Typography>
      )}
      <Options id={list} commands={commands} at={at} onPoint={setChosen} onRun={run} />
    </Dialog>
  );
}

const paper = {
  width: 600,
  maxWidth: "calc(100vw - 24px)",
  maxHeight: { xs: "calc(100dvh - 24px)", sm: "min(520px, 76dvh)" },
  m: { xs: 3, sm: 4 },
  mt: { sm: "12dvh" },
} as const;
