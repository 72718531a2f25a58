import "../en/around.ts";
import { Box } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import BookOpen from "lucide-react/icons/book-open";
import CodeXml from "lucide-react/icons/code-xml";
import LifeBuoy from "lucide-react/icons/life-buoy";
import MessageCircle from "lucide-react/icons/message-circle";
import Sparkles from "lucide-react/icons/sparkles";
import { useTranslation } from "react-i18next";
import type { Glyph } from "../components/Icon.tsx";
import { usePlatformStatus } from "../features/platform-status/use-platform-status.ts";
import { publicSettings } from "../session/settings.ts";
import { NavEntry } from "./nav-entry.tsx";
import type { FrameDialog } from "./FrameDialogs.tsx";

interface Props {
  onChoose: (() => void) | undefined;
  onAsk: (what: FrameDialog) => void;
}

/** Below the screens: what the operator has elsewhere, the way to support, what is new, and how the platform is. */
export function Elsewhere({ onChoose, onAsk }: Props) {
  const { t } = useTranslation();
  const settings = useQuery(publicSettings).data;
  const status = usePlatformStatus();
  const link = (label: string, glyph: Glyph, href: string | undefined) => {
    if (href === undefined) return null;
    const isMail = href.startsWith("mailto:");
    const name = isMail ? undefined : t("around.elsewhere", { name: label });
    return <NavEntry label={label} glyph={glyph} target={{ href }} name={name} onChoose={onChoose} />;
  };
  const links = settings?.links;
  return (
    <Box component="ul" aria-label={t("around.more")} sx={{ listStyle: "none", m: 0, mt: "auto", p: 0, pt: 6, pb: 4 }}>
      {link(t("around.apiReference"), CodeXml, links?.api_reference)}
      {link(t("around.documentation"), BookOpen, links?.documentation)}
      {links?.feedback === null ? (
        <NavEntry
          label={t("around.feedback")}
          glyph={MessageCircle}
          target={{ act: () => onAsk("feedback") }}
          onChoose={onChoose}
        />
      ) : (
        link(t("around.feedback"), MessageCircle, links?.feedback)
      )}
      {settings?.has_support ? (
        <NavEntry
          label={t("around.support")}
          glyph={LifeBuoy}
          target={{ act: () => onAsk("support") }}
          onChoose={onChoose}
        />
      ) : (
        link(t("around.support"), LifeBuoy, links?.support)
      )}
      <NavEntry
        label={t("around.whatsNew")}
        glyph={Sparkles}
        target={{ act: () => onAsk("updates") }}
        onChoose={onChoose}
      />
      {status && (
        <NavEntry
          label={t("around.status.label")}
          glyph={status.glyph}
          target={{ href: status.href }}
          name={status.label}
          onChoose={onChoose}
          end={
            <Box component="span" sx={{ color: status.color }}>
              {status.state}
            </Box>
          }
        />
      )}
    </Box>
  );
}
