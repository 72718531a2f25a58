import "../../en/around.ts";
import { useQuery } from "@tanstack/react-query";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleQuestionMark from "lucide-react/icons/circle-question-mark";
import OctagonAlert from "lucide-react/icons/octagon-alert";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useTranslation } from "react-i18next";
import { relativeTime } from "../../components/dates.ts";
import type { Glyph } from "../../components/Icon.tsx";
import { publicSettings } from "../../session/settings.ts";
import { type PlatformState, platformStatus } from "./platform-status.ts";

const looks: Record<PlatformState | "unknown", { glyph: Glyph; color: string }> = {
  operational: { glyph: CircleCheck, color: "success.main" },
  limited: { glyph: TriangleAlert, color: "warning.main" },
  outage: { glyph: OctagonAlert, color: "error.main" },
  unknown: { glyph: CircleQuestionMark, color: "text.tertiary" },
};

interface Shown {
  href: string;
  /** How things are, in a word. */
  state: string;
  /** All of it, for screen readers and the tooltip. */
  label: string;
  glyph: Glyph;
  color: string;
}

/** The platform's state, for the link to the status page; undefined if the operator has none. Nothing is read then. */
export function usePlatformStatus(): Shown | undefined {
  const { t } = useTranslation();
  const status = useQuery(publicSettings).data?.status ?? undefined;
  const { data, isError, dataUpdatedAt, errorUpdatedAt } = useQuery(platformStatus(status?.summary));
  if (!status) return undefined;
  const name = data ?? "unknown";
  const state = t(`around.status.${name}`);
  const label =
    isError && data
      ? t("around.status.stale", { state, ago: relativeTime(dataUpdatedAt, errorUpdatedAt) })
      : t("around.status.link", { state });
  // What was read last and may be over is shown in grey.
  return { href: status.page, state, label, ...looks[name], ...(isError && { color: "text.tertiary" }) };
}
