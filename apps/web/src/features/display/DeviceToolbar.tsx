import { Box, Divider, useMediaQuery } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { Fragment, type Ref, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { HoldButton } from "./HoldButton.tsx";
import { type Tool, nextIndex, type ToolName, toolGroups } from "./toolbar-items.ts";

interface Props {
  /** False while there is no picture: the buttons stay, and say so. */
  isLive: boolean;
  /** What the device says it can do; undefined until it says, and then everything is offered. */
  capabilities?: Readonly<Record<string, boolean>> | undefined;
  /** A button that acts once; `anchor` is the button. */
  onAct: (name: ToolName, anchor: HTMLElement) => void;
  /** A key of the device goes down or comes up. */
  onKey: (tool: Tool, isDown: boolean) => void;
  /** Names of the buttons whose panel is open. */
  open?: ToolName | undefined;
  ref?: Ref<HTMLDivElement>;
}

/** The device's buttons. One of them is in the tab order; arrow keys lead to the others. */
export function DeviceToolbar({ isLive, capabilities, onAct, onKey, open, ref }: Props) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down("md"));
  const groups = toolGroups(isNarrow);
  const tools = groups.flat();
  const [current, setCurrent] = useState(0);
  const buttons = useRef(new Map<ToolName, HTMLButtonElement>());

  const blockedBy = ({ name, capability }: Tool) => {
    if (!isLive && name !== "fullScreen") return "display.toolbar.notConnected" as const;
    if (capability && capabilities && capabilities[capability] !== true)
      return "display.toolbar.notOnThisDevice" as const;
    return undefined;
  };
  const act = (tool: Tool) => {
    if (blockedBy(tool)) return;
    if (tool.key) {
      onKey(tool, true);
      onKey(tool, false);
    } else {
      const anchor = buttons.current.get(tool.name);
      if (anchor) onAct(tool.name, anchor);
    }
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = nextIndex(event.key, current, tools.length);
    if (index !== undefined) {
      event.preventDefault();
      buttons.current.get(tools[index]?.name ?? "rotate")?.focus();
      return;
    }
    const tool = tools.find(({ shortcut }) => shortcut === event.key.toLowerCase());
    if (!tool) return;
    event.preventDefault();
    act(tool);
  };

  return (
    <Box
      ref={ref}
      role="toolbar"
      tabIndex={-1}
      aria-label={t("display.toolbar.label")}
      aria-orientation={isNarrow ? "horizontal" : "vertical"}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (event.target === event.currentTarget) buttons.current.get(tools[current]?.name ?? "rotate")?.focus();
      }}
      sx={bar}
    >
      {groups.map((group, place) => (
        <Fragment key={group[0]?.name}>
          {place > 0 && <Divider flexItem orientation={isNarrow ? "vertical" : "horizontal"} sx={{ m: "3px 4px" }} />}
          {group.map((tool) => {
            const blocked = blockedBy(tool);
            const action = t(`display.toolbar.${tool.name}`);
            return (
              <HoldButton
                key={tool.name}
                ref={(button) => {
                  if (button) buttons.current.set(tool.name, button);
                  else buttons.current.delete(tool.name);
                }}
                tool={tool}
                label={action}
                reason={blocked && t(blocked, { action })}
                tabIndex={tools[current] === tool ? 0 : -1}
                isOpen={open === tool.name}
                tooltipSide={isNarrow ? "top" : "right"}
                onFocus={() => setCurrent(tools.indexOf(tool))}
                onAct={() => act(tool)}
                onHold={tool.key && ((isDown) => onKey(tool, isDown))}
              />
            );
          })}
        </Fragment>
      ))}
    </Box>
  );
}

const bar = (theme: Theme) => ({
  display: "flex",
  flexDirection: "column" as const,
  gap: "1px",
  padding: "4px",
  maxHeight: "100%",
  overflow: "auto",
  scrollbarWidth: "none",
  borderRadius: "12px",
  background: theme.vars.palette.background.raised,
  boxShadow: `var(--depth-2), var(--glass-edge), 0 0 0 1px ${theme.vars.palette.divider}`,
  "&:focus": { outline: "none" },
  [theme.breakpoints.down("md")]: {
    flexDirection: "row" as const,
    flex: 1,
    minWidth: 0,
    borderRadius: 0,
    padding: "4px 8px",
    // In the middle while it fits, from the left edge on when it scrolls.
    justifyContent: "safe center",
    boxShadow: `0 -1px 0 ${theme.vars.palette.divider}`,
  },
});
