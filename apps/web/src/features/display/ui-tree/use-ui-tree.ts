import { systemClock } from "@terrarium/clock";
import type { DisplaySession } from "@terrarium/sdk/display";
import { useState, useSyncExternalStore } from "react";
import { ToolSocket } from "../tools/tool-socket.ts";
import { connectionOf, type ToolDevice } from "../tools/use-tool.ts";
import { UiTreeSource, type UiTreeStatus } from "./ui-tree-source.ts";

/** What is on a device's screen, for all that shows it on a page. */
export function useUiTreeSource(device: ToolDevice, session: DisplaySession): UiTreeSource {
  const [source] = useState(
    () =>
      new UiTreeSource({
        socket: new ToolSocket({ ...connectionOf(device), tool: "ui" }),
        session,
        clock: systemClock,
      }),
  );
  return source;
}

export const useUiTree = (source: UiTreeSource): UiTreeStatus =>
  useSyncExternalStore(source.subscribe, () => source.status);
