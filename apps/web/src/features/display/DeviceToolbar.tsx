import { Box, Divider, useMediaQuery } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { Fragment, type Ref, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { HoldButton } from "./HoldButton.tsx";
import { type Equipment, gadgetTools, nextIndex, type Tool, type ToolName, toolGroups } from "./toolbar-items.ts";

interface Props {
  /** False while there is no picture: the buttons stay, and say so. */
  isLive: boolean;
  equipment: Equipment;
  /** A button that acts once; `anchor` is the button. */
  onAct: (name: ToolName, anchor: HTMLElement) => void;
  /** A key of the device goes down or comes up. */
  onKey: (tool: Tool, isDown: boolean) => void;
  /** Names of the buttons whose panel is open. */
  open?: ToolName | undefined;
  /** Those beside the device are. */
  areToolsOpen?: boolean;
  ref?: Ref<HTMLDivElement>;
}

/** What needs no connection. */
const alwaysThere: readonly ToolName[] = ["fullScreen", "tools", "replay", "sound"];

/** The device's buttons. One of them is in the tab order; arrow keys lead to the others. */
export function DeviceToolbar({ isLive, equipment, onAct, onKey, open, areToolsOpen = false, ref }: Props) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down("md"));
  const groups = toolGroups(equipment, isNarrow);
  const tools = groups.flat();
  const [lastFocused, setLastFocused] = useState<ToolName>();
  const current = Math.max(
    tools.findIndex(({ name }) => name === lastFocused),
    0,
  );
  const buttons = useRef(new Map<ToolName, HTMLButtonElement>());

  const isInList = (name: ToolName | undefined) =>
    name !== undefined && gadgetTools(equipment, "more").some((tool) => tool.name === name);
  const isWaiting = ({ name }: Tool) => !isLive && !alwaysThere.includes(name);
  const focus = (index: number) => {
    const tool = tools[index];
    if (tool) buttons.current.get(tool.name)?.focus();
  };
  const act = (tool: Tool) => {
    if (isWaiting(tool) || tool.isAbsent) return;
    if (tool.key) {
      onKey(tool, true);
      onKey(tool, false);
    } else {
      const anchor = buttons.current.get(tool.name) ?? buttons.current.get("more");
      if (anchor) onAct(tool.name, anchor);
    }
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = nextIndex(event.key, current, tools.length);
    if (index !== undefined) {
      event.preventDefault();
      focus(index);
      return;
    }
    // Those of the list have their keys here too.
    const tool = [...tools, ...gadgetTools(equipment, "more")].find(
      ({ shortcut }) => shortcut === event.key.toLowerCase(),
    );
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
        if (event.target === event.currentTarget) focus(current);
      }}
      sx={bar}
      style={{ ["--columns" as never]: tools.length < 4 ? tools.length : Math.ceil(tools.length / 2) }}
    >
      {groups.map((group, place) => (
        <Fragment key={group[0]?.name}>
          {place > 0 && <Divider flexItem orientation={isNarrow ? "vertical" : "horizontal"} sx={line} />}
          {group.map((tool) => {
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
                reason={
                  tool.isAbsent
                    ? t("display.toolbar.noSound")
                    : isWaiting(tool)
                      ? t("display.toolbar.notConnected", { action })
                      : undefined
                }
                tabIndex={tools[current] === tool ? 0 : -1}
                isOpen={
                  open === tool.name ||
                  (tool.name === "tools" && areToolsOpen) ||
                  (tool.name === "more" && isInList(open))
                }
                tooltipSide={isNarrow ? "top" : "right"}
                onFocus={() => setLastFocused(tool.name)}
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

/** Below it, all tools do not fit in a line. */
const LINE_PX = 800;

const line = (theme: Theme) => ({ m: "3px 4px", [theme.breakpoints.down(LINE_PX)]: { display: "none" } });

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
    justifyContent: "center",
    boxShadow: `0 -1px 0 ${theme.vars.palette.divider}`,
  },
  // Two lines, or as many as it takes, so that nothing is cut.
  [theme.breakpoints.down(LINE_PX)]: {
    display: "grid",
    gridTemplateColumns: "repeat(auto-fill, minmax(max(44px, 100% / var(--columns) - 1px), 1fr))",
    justifyItems: "center",
  },
});
