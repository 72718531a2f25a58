import "../../../en/captures.ts";
import "../../../en/tools.ts";
import { Box, Drawer, Tab, Tabs, useMediaQuery } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import X from "lucide-react/icons/x";
import { lazy, Suspense, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { fetchCode } from "../../../components/fetch-code.ts";
import { PanelEdge } from "../../../components/PanelEdge.tsx";
import { ToolButton } from "../../../components/ToolButton.tsx";
import { usePreference } from "../../../components/use-preference.ts";
import { useSize } from "../use-size.ts";
import { MIN_TOOLS_WIDTH, toolsWidth, toolsWidthIn } from "./tools-width.ts";
import Apps from "./Apps.tsx";
import Captures from "./Captures.tsx";
import Files from "./Files.tsx";
import Logcat from "./Logcat.tsx";
import type { UiTreeSource } from "../ui-tree/ui-tree-source.ts";
import { type SideTool, sideTools } from "./side-tools.ts";
import UiTree from "./UiTree.tsx";
import type { ToolDevice } from "./use-tool.ts";

/** The terminal is large, and few open it. */
const Shell = lazy(() => fetchCode(() => import("./Shell.tsx")));
/** It brings what reads YAML. */
const Scenario = lazy(() => fetchCode(() => import("./scenario/Scenario.tsx")));

interface Props {
  device: ToolDevice;
  tool: SideTool;
  /** What is on its screen. */
  uiTree: UiTreeSource;
  /** Brings files into a folder of the device. */
  onUpload: (files: readonly File[], folder: string) => void;
  /** Changes when a file has arrived. */
  arrived: number;
  onChoose: (tool: SideTool) => void;
  onClose: () => void;
}

/** The tools beside a device, one of them open; on narrow screens a sheet. */
export default function DeviceTools({ device, tool, uiTree, onUpload, arrived, onChoose, onClose }: Props) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery((theme: Theme) => theme.breakpoints.down("md"));
  const id = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const leave = () => tabs.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  // What runs in the shell goes on while somebody looks at something else, and what was written stays.
  const [opened, setOpened] = useState<readonly SideTool[]>([]);
  if ((tool === "shell" || tool === "scenario") && !opened.includes(tool)) setOpened([...opened, tool]);
  const label = t("tools.label", { name: device.name });
  const panel = (name: SideTool, children: React.ReactNode) => (
    <Box
      key={name}
      role="tabpanel"
      id={`${id}-${name}`}
      aria-labelledby={`${id}-tab-${name}`}
      hidden={tool !== name}
      sx={tool === name ? page : undefined}
    >
      {children}
    </Box>
  );
  const content = (
    <>
      <Box sx={head}>
        <Tabs
          ref={tabs}
          value={tool}
          onChange={(_, chosen: SideTool) => onChoose(chosen)}
          aria-label={label}
          variant="scrollable"
          // The last ones would be out of sight in a narrow panel, and nothing would say so.
          allowScrollButtonsMobile
          sx={{
            flex: 1,
            minWidth: 0,
            "& .MuiTabs-scrollButtons": { width: 24, "&.Mui-disabled": { display: "none" } },
          }}
        >
          {sideTools.map((name) => (
            <Tab
              key={name}
              value={name}
              label={t(`tools.names.${name}`)}
              id={`${id}-tab-${name}`}
              aria-controls={tool === name ? `${id}-${name}` : undefined}
            />
          ))}
        </Tabs>
        <ToolButton label={t("tools.close")} glyph={X} glyphSize={18} onClick={onClose} />
      </Box>
      {tool === "logcat" && panel("logcat", <Logcat device={device} />)}
      {opened.includes("shell") &&
        panel(
          "shell",
          <Suspense>
            <Shell device={device} isShown={tool === "shell"} onLeave={leave} />
          </Suspense>,
        )}
      {tool === "files" && panel("files", <Files device={device} onUpload={onUpload} arrived={arrived} />)}
      {tool === "apps" && panel("apps", <Apps device={device} />)}
      {tool === "captures" && panel("captures", <Captures device={device} />)}
      {tool === "ui" && panel("ui", <UiTree name={device.name} source={uiTree} />)}
      {opened.includes("scenario") &&
        panel(
          "scenario",
          <Suspense>
            <Scenario device={device} />
          </Suspense>,
        )}
    </>
  );
  if (isNarrow)
    return (
      <Drawer
        anchor="bottom"
        open
        onClose={onClose}
        slotProps={{
          paper: { sx: sheet, role: "dialog", "aria-label": label },
          backdrop: { invisible: true },
        }}
      >
        {content}
      </Drawer>
    );
  return (
    <Beside id={`${id}-tools`} label={label}>
      {content}
    </Beside>
  );
}

/** As wide as somebody has made it. */
function Beside({ id, label, children }: { id: string; label: string; children: React.ReactNode }) {
  const { t } = useTranslation();
  const room = useRef<HTMLElement>(null);
  const roomSize = useSize(room);
  const [chosen, choose] = usePreference(toolsWidth);
  const [dragged, setDragged] = useState<number>();
  const { width, max } = toolsWidthIn(roomSize?.width ?? 0, dragged ?? chosen);
  return (
    <Box
      ref={(aside: HTMLElement | null) => void (room.current = aside?.parentElement ?? null)}
      component="aside"
      id={id}
      aria-label={label}
      sx={beside}
      style={{ width }}
    >
      <PanelEdge
        label={t("tools.width")}
        controls={id}
        width={width}
        min={MIN_TOOLS_WIDTH}
        max={max}
        onResize={(wanted = 0, isDone) => {
          setDragged(isDone ? undefined : wanted);
          if (isDone) choose(wanted);
        }}
        onCancel={() => setDragged(undefined)}
      />
      {children}
    </Box>
  );
}

const head = {
  display: "flex",
  alignItems: "center",
  flex: "none",
  gap: "8px",
  padding: "0 12px 0 16px",
  borderBottom: "1px solid",
  borderColor: "divider",
};

const page = { display: "flex", flexDirection: "column", flex: 1, minHeight: 0 };

const beside = {
  display: "flex",
  flexDirection: "column",
  flex: "none",
  position: "relative",
  minHeight: 0,
  bgcolor: "background.default",
};

const sheet = {
  display: "flex",
  flexDirection: "column",
  height: "72dvh",
  borderRadius: "14px 14px 0 0",
  overflow: "hidden",
  boxShadow: "var(--depth-3)",
  paddingBottom: "env(safe-area-inset-bottom)",
  background: (theme: Theme) => theme.vars.palette.background.default,
};
