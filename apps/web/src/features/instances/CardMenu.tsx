import { IconButton, Menu, MenuItem } from "@mui/material";
import type { Instance } from "@terrarium/contract";
import Ellipsis from "lucide-react/icons/ellipsis";
import Mail from "lucide-react/icons/mail";
import Power from "lucide-react/icons/power";
import X from "lucide-react/icons/x";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../components/Icon.tsx";
import { type DeviceAction, mailToOwner } from "./device-actions.ts";
import type { OnAct } from "./words.ts";

/** Displaying it is the card's own button. */
const isOther = (action: DeviceAction): action is DeviceAction & { kind: Exclude<DeviceAction["kind"], "display"> } =>
  action.kind !== "display";

interface Props {
  instance: Instance;
  actions: DeviceAction[];
  onAct: OnAct;
}

/** What else can be done with a device, on a phone. */
export function CardMenu({ instance, actions, onAct }: Props) {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { name, owner } = instance;
  const others = actions.filter((action) => action.unless === undefined).filter(isOther);
  if (others.length === 0) return null;
  const close = () => setAnchor(null);
  return (
    <>
      <IconButton
        aria-label={t("launchpad.deviceActions.more", { name })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        sx={{ width: 44, height: 44, mr: -2 }}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon glyph={Ellipsis} />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        {others.map(({ kind }) =>
          kind === "messageOwner" ? (
            <MenuItem
              key={kind}
              component="a"
              href={mailToOwner(owner.email, t("launchpad.deviceActions.subject", { name }))}
              onClick={close}
            >
              <Icon glyph={Mail} />
              {t("launchpad.deviceActions.menu.messageOwner")}
            </MenuItem>
          ) : (
            <MenuItem
              key={kind}
              onClick={() => {
                close();
                onAct(kind, instance);
              }}
            >
              <Icon glyph={kind === "stop" ? Power : X} />
              {t(`launchpad.deviceActions.menu.${kind}`)}
            </MenuItem>
          ),
        )}
      </Menu>
    </>
  );
}
