import { systemClock } from "@terrarium/clock";
import type { Instance } from "@terrarium/contract";
import { useEffect, useState, useSyncExternalStore } from "react";
import { accessToken } from "../../../shared/access-token.ts";
import { ToolSocket, type ToolSocketOptions, type ToolState } from "./tool-socket.ts";

/** The device whose tools are open. */
export type ToolDevice = Pick<Instance, "uuid" | "name" | "tools_url">;

/** What a tool's connection needs of its device. */
export const connectionOf = ({ uuid, tools_url: url }: ToolDevice) => ({
  url,
  token: (signal: AbortSignal) => accessToken(uuid, signal),
  clock: systemClock,
});

/** A tool of a device, open for as long as what shows it is there. What it is given counts once. */
export function useTool(
  device: ToolDevice,
  options: Omit<ToolSocketOptions, "url" | "token" | "clock">,
): { socket: ToolSocket; state: ToolState } {
  const [socket] = useState(() => new ToolSocket({ ...connectionOf(device), ...options }));
  useEffect(() => {
    socket.start();
    return () => socket.stop();
  }, [socket]);
  return { socket, state: useSyncExternalStore(socket.subscribe, () => socket.state) };
}
