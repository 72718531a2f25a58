import type { AdbLink } from "@terrarium/adb";
import type { Machine } from "@terrarium/runtime";
import type { ServerOptions } from "@terrarium/scrcpy";
import { runsScrcpy } from "../device-link.ts";
import { openMachineScreen } from "./open-machine-screen.ts";
import { openScrcpy, type ScrcpyDeps } from "./open-scrcpy.ts";
import { pushServer, type ScrcpyServer } from "./push-server.ts";
import type { ScrcpySession } from "./scrcpy-session.ts";

export interface OpenerDeps extends Pick<ScrcpyDeps, "clock" | "log"> {
  /** For devices that do not bring one along. */
  scrcpyServer: ScrcpyServer | undefined;
}

/** Opens a display of a device, each time it is called. */
export type OpenDisplay = (signal: AbortSignal, options?: Partial<ServerOptions>) => Promise<ScrcpySession>;

/**
 * A device shows itself by scrcpy. Where it cannot, as it is no Android, has no encoder for video, or there is no server's file, its machine
 * does, if that can; so from then on.
 */
export function displayOpener(
  machine: Pick<Machine, "capabilities" | "openScreen">,
  link: Pick<AdbLink, "openLocalAbstract" | "spawn" | "push" | "shell" | "gone">,
  { clock, log, scrcpyServer }: OpenerDeps,
): OpenDisplay {
  const openScreen = machine.openScreen?.bind(machine);
  let shows: "unknown" | "by scrcpy" | "by its machine" = "unknown";
  const byScrcpy = async (deps: ScrcpyDeps) => {
    if (machine.capabilities.has("scrcpy")) return openScrcpy(link, deps);
    await pushServer(link, { ...deps, server: scrcpyServer });
    // It must not delete itself. It changes no settings here that it would have to put back.
    return openScrcpy(link, { ...deps, options: { ...deps.options, cleanup: false } });
  };
  return async (signal, options) => {
    const deps = { clock, log, signal, options };
    if (!openScreen || shows === "by scrcpy") return byScrcpy(deps);
    if (shows === "unknown")
      try {
        if (!(await runsScrcpy(link, signal))) throw new Error("the device runs no app_process");
        const session = await byScrcpy(deps);
        shows = "by scrcpy";
        return session;
      } catch (error) {
        signal.throwIfAborted();
        if (link.gone.aborted) throw error;
        log.warn({ err: error }, "no picture by scrcpy: the machine shows its own, without sound and clipboard");
        shows = "by its machine";
      }
    return openMachineScreen(openScreen, deps);
  };
}
