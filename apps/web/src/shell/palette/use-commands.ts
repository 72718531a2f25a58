import { useColorScheme } from "@mui/material/styles";
import type { PublicSettings } from "@terrarium/contract";
import Activity from "lucide-react/icons/activity";
import BookOpen from "lucide-react/icons/book-open";
import CodeXml from "lucide-react/icons/code-xml";
import Keyboard from "lucide-react/icons/keyboard";
import LifeBuoy from "lucide-react/icons/life-buoy";
import LogOut from "lucide-react/icons/log-out";
import MessageCircle from "lucide-react/icons/message-circle";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import ScrollText from "lucide-react/icons/scroll-text";
import Sparkles from "lucide-react/icons/sparkles";
import Sun from "lucide-react/icons/sun";
import Terminal from "lucide-react/icons/terminal";
import User from "lucide-react/icons/user";
import Users from "lucide-react/icons/users";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Glyph } from "../../components/Icon.tsx";
import { sections } from "../../features/administration/sections.ts";
import { signOut } from "../../session/client.ts";
import { type PageTitle, routeRules, type ScreenName } from "../../session/routes.ts";
import type { FrameDialog } from "../FrameDialogs.tsx";
import { mainScreens, useMayEnter } from "../main-screens.ts";
import type { Command } from "./command.ts";

type Named = readonly [ScreenName, PageTitle, Glyph];
/** The screens that can be gone to by name; the others need to know of what. */
const screens: Named[] = [
  ...mainScreens.flatMap(([name, glyph]): Named[] =>
    name === "administration" ? sections.map((section) => [section, section, glyph]) : [[name, name, glyph]],
  ),
  ["liveSessions", "liveSessions", Users],
  ["activate", "activate", Terminal],
  ["profile", "profile", User],
  ["legalTerms", "terms", ScrollText],
  ["legalPrivacy", "privacy", ScrollText],
];
const themes = [
  ["light", Sun],
  ["dark", Moon],
  ["system", Monitor],
] as const;

const openElsewhere = (href: string): void => void globalThis.open(href, "_blank", "noopener,noreferrer");

/** What can be done without asking the service: the screens that this person may enter, and acts of the app itself. */
export function useCommands(onAsk: (what: FrameDialog) => void, settings: PublicSettings | undefined): Command[] {
  const { t } = useTranslation();
  const mayEnter = useMayEnter();
  const navigate = useNavigate();
  const { setMode } = useColorScheme();
  const pages = screens
    .filter(([name]) => mayEnter(name))
    .map(([name, title, glyph]): Command => ({
      id: `go ${name}`,
      group: "go",
      title: t(`common.titles.${title}`),
      words: routeRules[name].path,
      glyph,
      run: () => void navigate(routeRules[name].path),
    }));
  const places = [
    ["around.documentation", BookOpen, settings?.links.documentation],
    ["around.apiReference", CodeXml, settings?.links.api_reference],
    ["around.status.label", Activity, settings?.status?.page],
  ] as const;
  const elsewhere = places.flatMap(([name, glyph, href]): Command[] =>
    href === undefined
      ? []
      : [{ id: `open ${href}`, group: "go", title: t(name), glyph, run: () => openElsewhere(href) }],
  );
  const ask = (what: "support" | "feedback", glyph: Glyph): Command => ({
    id: what,
    group: "do",
    title: t(`around.${what}`),
    glyph,
    run: () => onAsk(what),
  });
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
    ...elsewhere,
    ...(settings?.has_support ? [ask("support", LifeBuoy)] : []),
    ...(settings?.links.feedback === null ? [ask("feedback", MessageCircle)] : []),
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
