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
import type { Glyph } from "../components/Icon.tsx";
import type { ChipTone } from "../components/StateChip.tsx";

interface StateLook {
  tone: ChipTone;
  glyph: Glyph;
  spins?: boolean;
}

/** How each state that a person sees looks: filled while alive, outlined when it ends. Only what is being made spins. */
const looks = {
  creating: { tone: "info", glyph: CircleDashed, spins: true },
  starting: { tone: "info", glyph: ChevronsUp },
  booting: { tone: "info", glyph: LoaderCircle, spins: true },
  online: { tone: "success", glyph: CircleCheck },
  saving: { tone: "saving", glyph: ArrowDownToLine },
  stopping: { tone: "ending", glyph: CircleStop },
  offline: { tone: "gone", glyph: CircleOff },
  recycled: { tone: "gone", glyph: Recycle },
  error: { tone: "error", glyph: TriangleAlert },
  revoked: { tone: "error", glyph: ShieldAlert },
  expired: { tone: "gone", glyph: ClockAlert },
} as const satisfies Record<DisplayedState, StateLook>;

export const lookOf = (state: InstanceState): StateLook & { word: DisplayedState } => {
  const word = displayedStates[state];
  return { ...looks[word], word };
};
