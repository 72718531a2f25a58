import "../en/devices.ts";
import type { InstanceState as State } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { StateChip } from "../components/StateChip.tsx";
import { lookOf } from "./instance-state.ts";

/** A device's state as a chip. */
export function InstanceState({ state }: { state: State }) {
  const { t } = useTranslation();
  const { word, ...look } = lookOf(state);
  return <StateChip {...look} label={t(`launchpad.states.${word}`)} />;
}
