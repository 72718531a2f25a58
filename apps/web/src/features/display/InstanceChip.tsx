import { type DisplayedState, displayedStates, type InstanceState } from "@terrarium/contract";
import ArrowDownToLine from "lucide-react/icons/arrow-down-to-line";
import ChevronsUp from "lucide-react/icons/chevrons-up";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CircleOff from "lucide-react/icons/circle-off";
import CircleStop from "lucide-react/icons/circle-stop";
import ClockAlert from "lucide-react/icons/clock-alert";
import LoaderCircle from "lucide-react/icons/loader-circle";
import Recycle from "lucide-react/icons/recycle";
import ShieldAlert from "lucide-react/icons/shield-alert";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import type { Glyph } from "../../components/Icon.tsx";
import { type ChipTone, StateChip } from "../../components/StateChip.tsx";

interface Look {
  glyph: Glyph;
  tone: ChipTone;
  spins?: boolean;
}

const looks = {
  creating: { glyph: CircleDashed, tone: "info", spins: true },
  starting: { glyph: ChevronsUp, tone: "info" },
  booting: { glyph: LoaderCircle, tone: "info", spins: true },
  online: { glyph: CircleCheck, tone: "success" },
  saving: { glyph: ArrowDownToLine, tone: "saving" },
  stopping: { glyph: CircleStop, tone: "ending" },
  offline: { glyph: CircleOff, tone: "gone" },
  recycled: { glyph: Recycle, tone: "gone" },
  error: { glyph: TriangleAlert, tone: "error" },
  revoked: { glyph: ShieldAlert, tone: "error" },
  expired: { glyph: ClockAlert, tone: "gone" },
} as const satisfies Record<DisplayedState, Look>;

/** A device's state: icon and word first, fill or outline second, colour last. */
export function InstanceChip({ state }: { state: InstanceState }) {
  const { t } = useTranslation();
  const word = displayedStates[state];
  const look: Look = looks[word];
  return <StateChip {...look} label={t(`display.state.${word}`)} />;
}
