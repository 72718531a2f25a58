import { AppError } from "@terrarium/sdk";

/** Of several devices: which were stopped, which the service no longer knows, and which could not be. */
export interface Stopped {
  stopped: string[];
  unknown: string[];
  failed: { uuid: string; error: Error }[];
}

/** One call per device, side by side; one that fails holds up no other. */
export async function eachDevice(uuids: readonly string[], act: (uuid: string) => Promise<unknown>): Promise<Stopped> {
  const result: Stopped = { stopped: [], unknown: [], failed: [] };
  await Promise.all(
    uuids.map(async (uuid) => {
      try {
        await act(uuid);
        result.stopped.push(uuid);
      } catch (error) {
        if (error instanceof AppError && error.status === 404) result.unknown.push(uuid);
        else result.failed.push({ uuid, error: error instanceof Error ? error : new Error(String(error)) });
      }
    }),
  );
  return result;
}
