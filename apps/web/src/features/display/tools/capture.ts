import type { Recorded } from "@terrarium/sdk/display";
import "../../../en/captures.ts";
import "../../../en/tools.ts";
import type { QueryClient } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import { snack } from "../../../components/snack-queue.ts";
import { capturesKey } from "../../../shared/captures/captures.queries.ts";
import { ToolFailure, ToolSocket } from "./tool-socket.ts";
import { sayTrouble } from "./ToolNotice.tsx";
import { connectionOf, type ToolDevice } from "./use-tool.ts";

export interface Capturing {
  device: ToolDevice;
  t: TFunction;
  cache: QueryClient;
  /** Shows the captures of the device. */
  show: () => void;
}

/** Has a device's gateway save a screenshot, or begin or end a recording. Says how that went. */
export async function capture(
  what: "screenshot" | "record" | "stop",
  { device, t, cache, show }: Capturing,
): Promise<void> {
  try {
    await askOnce(device, what);
    if (what !== "screenshot") return;
    void cache.invalidateQueries({ queryKey: capturesKey });
    snack("success", t("captures.kept.screenshot"), { label: t("captures.kept.show"), run: show });
  } catch (error) {
    snack("error", sayTrouble(t, error));
  }
}

/** Says that a recording has ended, whoever or whatever ended it. */
export function sayRecorded({ why, isKept }: Recorded, { t, cache, show }: Omit<Capturing, "device">): void {
  void cache.invalidateQueries({ queryKey: capturesKey });
  if (!isKept) return void snack("error", t(why === "failed" ? "captures.kept.not" : "captures.kept.nothing"));
  const end = why === "limit" || why === "full" ? why : "recording";
  snack(end === "recording" ? "success" : "warning", t(`captures.kept.${end}`), {
    label: t("captures.kept.show"),
    run: show,
  });
}

/** Rejects with a `ToolFailure`. */
function askOnce(device: ToolDevice, what: string): Promise<object> {
  const { promise, resolve, reject } = Promise.withResolvers<object>();
  const socket = new ToolSocket({ ...connectionOf(device), tool: "captures", isOnce: true });
  const stop = socket.subscribe(() => {
    const { state } = socket;
    if (state.phase === "open") socket.ask(what).then(resolve, reject);
    else if (state.phase === "over") reject(state.failure ?? new ToolFailure("lost"));
  });
  socket.start();
  return promise.finally(() => {
    stop();
    socket.stop();
  });
}
