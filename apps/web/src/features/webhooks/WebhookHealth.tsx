import type { WebhookHealth as Health } from "@terrarium/contract";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleOff from "lucide-react/icons/circle-off";
import RotateCw from "lucide-react/icons/rotate-cw";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import { StateChip } from "../../components/StateChip.tsx";

const looks = {
  healthy: { tone: "success", glyph: CircleCheck },
  retrying: { tone: "info", glyph: RotateCw },
  failing: { tone: "error", glyph: TriangleAlert },
  disabled: { tone: "gone", glyph: CircleOff },
} as const satisfies Record<Health, object>;

/** How an endpoint stands. */
export function WebhookHealth({ health }: { health: Health }) {
  const { t } = useTranslation();
  return <StateChip {...looks[health]} label={t(`webhooks.health.${health}`)} />;
}
