import type { Capture } from "@terrarium/contract";
import { useEffect, useRef, useState } from "react";
import { type Replay, replayOf } from "../../../shared/replay/replay-of.ts";
import { ToolFailure } from "../tools/tool-socket.ts";
import { type ToolDevice, useTool } from "../tools/use-tool.ts";

/** What had just happened on a device when this was first shown, or when `again` was called. */
export function useReplay(device: ToolDevice) {
  const parts = useRef<Uint8Array<ArrayBuffer>[]>([]);
  const [received, setReceived] = useState(0);
  const [replay, setReplay] = useState<Replay>();
  const [failure, setFailure] = useState<ToolFailure>();
  const { socket, state } = useTool(device, {
    tool: "replay",
    // Another connection would be to another moment.
    isOnce: true,
    onBytes: (bytes) => {
      parts.current.push(new Uint8Array(bytes));
      setReceived((before) => before + bytes.length);
    },
  });
  useEffect(() => {
    if (state.phase !== "open") return undefined;
    let isCurrent = true;
    parts.current = [];
    const read = async () => {
      const { size } = await socket.ask<{ size: number }>("read");
      const file = new Blob(parts.current.splice(0));
      const found = file.size === size ? await replayOf(file) : undefined;
      if (!found) throw new ToolFailure("failed");
      if (isCurrent) setReplay(found);
    };
    read().catch((error: unknown) => {
      if (isCurrent) setFailure(error instanceof ToolFailure ? error : new ToolFailure("failed"));
    });
    return () => {
      isCurrent = false;
    };
  }, [state.phase, socket]);
  return {
    replay,
    /** In bytes. */
    received,
    /** Why there is none. */
    failure: replay ? undefined : ((state.phase === "over" ? state.failure : undefined) ?? failure),
    again: () => {
      setReplay(undefined);
      setFailure(undefined);
      setReceived(0);
      socket.start();
    },
    /** Whether it can still be saved: another connection is to another moment. */
    canSave: state.phase === "open",
    /** Saves it among one's captures. Rejects with a `ToolFailure`. */
    save: () => socket.ask<{ capture: Capture }>("save"),
  };
}
