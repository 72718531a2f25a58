import { Box, Tooltip, Typography, useMediaQuery } from "@mui/material";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import Cpu from "lucide-react/icons/cpu";
import Disc3 from "lucide-react/icons/disc-3";
import KeyRound from "lucide-react/icons/key-round";
import Layers from "lucide-react/icons/layers";
import MonitorSmartphone from "lucide-react/icons/monitor-smartphone";
import { useTranslation } from "react-i18next";
import { Link, NavLink } from "react-router";
import { type Glyph, Icon } from "../components/Icon.tsx";
import { Logo } from "../shared/glyphs.tsx";
import { organizationOf } from "../shared/organizations.queries.ts";
import { guard } from "../session/guards.ts";
import { routeRules, type ScreenName } from "../session/routes.ts";
import { useMe } from "../session/user.ts";

/** The name stays beside its picture where there is room; on a rail it is a tooltip. */
const RAIL = "@media (min-width:600px) and (max-width:1023.95px)";

interface Item {
  screen: ScreenName;
  label: string;
  glyph: Glyph;
  count?: number | undefined;
}

/** The screens that exist and that this person may enter. */
export function Navigation({ onChoose }: { onChoose?: () => void }) {
  const { t } = useTranslation();
  const me = useMe();
  const { data } = useQuery(organizationOf(me));
  const isRail = useMediaQuery(RAIL.slice("@media ".length));
  const items: Item[] = [
    {
      screen: "launchpad",
      label: t("common.navigation.virtualDevices"),
      glyph: MonitorSmartphone,
      count: data?.running_instances,
    },
    { screen: "recipes", label: t("common.navigation.recipes"), glyph: Layers },
    { screen: "hardwareProfiles", label: t("common.navigation.hardwareProfiles"), glyph: Cpu },
    { screen: "images", label: t("common.navigation.images"), glyph: Disc3 },
    { screen: "api", label: t("common.navigation.api"), glyph: KeyRound },
  ];
  const visitor = { role: me.role, hasAcceptedTerms: me.tnc_accepted };
  const mayEnter = ({ screen }: Item) => guard(routeRules[screen], visitor, routeRules[screen].path) === undefined;
  return (
    <Box component="nav" aria-label={t("common.navigation.main")} sx={{ px: 3, [RAIL]: { px: 2.5 } }}>
      <Brand to="/launchpad" aria-label={t("common.product")} onClick={onChoose}>
        <Logo />
        <Words sx={{ fontSize: 16, fontWeight: 620, letterSpacing: "-0.015em", color: "text.primary" }}>
          {t("common.product")}
        </Words>
      </Brand>
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {items.filter(mayEnter).map(({ screen, label, glyph, count }) => (
          <li key={screen}>
            <Tooltip title={isRail ? label : ""} placement="right">
              <Entry to={routeRules[screen].path} aria-label={isRail ? label : undefined} onClick={onChoose}>
                <Icon glyph={glyph} />
                <Words variant="label">{label}</Words>
                {Boolean(count) && (
                  <Words variant="caption" sx={{ ml: "auto", color: "text.tertiary" }}>
                    {count}
                  </Words>
                )}
              </Entry>
            </Tooltip>
          </li>
        ))}
      </Box>
    </Box>
  );
}

const Words = styled(Typography)({ [RAIL]: { display: "none" } }) as typeof Typography;

const Brand = styled(Link)(({ theme }) => ({
  height: 56,
  display: "flex",
  alignItems: "center",
  gap: 10,
  padding: "0 8px",
  textDecoration: "none",
  color: theme.vars.palette.primary.main,
  [RAIL]: { padding: "0 6px" },
}));

const Entry = styled(NavLink)(({ theme }) => ({
  display: "flex",
  alignItems: "center",
  gap: 10,
  height: 32,
  padding: "0 8px",
  borderRadius: 6,
  textDecoration: "none",
  color: theme.vars.palette.text.secondary,
  [RAIL]: { width: 36, height: 36, padding: 0, justifyContent: "center" },
  [theme.breakpoints.down("sm")]: { height: 44 },
  "&:hover": { background: theme.vars.palette.action.hover },
  "&.active": {
    color: theme.vars.palette.text.primary,
    background: theme.vars.palette.background.paper,
    boxShadow: `0 0 0 1px ${theme.vars.palette.divider}, var(--depth-1)`,
    "[data-theme=dark] &": { background: theme.vars.palette.background.raised },
    "& svg": { color: theme.vars.palette.primary.main },
  },
}));
