import "../en/devices.ts";
import type { InstanceState as State } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { StateChip } from "../components/StateChip.tsx";
import { lookOf } from "./instance-state.ts";

interface Props {
  state: State;
  /** How far a save is, in percent. */
  progress?: number | undefined;
}

/** A device's state as a chip. */
export function InstanceState({ state, progress }: Props) {
  const { t } = useTranslation();
  const { word, ...look } = lookOf(state);
  const isCounted = state === "SAVING" && progress !== undefined;
  return (
    <StateChip
      {...look}
      label={isCounted ? t("launchpad.savingProgress", { progress }) : t(`launchpad.states.${word}`)}
    />
  );
}
