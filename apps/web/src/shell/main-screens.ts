import Activity from "lucide-react/icons/activity";
import Building2 from "lucide-react/icons/building-2";
import Cpu from "lucide-react/icons/cpu";
import Disc3 from "lucide-react/icons/disc-3";
import Film from "lucide-react/icons/film";
import Inbox from "lucide-react/icons/inbox";
import KeyRound from "lucide-react/icons/key-round";
import Layers from "lucide-react/icons/layers";
import LayoutDashboard from "lucide-react/icons/layout-dashboard";
import ListChecks from "lucide-react/icons/list-checks";
import MonitorSmartphone from "lucide-react/icons/monitor-smartphone";
import ReceiptText from "lucide-react/icons/receipt-text";
import Server from "lucide-react/icons/server";
import type { Glyph } from "../components/Icon.tsx";
import { guard } from "../session/guards.ts";
import { routeRules, type ScreenName } from "../session/routes.ts";
import { useMe } from "../session/user.ts";

/** The screens that navigation and palette lead to, in their order. */
export const mainScreens = [
  ["launchpad", MonitorSmartphone],
  ["captures", Film],
  ["recipes", Layers],
  ["hardwareProfiles", Cpu],
  ["images", Disc3],
  ["api", KeyRound],
  ["administration", LayoutDashboard],
  ["operator", Activity],
  ["operatedOrganizations", Building2],
  ["operatedRequests", Inbox],
  ["operatedBilling", ReceiptText],
  ["operatedJobs", ListChecks],
  ["operatedGateways", Server],
  ["operatedCatalogue", Layers],
] as const satisfies readonly (readonly [ScreenName, Glyph])[];

/** Whether this person may enter a screen. */
export function useMayEnter(): (screen: ScreenName) => boolean {
  const me = useMe();
  const visitor = { role: me.role, hasAcceptedTerms: me.tnc_accepted };
  return (screen) => guard(routeRules[screen], visitor, routeRules[screen].path) === undefined;
}
