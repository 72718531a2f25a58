import "../../en/home.ts";
import { Box, Button, Link as MuiLink, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import Server from "lucide-react/icons/server";
import Terminal from "lucide-react/icons/terminal";
import Zap from "lucide-react/icons/zap";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Incentive } from "../sign-up/Incentive.tsx";
import { useOnTheWay } from "../../session/use-on-the-way.ts";
import { SignUpCard } from "../sign-up/SignUpCard.tsx";
import { Logo } from "../../shared/glyphs.tsx";
import { Icon } from "../../components/Icon.tsx";
import { Arch, Sill, Stage } from "../../shared/Stage.tsx";
import { publicSettings } from "../../session/settings.ts";
import { HomeDevice } from "./HomeDevice.tsx";
import { SILL } from "./standing.ts";

const points = [
  ["live", Zap],
  ["open", Server],
  ["tools", Terminal],
] as const;

/** Each part is taken over by itself: a phone would take over all of them in one piece, and hear nobody meanwhile. */
export default function HomePage() {
  const { t } = useTranslation();
  const settings = useQuery(publicSettings).data;
  return (
    <Box sx={page}>
      <Box component="header" sx={{ display: "flex", alignItems: "center", gap: 3, height: { xs: 56, sm: 72 } }}>
        <Box sx={{ display: "flex", color: "primary.main" }}>
          <Logo size={24} />
        </Box>
        <Typography sx={{ flex: 1, color: "text.primary", fontSize: 18, fontWeight: 620, letterSpacing: "-.015em" }}>
          {t("common.product")}
        </Typography>
        <Button component={Link} to={useOnTheWay()("/signin")}>
          {t("home.signIn")}
        </Button>
      </Box>
      <Box component="main" id="main" tabIndex={-1} sx={hero}>
        <section>
          <Typography
            component="h1"
            variant="display"
            sx={{
              textWrap: "balance",
              maxWidth: 520,
              fontSize: { xs: "2.25rem", sm: "3.25rem" },
              lineHeight: { xs: "40px", sm: "56px" },
            }}
          >
            {t("home.title")}
          </Typography>
          <Typography variant="lead" component="p" color="textSecondary" sx={{ mt: 4, mb: 7, maxWidth: 520 }}>
            {t("home.lead")}
          </Typography>
          <Suspense>
            <SignUpCard />
          </Suspense>
          <Box sx={{ mt: 3 }}>
            <Suspense>
              <Incentive />
            </Suspense>
          </Box>
        </section>
        <Suspense>
          <Stage sx={stage}>
            <Arch sx={arch} />
            <Sill height={SILL} />
            <HomeDevice />
            <Commands />
          </Stage>
        </Suspense>
      </Box>
      <Suspense>
        <Box
          component="section"
          sx={{
            display: "grid",
            gridTemplateColumns: { xs: "1fr", md: "repeat(3, 1fr)" },
            gap: { xs: 5, md: 12 },
            py: { xs: 8, sm: 8 },
          }}
        >
          {points.map(([point, glyph]) => (
            <Box key={point} sx={{ display: "flex", gap: 3 }}>
              <Box sx={{ color: "primary.main", pt: "2px" }}>
                <Icon glyph={glyph} size={20} />
              </Box>
              <div>
                <Typography variant="h3" component="h2">
                  {t(`home.points.${point}.title`)}
                </Typography>
                <Typography color="textSecondary" sx={{ textWrap: "balance" }}>
                  {t(`home.points.${point}.text`)}
                </Typography>
              </div>
            </Box>
          ))}
        </Box>
        <Box component="footer" sx={footer}>
          <MuiLink href={settings?.links.documentation ?? "/docs"}>{t("common.titles.docs")}</MuiLink>
          <MuiLink href="/docs/api">{t("home.links.api")}</MuiLink>
          {settings?.status && <MuiLink href={settings.status.page}>{t("common.titles.status")}</MuiLink>}
          <MuiLink component={Link} to="/legal/terms-and-conditions/">
            {t("home.links.terms")}
          </MuiLink>
          <MuiLink component={Link} to="/legal/privacy-policy/">
            {t("home.links.privacy")}
          </MuiLink>
        </Box>
      </Suspense>
    </Box>
  );
}

/** What it takes to run it oneself. */
function Commands() {
  const { t } = useTranslation();
  const repository = useQuery(publicSettings).data?.links.repository;
  const lines = repository
    ? [t("home.commands.clone", { repository }), t("home.commands.start")]
    : [t("home.commands.startAlone")];
  return (
    <Box component="section" aria-label={t("home.commands.title")} sx={commands}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 2, mb: 2, color: "text.tertiary" }}>
        <Icon glyph={Terminal} size={14} />
        <Typography variant="caption">{t("home.commands.title")}</Typography>
      </Box>
      {lines.map((line) => (
        <Typography key={line} variant="mono" component="div" sx={{ overflowWrap: "anywhere" }}>
          <Box component="span" aria-hidden sx={{ color: "text.tertiary" }}>
            {"$ "}
          </Box>
          {line}
        </Typography>
      ))}
    </Box>
  );
}

const page = {
  maxWidth: 1440,
  mx: "auto",
  px: { xs: 4, md: 16 },
  minHeight: "100dvh",
  display: "flex",
  flexDirection: "column",
} as const;
const hero = {
  flex: 1,
  display: "grid",
  gridTemplateColumns: { xs: "1fr", md: "minmax(0, 576px) 1fr" },
  gap: { xs: 6, md: 18 },
  alignItems: "center",
  pt: { xs: 3, md: 0 },
} as const;
const stage = {
  alignSelf: "stretch",
  minHeight: { xs: 610, md: 660 },
  borderRadius: "20px",
  placeItems: "end center",
  boxShadow: "inset 0 0 0 1px var(--mui-palette-divider)",
};
const footer = {
  display: "flex",
  flexWrap: "wrap",
  columnGap: 5,
  rowGap: { sm: 5 },
  pb: 8,
  // As large as a finger on a phone.
  "& > a": { display: "flex", alignItems: "center", minHeight: { xs: 44, sm: 0 }, minWidth: { xs: 44, sm: 0 } },
};
const arch = { bottom: SILL, width: { xs: 320, md: 480 }, height: { xs: 400, md: "84%" } };
const commands = {
  position: "absolute",
  left: { xs: 12, md: 24 },
  bottom: { xs: 14, md: 76 },
  maxWidth: "calc(100% - 24px)",
  p: 4,
  borderRadius: "10px",
  bgcolor: "background.raised",
  boxShadow: "var(--depth-3), var(--glass-edge)",
} as const;
