import { Box } from "@mui/material";
import { styled } from "@mui/material/styles";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Logo } from "../shared/glyphs.tsx";
import { organizationOf } from "../shared/organizations.queries.ts";
import { homeOf } from "../session/guards.ts";
import { routeRules } from "../session/routes.ts";
import { useMe } from "../session/user.ts";
import { mainScreens, useMayEnter } from "./main-screens.ts";
import { NavEntry, RAIL, Words } from "./nav-entry.tsx";
import { Elsewhere } from "./Elsewhere.tsx";
import type { FrameDialog } from "./FrameDialogs.tsx";

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
  const mayEnter = useMayEnter();
  const visitor = { role: me.role, hasAcceptedTerms: me.tnc_accepted };
  return (
    <Column aria-label={t("common.navigation.main")}>
      <Brand to={homeOf(visitor)} aria-label={t("common.product")} onClick={onChoose}>
        <Logo />
        <Words sx={{ fontSize: 16, fontWeight: 620, letterSpacing: "-0.015em", color: "text.primary" }}>
          {t("common.product")}
        </Words>
      </Brand>
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {mainScreens
          .filter(([screen]) => mayEnter(screen))
          .map(([screen, glyph]) => (
            <NavEntry
              key={screen}
              label={
                screen === "images" || screen === "api" || screen === "administration"
                  ? t(`common.navigation.${screen}`)
                  : t(`common.titles.${screen}`)
              }
              glyph={glyph}
              // Other screens of operators have addresses below its own.
              target={{ to: routeRules[screen].path, isExact: screen === "operator" }}
              onChoose={onChoose}
              end={(screen === "launchpad" && data?.running_instances) || undefined}
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
