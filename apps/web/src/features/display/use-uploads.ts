import { systemClock } from "@terrarium/clock";
import type { InstalledApp, Instance } from "@terrarium/contract";
import { useEffect, useEffectEvent, useState } from "react";
import { accessToken } from "../../shared/access-token.ts";
import { uploadFile } from "./upload-file.ts";

/** A file that somebody has dropped, and what has become of it. */
export interface Upload {
  key: number;
  file: File;
  /** Where on the device it is to be, as it is; else an app is installed, and anything else goes to Download. */
  folder?: string | undefined;
  state: "waiting" | "sending" | "lost" | "done" | "failed" | "cancelled";
  sent: number;
  app?: InstalledApp | undefined;
  error?: unknown;
}

const isOver = ({ state }: Upload): boolean => state === "done" || state === "failed" || state === "cancelled";

const begun = (all: readonly Upload[], files: readonly File[], folder?: string): Upload[] => {
  const from = Math.max(0, ...all.map(({ key }) => key)) + 1;
  return files.map((file, at) => ({ key: from + at, file, folder, state: "waiting", sent: 0 }));
};

/** Sends the files that are added to a device, one after the other. What is on its way when the page is left is not sent. */
export function useUploads(device: Pick<Instance, "uuid" | "file_upload_url"> | undefined) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = (key: number, more: Partial<Upload>) =>
    setUploads((all) => all.map((upload) => (upload.key === key && !isOver(upload) ? { ...upload, ...more } : upload)));
  const current = uploads.find((upload) => !isOver(upload));
  const send = useEffectEvent((key: number, file: File, folder: string | undefined, signal: AbortSignal) => {
    if (!device) return;
    const { uuid, file_upload_url: url } = device;
    uploadFile({
      url,
      file,
      folder,
      signal,
      token: (limited) => accessToken(uuid, limited),
      clock: systemClock,
      onProgress: (sent) => change(key, { sent, state: "sending" }),
      onLost: (isLost) => change(key, { state: isLost ? "lost" : "sending" }),
    }).then(
      (app) => change(key, { state: "done", sent: file.size, app }),
      (error: unknown) => signal.aborted || change(key, { state: "failed", error }),
    );
  });
  const { key, file, folder } = current ?? {};
  useEffect(() => {
    if (key === undefined || !file) return undefined;
    const abort = new AbortController();
    send(key, file, folder, abort.signal);
    return () => abort.abort();
  }, [key, file, folder]);
  return {
    uploads,
    isBusy: current !== undefined,
    add: (files: readonly File[], folder?: string) => setUploads((all) => [...all, ...begun(all, files, folder)]),
    /** Sends a file again that was not sent. */
    retry: (failed: Upload) =>
      setUploads((all) => [...all.filter((upload) => upload !== failed), ...begun(all, [failed.file], failed.folder)]),
    cancel: (cancelled: number) => change(cancelled, { state: "cancelled" }),
    clear: () => setUploads([]),
  };
}
