import { Box } from "@mui/material";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import Activity from "lucide-react/icons/activity";
import Building2 from "lucide-react/icons/building-2";
import Cpu from "lucide-react/icons/cpu";
import Disc3 from "lucide-react/icons/disc-3";
import KeyRound from "lucide-react/icons/key-round";
import Layers from "lucide-react/icons/layers";
import LayoutDashboard from "lucide-react/icons/layout-dashboard";
import Film from "lucide-react/icons/film";
import Inbox from "lucide-react/icons/inbox";
import ListChecks from "lucide-react/icons/list-checks";
import MonitorSmartphone from "lucide-react/icons/monitor-smartphone";
import ReceiptText from "lucide-react/icons/receipt-text";
import Server from "lucide-react/icons/server";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Glyph } from "../components/Icon.tsx";
import { Logo } from "../shared/glyphs.tsx";
import { organizationOf } from "../shared/organizations.queries.ts";
import { guard, homeOf } from "../session/guards.ts";
import { routeRules, type ScreenName } from "../session/routes.ts";
import { useMe } from "../session/user.ts";
import { NavEntry, RAIL, Words } from "./nav-entry.tsx";
import { Elsewhere } from "./Elsewhere.tsx";
import type { FrameDialog } from "./FrameDialogs.tsx";

interface Item {
  screen: ScreenName;
  label: string;
  glyph: Glyph;
  /** Other screens have addresses below its own. */
  isExact?: boolean;
  count?: number | undefined;
}

interface Props {
  onChoose?: () => void;
  /** Opens a dialog of the frame. */
  onAsk: (what: FrameDialog) => void;
}

/** The screens that exist and that this person may enter; below them, what is elsewhere. */
export function Navigation({ onChoose, onAsk }: Props) {
  const { t } = useTranslation();
  const me = useMe();
  const { data } = useQuery(organizationOf(me));
  const items: Item[] = [
    {
      screen: "launchpad",
      label: t("common.navigation.virtualDevices"),
      glyph: MonitorSmartphone,
      count: data?.running_instances,
    },
    { screen: "captures", label: t("common.navigation.captures"), glyph: Film },
    { screen: "recipes", label: t("common.navigation.recipes"), glyph: Layers },
    { screen: "hardwareProfiles", label: t("common.navigation.hardwareProfiles"), glyph: Cpu },
    { screen: "images", label: t("common.navigation.images"), glyph: Disc3 },
    { screen: "api", label: t("common.navigation.api"), glyph: KeyRound },
    { screen: "administration", label: t("common.navigation.administration"), glyph: LayoutDashboard },
    { screen: "operator", label: t("common.titles.operator"), glyph: Activity, isExact: true },
    { screen: "operatedOrganizations", label: t("common.titles.operatedOrganizations"), glyph: Building2 },
    { screen: "operatedRequests", label: t("common.titles.operatedRequests"), glyph: Inbox },
    { screen: "operatedBilling", label: t("common.titles.operatedBilling"), glyph: ReceiptText },
    { screen: "operatedJobs", label: t("common.titles.operatedJobs"), glyph: ListChecks },
    { screen: "operatedGateways", label: t("common.titles.operatedGateways"), glyph: Server },
    { screen: "operatedCatalogue", label: t("common.titles.operatedCatalogue"), glyph: Layers },
  ];
  const visitor = { role: me.role, hasAcceptedTerms: me.tnc_accepted };
  const mayEnter = ({ screen }: Item) => guard(routeRules[screen], visitor, routeRules[screen].path) === undefined;
  return (
    <Column aria-label={t("common.navigation.main")}>
      <Brand to={homeOf(visitor)} aria-label={t("common.product")} onClick={onChoose}>
        <Logo />
        <Words sx={{ fontSize: 16, fontWeight: 620, letterSpacing: "-0.015em", color: "text.primary" }}>
          {t("common.product")}
        </Words>
      </Brand>
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {items.filter(mayEnter).map(({ screen, label, glyph, isExact, count }) => (
          <NavEntry
            key={screen}
            label={label}
            glyph={glyph}
            target={{ to: routeRules[screen].path, isExact }}
            onChoose={onChoose}
            end={count || undefined}
          />
        ))}
      </Box>
      <Elsewhere onChoose={onChoose} onAsk={onAsk} />
    </Column>
  );
}

const Column = styled("nav")({
  minHeight: "100%",
  display: "flex",
  flexDirection: "column",
  padding: "0 12px",
  [RAIL]: { padding: "0 10px" },
});

const Brand = styled(Link)(({ theme }) => ({
  height: 56,
  flex: "none",
  display: "flex",
  alignItems: "center",
  gap: 10,
  padding: "0 8px",
  textDecoration: "none",
  color: theme.vars.palette.primary.main,
  [RAIL]: { padding: "0 6px" },
}));
