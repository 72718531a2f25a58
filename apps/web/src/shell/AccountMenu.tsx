import { Box, Divider, IconButton, Menu, MenuItem, Typography } from "@mui/material";
import LogOut from "lucide-react/icons/log-out";
import UserRound from "lucide-react/icons/user-round";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Icon } from "../components/Icon.tsx";
import { nameOf, PersonMark } from "../components/PersonMark.tsx";
import { signOut } from "../session/client.ts";
import { routeRules } from "../session/routes.ts";
import { useMe } from "../session/user.ts";

/** Who is signed in, and the way out. */
export function AccountMenu() {
  const { t } = useTranslation();
  const me = useMe();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);

  return (
    <>
      <IconButton
        aria-label={t("common.navigation.account")}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <PersonMark person={me} size={28} />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <Box component="li" role="presentation" sx={{ px: 2.5, py: 2, maxWidth: 280 }}>
          <Typography variant="label" component="div" noWrap>
            {nameOf(me)}
          </Typography>
          <Typography variant="caption" component="div" color="textSecondary" noWrap>
            {me.email}
          </Typography>
          <Typography variant="caption" component="div" color="textSecondary" noWrap>
            {me.organization ? `${me.organization.name} · ` : ""}
            {t(`common.roles.${me.role}`)}
          </Typography>
        </Box>
        <Divider sx={{ my: 1 }} />
        <MenuItem component={Link} to={routeRules.profile.path} onClick={() => setAnchor(null)}>
          <Icon glyph={UserRound} />
          {t("common.navigation.profile")}
        </MenuItem>
        <MenuItem
          onClick={() => {
            setAnchor(null);
            void signOut();
          }}
        >
          <Icon glyph={LogOut} />
          {t("common.navigation.signOut")}
        </MenuItem>
      </Menu>
    </>
  );
}
