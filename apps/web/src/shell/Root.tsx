import { Box } from "@mui/material";
import { styled } from "@mui/material/styles";
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Outlet, ScrollRestoration, useLocation, useMatches, useNavigation } from "react-router";
import { Delayed } from "../components/Delayed.tsx";
import { fetchCode } from "../components/fetch-code.ts";
import { visuallyHidden } from "../components/hidden.ts";
import { Snacks } from "../components/Snacks.tsx";
import { whenIdle } from "../components/when-idle.ts";
import type { PageTitle } from "../session/routes.ts";
import { placeOf } from "./place-of.ts";

/** Nothing that a page needs to be there. */
const Corner = lazy(() => fetchCode(() => import("./Corner.tsx")));

/** What every page has: its title, a focus that starts at its top, and its scroll position restored when one comes back. */
export function Root() {
  const matches = useMatches();
  const { pathname } = useLocation();
  const { title } = (matches.at(-1)?.handle ?? {}) as { title?: PageTitle };
  const shown = useRef(pathname);
  const { t } = useTranslation();
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => whenIdle(() => setQuiet(true)), []);

  // Before the page, which may name itself by what it shows.
  useLayoutEffect(() => {
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
      <ScrollRestoration getKey={placeOf} />
      <NextPageComing />
      {/* Before the page, whose dialogs lie in front of it. */}
      <Snacks />
      <Outlet />
      {isQuiet && (
        <Suspense>
          <Corner />
        </Suspense>
      )}
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
      <Progress>
        <Box component="progress" aria-label={t("common.loadingPage")} sx={visuallyHidden} />
      </Progress>
    </Delayed>
  );
}

/** A line that runs along the top of the page. */
const Progress = styled("div")(({ theme }) => ({
  position: "fixed",
  inset: "0 0 auto",
  height: 3,
  zIndex: theme.zIndex.tooltip,
  overflow: "hidden",
  background: theme.vars.palette.divider,
  "&::after": {
    content: '""',
    display: "block",
    width: "40%",
    height: "100%",
    background: theme.vars.palette.primary.main,
    animation: "terrarium-run 1.4s infinite ease-in-out",
  },
}));

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
