import "../../en/devices.ts";
import type { Instance } from "@terrarium/contract";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { snack } from "../../components/snack-queue.ts";
import { useTrouble } from "../../components/use-trouble.ts";
import type { Stopped } from "./each-device.ts";
import { stopDevices } from "./stop-devices.ts";

/** Stops devices and says what came of it. */
export function useStopDevices(): (instances: readonly Instance[]) => Promise<Stopped> {
  const { t } = useTranslation();
  const trouble = useTrouble();
  return useCallback(
    async (instances) => {
      trouble.takeBack();
      const result = await stopDevices(instances.map(({ uuid }) => uuid));
      const { stopped, unknown, failed } = result;
      const nameOf = (uuid: string | undefined) => instances.find((instance) => instance.uuid === uuid)?.name ?? "";
      if (stopped.length > 0)
        snack("success", t("launchpad.deviceActions.stopSuccess", { count: stopped.length, name: nameOf(stopped[0]) }));
      if (unknown.length > 0) trouble.say(t("errors.deviceNotFound"));
      if (failed.length > 0)
        trouble.say(t("errors.stopDevice", { count: failed.length, name: nameOf(failed[0]?.uuid) }));
      return result;
    },
    [t, trouble],
  );
}
