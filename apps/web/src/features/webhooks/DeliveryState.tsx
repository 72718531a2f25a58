import type { DeliveryState as State, WebhookAttempt } from "@terrarium/contract";
import type { TFunction } from "i18next";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import { StateChip } from "../../components/StateChip.tsx";
import type { webhooks as words } from "../../en/webhooks.ts";

const looks = {
  waiting: { tone: "info", glyph: CircleDashed },
  delivered: { tone: "success", glyph: CircleCheck },
  failed: { tone: "error", glyph: TriangleAlert },
} as const satisfies Record<State, object>;

/** How a delivery stands. */
export function DeliveryState({ state }: { state: State }) {
  const { t } = useTranslation();
  return <StateChip {...looks[state]} label={t(`webhooks.log.states.${state}`)} />;
}

/** The outcome of an attempt: the status of the answer, or why there is none. */
export function answerOf({ status, error }: Pick<WebhookAttempt, "status" | "error">, t: TFunction): string {
  if (error === null) return status === null ? t("common.none") : String(status);
  return t(`webhooks.errors.${error as keyof typeof words.webhooks.errors}`, { defaultValue: error });
}
