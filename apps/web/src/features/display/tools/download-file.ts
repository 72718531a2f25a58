import { ToolFailure, ToolSocket, type ToolSocketOptions } from "./tool-socket.ts";

interface Download extends Omit<ToolSocketOptions, "tool" | "onBytes" | "onOpen" | "isOnce"> {
  path: string;
  signal: AbortSignal;
  /** Called with how many bytes have arrived. */
  onProgress: (received: number) => void;
}

/** Reads a file of a device. Rejects with a `ToolFailure`, or with the signal's reason. */
export function downloadFile({ signal, onProgress, ...options }: Download): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  const socket = new ToolSocket({
    ...options,
    tool: "download",
    isOnce: true,
    onBytes: (bytes) => {
      parts.push(new Uint8Array(bytes));
      onProgress((received += bytes.length));
    },
  });
  return new Promise<Blob>((resolve, reject) => {
    const stop = () => {
      socket.stop();
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", stop, { once: true });
    socket.subscribe(() => {
      const { state } = socket;
      if (state.phase !== "over") return;
      signal.removeEventListener("abort", stop);
      if (state.failure) reject(state.failure);
      else if (state.size !== received) reject(new ToolFailure("lost"));
      else resolve(new Blob(parts));
    });
    socket.start();
  });
}
