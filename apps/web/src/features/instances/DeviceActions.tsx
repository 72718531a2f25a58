import { Box } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import ExternalLink from "lucide-react/icons/external-link";
import Mail from "lucide-react/icons/mail";
import Power from "lucide-react/icons/power";
import X from "lucide-react/icons/x";
import { useTranslation } from "react-i18next";
import { useMe } from "../../session/user.ts";
import { ToolButton } from "../../components/ToolButton.tsx";
import { actionsOf, mailToOwner } from "./device-actions.ts";
import type { OnAct } from "./words.ts";

const glyphs = { display: ExternalLink, messageOwner: Mail, stop: Power, dismiss: X } as const;

/** What can be done with one device, always in sight. */
export function DeviceActions({ instance, onAct }: { instance: Instance; onAct: OnAct }) {
  const { t } = useTranslation();
  const me = useMe();
  const { name, uuid, owner } = instance;
  return (
    <Box sx={{ display: "flex", justifyContent: "flex-end" }}>
      {actionsOf(instance, me).map(({ kind, unless }) => (
        <ToolButton
          key={kind}
          glyph={glyphs[kind]}
          label={t(`launchpad.deviceActions.${kind}`, { name })}
          reason={unless && t(`launchpad.deviceActions.unless.${unless}`)}
          {...(kind === "display" && { href: `/instance/${uuid}`, target: "_blank" as const })}
          {...(kind === "messageOwner" && {
            href: mailToOwner(owner.email, t("launchpad.deviceActions.subject", { name })),
          })}
          {...((kind === "stop" || kind === "dismiss") && { onClick: () => onAct(kind, instance) })}
        />
      ))}
    </Box>
  );
}
