import type { Instance } from "@terrarium/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useTrouble } from "../../components/use-trouble.ts";
import { dismissDevice } from "./stop-devices.ts";
import { useStopDevices } from "./use-stop-devices.ts";
import type { OnAct } from "./words.ts";

const none: Instance[] = [];

/** What is asked before devices are stopped, and what is said after. */
export function useDeviceActs({ refresh }: { refresh: () => Promise<unknown> }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState(none);
  const stop = useStopDevices();
  const trouble = useTrouble();

  const stopAsked = async () => {
    setAsked(none);
    const { unknown } = await stop(asked);
    if (unknown.length > 0) await refresh();
  };

  const latestRefresh = useRef(refresh);
  useEffect(() => {
    latestRefresh.current = refresh;
  });
  // Cells are built once: what they call must stay the same function.
  const ask = useCallback<OnAct>(
    (act, instance) => {
      if (act === "stop") setAsked([instance]);
      else void dismiss(instance);

      async function dismiss({ uuid, name }: Instance) {
        trouble.takeBack();
        const { failed } = await dismissDevice(uuid);
        if (failed.length > 0) trouble.say(t("errors.dismissDevice", { name }));
        else await latestRefresh.current();
      }
    },
    [t, trouble],
  );

  return { asked, ask, askToStop: setAsked, forget: () => setAsked(none), stopAsked };
}
