import "../../en/catalogue.ts";
import type { Recipe } from "@terrarium/contract";
import ArrowDownToLine from "lucide-react/icons/arrow-down-to-line";
import CircleCheck from "lucide-react/icons/circle-check";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import Unplug from "lucide-react/icons/unplug";
import { useTranslation } from "react-i18next";
import type { Glyph } from "../../components/Icon.tsx";
import { type ChipTone, StateChip } from "../../components/StateChip.tsx";

type Status = Recipe["status"];
/** A recipe that is not complete cannot be started, although nothing is wrong with its saved state. */
export type ShownStatus = Status | "INCOMPLETE";

/** It is being saved for the first time, or again. */
export const isSaving = (status: Status): boolean => status === "CREATING" || status === "UPDATING";

const looks = {
  CREATING: { tone: "saving", glyph: ArrowDownToLine },
  READY: { tone: "gone", glyph: CircleCheck },
  UPDATING: { tone: "saving", glyph: ArrowDownToLine },
  ERROR: { tone: "error", glyph: TriangleAlert },
  INCOMPLETE: { tone: "ending", glyph: Unplug },
} as const satisfies Record<ShownStatus, { tone: ChipTone; glyph: Glyph }>;

/** The status of a recipe, a hardware profile or an OS image. */
export function StatusMark({ status }: { status: ShownStatus }) {
  const { t } = useTranslation();
  return <StateChip {...looks[status]} label={t(`catalogue.statuses.${status}`)} />;
}
