import { LinearProgress } from "@mui/material";
import { styled } from "@mui/material/styles";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from "react-router";
import { Delayed } from "../components/Delayed.tsx";
import { Snacks } from "../components/Snacks.tsx";
import type { common } from "../en/common.ts";

export type PageTitle = Exclude<keyof typeof common.titles, "page">;

/** What every page has: its title, a focus that starts at its top, and its place kept when one comes back. */
export function Root() {
  const matches = useMatches();
  const { pathname } = useLocation();
  const { title } = (matches.at(-1)?.handle ?? {}) as { title?: PageTitle };
  const shown = useRef(pathname);
  const { t } = useTranslation();

  useEffect(() => {
    if (title) document.title = t("common.titles.page", { name: t(`common.titles.${title}`) });
  }, [title, t]);

  useEffect(() => {
    // The browser puts the focus itself when a page is loaded.
    if (shown.current === pathname) return;
    shown.current = pathname;
    focusMain();
  }, [pathname]);

  return (
    <>
      <SkipLink
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          focusMain();
        }}
      >
        {t("common.skipToContent")}
      </SkipLink>
      <ScrollRestoration />
      <NextPageComing />
      {/* Before the page, whose dialogs lie in front of it. */}
      <Snacks />
      <Outlet />
    </>
  );
}

/** A page that has put the focus into its main part itself, such as on its first field, has it stay there. */
function focusMain(): void {
  const main = document.querySelector<HTMLElement>("main");
  if (!main?.contains(document.activeElement)) main?.focus({ preventScroll: true });
}

/** The page that was left stays until the next one's code is here; on a slow line this says that it is coming. */
function NextPageComing() {
  const { state } = useNavigation();
  const { t } = useTranslation();
  if (state === "idle") return null;
  return (
    <Delayed>
      <LinearProgress
        aria-label={t("common.loadingPage")}
        sx={{ position: "fixed", inset: "0 0 auto", height: 3, zIndex: "tooltip" }}
      />
    </Delayed>
  );
}

/** Out of sight until the keyboard reaches it, as the first thing of the page. */
const SkipLink = styled("a")(({ theme }) => ({
  ...theme.typography.label,
  position: "fixed",
  top: 8,
  left: 8,
  zIndex: theme.zIndex.tooltip,
  padding: "6px 12px",
  borderRadius: theme.shape.borderRadius,
  background: theme.vars.palette.snack.bg,
  color: theme.vars.palette.snack.fg,
  "&:not(:focus)": { transform: "translateY(-200%)" },
}));
