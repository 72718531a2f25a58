import { useLayoutEffect, useRef } from "react";
import { openedDevice } from "../../shared/opened-device.ts";

/** The page stands still while it waits for the device, so it does not wait longer. */
export const MAX_WAIT_MS = 1000;

/**
 * Lets a device that was started from a case grow out of it: `grow` calls `show`, and the browser moves what has the name of the opened
 * device from where it was to where it is once the device is in the list. Browsers without view transitions only show it.
 */
export function useGrowth(ids: readonly string[]) {
  const awaited = useRef<{ uuid: string; isThere: () => void }>(undefined);
  useLayoutEffect(() => {
    if (awaited.current && ids.includes(awaited.current.uuid)) awaited.current.isThere();
  });
  return (uuid: string, show: () => Promise<unknown>) => {
    openedDevice.write(uuid);
    if (!("startViewTransition" in document)) {
      void show();
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    awaited.current = { uuid, isThere: resolve };
    document.startViewTransition(() => {
      setTimeout(resolve, MAX_WAIT_MS);
      void show();
      return promise;
    });
  };
}
