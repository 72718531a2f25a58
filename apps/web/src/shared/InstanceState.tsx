import "../en/devices.ts";
import type { Instance } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { timeOfDay } from "../components/dates.ts";
import { StateChip } from "../components/StateChip.tsx";
import { lookOf } from "./instance-state.ts";

/** A device's state as a chip: how far its save is, and where it stands while it waits for room. */
export function InstanceState({ state, save = null, queue = null }: Pick<Instance, "state"> & Partial<Instance>) {
  const { t } = useTranslation();
  const { word, ...look } = lookOf(state);
  const place = queue?.place ?? undefined;
  const label = () => {
    if (state === "SAVING" && save) return t("launchpad.savingProgress", { progress: save.progress });
    if (!queue) return t(`launchpad.states.${word}`);
    if (place === undefined) return t("launchpad.queue.waits");
    if (queue.starts_at === null) return t("launchpad.queue.place", { place });
    return t("launchpad.queue.placeAndTime", { place, time: timeOfDay(queue.starts_at, "") });
  };
  return <StateChip {...look} label={label()} />;
}
