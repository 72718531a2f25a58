import { AppError, basePath, type InstalledApp, isErrorCode, wire } from "@terrarium/contract";
import { session } from "../../session/client.ts";

const { installApp: route } = wire.instances;

export interface AppUpload {
  /** The device. */
  uuid: string;
  file: File;
  signal: AbortSignal;
  /** Called with how many bytes were sent. */
  onProgress: (sent: number) => void;
}

/**
 * Sends an app to a device, which installs and opens it. Unlike `fetch`, this says how far it is.
 * @throws AppError; the reason of the signal
 */
export function uploadApp({ uuid, file, signal, onProgress }: AppUpload): Promise<InstalledApp> {
  const { promise, resolve, reject } = Promise.withResolvers<InstalledApp>();
  const call = new XMLHttpRequest();
  call.open(route.method, basePath + route.path.replace(":uuid", uuid));
  call.setRequestHeader("authorization", `Bearer ${session.current?.token ?? ""}`);
  call.setRequestHeader("content-type", "application/vnd.android.package-archive");
  call.upload.addEventListener("progress", ({ loaded }) => onProgress(loaded));
  call.addEventListener("load", () => {
    const body = parse(call.responseText);
    if (call.status === 200) return resolve(body as unknown as InstalledApp);
    const { code, message, details } = body;
    reject(isErrorCode(code) ? new AppError(code, { message, details }) : unavailable());
  });
  call.addEventListener("error", () => reject(unavailable()));
  signal.addEventListener("abort", () => {
    call.abort();
    reject(signal.reason as Error);
  });
  if (signal.aborted) reject(signal.reason as Error);
  else call.send(file);
  return promise;
}

const unavailable = () => new AppError("SERVICE_UNAVAILABLE");

interface Answer {
  code?: unknown;
  message?: string;
  details?: Record<string, string>;
}

function parse(text: string): Answer {
  try {
    return (JSON.parse(text) as Answer | null) ?? {};
  } catch {
    return {};
  }
}
