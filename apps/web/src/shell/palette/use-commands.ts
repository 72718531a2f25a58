import { useColorScheme } from "@mui/material/styles";
import Activity from "lucide-react/icons/activity";
import Building2 from "lucide-react/icons/building-2";
import Cpu from "lucide-react/icons/cpu";
import Disc3 from "lucide-react/icons/disc-3";
import Keyboard from "lucide-react/icons/keyboard";
import Film from "lucide-react/icons/film";
import Inbox from "lucide-react/icons/inbox";
import KeyRound from "lucide-react/icons/key-round";
import Layers from "lucide-react/icons/layers";
import LayoutDashboard from "lucide-react/icons/layout-dashboard";
import LifeBuoy from "lucide-react/icons/life-buoy";
import ListChecks from "lucide-react/icons/list-checks";
import LogOut from "lucide-react/icons/log-out";
import Monitor from "lucide-react/icons/monitor";
import MonitorSmartphone from "lucide-react/icons/monitor-smartphone";
import Moon from "lucide-react/icons/moon";
import ReceiptText from "lucide-react/icons/receipt-text";
import ScrollText from "lucide-react/icons/scroll-text";
import Server from "lucide-react/icons/server";
import Sparkles from "lucide-react/icons/sparkles";
import Sun from "lucide-react/icons/sun";
import User from "lucide-react/icons/user";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Glyph } from "../../components/Icon.tsx";
import type { common } from "../../en/common.ts";
import { sections } from "../../features/administration/sections.ts";
import { signOut } from "../../session/client.ts";
import { guard } from "../../session/guards.ts";
import { routeRules, type ScreenName } from "../../session/routes.ts";
import { useMe } from "../../session/user.ts";
import type { FrameDialog } from "../FrameDialogs.tsx";
import type { Command } from "./command.ts";

/** The screens that can be gone to by name; the others need to know of what. */
const screens: (readonly [ScreenName, Exclude<keyof typeof common.titles, "page">, Glyph])[] = [
  ["launchpad", "launchpad", MonitorSmartphone],
  ["captures", "captures", Film],
  ["recipes", "recipes", Layers],
  ["hardwareProfiles", "hardwareProfiles", Cpu],
  ["images", "images", Disc3],
  ["api", "api", KeyRound],
  ...sections.map((name) => [name, name, LayoutDashboard] as const),
  ["operator", "operator", Activity],
  ["operatedOrganizations", "operatedOrganizations", Building2],
  ["operatedRequests", "operatedRequests", Inbox],
  ["operatedBilling", "operatedBilling", ReceiptText],
  ["operatedJobs", "operatedJobs", ListChecks],
  ["operatedGateways", "operatedGateways", Server],
  ["operatedCatalogue", "operatedCatalogue", Layers],
  ["profile", "profile", User],
  ["legalTerms", "terms", ScrollText],
  ["legalPrivacy", "privacy", ScrollText],
];
const themes = [
  ["light", Sun],
  ["dark", Moon],
  ["system", Monitor],
] as const;

/** What can be done without asking the service: the screens that this person may enter, and acts of the app itself. */
export function useCommands(onAsk: (what: FrameDialog) => void, hasSupport: boolean): Command[] {
  const { t } = useTranslation();
  const me = useMe();
  const navigate = useNavigate();
  const { setMode } = useColorScheme();
  const visitor = { role: me.role, hasAcceptedTerms: me.tnc_accepted };
  const pages = screens
    .filter(([name]) => guard(routeRules[name], visitor, routeRules[name].path) === undefined)
    .map(([name, title, glyph]): Command => ({
      id: `go ${name}`,
      group: "go",
      title: t(`common.titles.${title}`),
      words: routeRules[name].path,
      glyph,
      run: () => void navigate(routeRules[name].path),
    }));
  const acts: Command[] = [
    ...themes.map(([mode, glyph]): Command => ({
      id: `theme ${mode}`,
      group: "do",
      title: t(`palette.theme.${mode}`),
      words: `${t("common.theme.label")} ${mode}`,
      glyph,
      run: () => setMode(mode),
    })),
    { id: "updates", group: "do", title: t("around.whatsNew"), glyph: Sparkles, run: () => onAsk("updates") },
    { id: "keys", group: "do", title: t("palette.keys"), glyph: Keyboard, run: () => onAsk("keys") },
    ...(hasSupport
      ? [
          {
            id: "support",
            group: "do" as const,
            title: t("around.support"),
            glyph: LifeBuoy,
            run: () => onAsk("support"),
          },
        ]
      : []),
    {
      id: "sign out",
      group: "do",
      title: t("common.navigation.signOut"),
      words: "log out",
      glyph: LogOut,
      run: () => void signOut(),
    },
  ];
  return [...pages, ...acts];
}
