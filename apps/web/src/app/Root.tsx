import { useEffect, useRef } from "react";
import { Outlet, ScrollRestoration, useLocation, useMatches } from "react-router";

/** What every page has: its title, a focus that starts at its top, and its place kept when one comes back. */
export function Root() {
  const matches = useMatches();
  const { pathname } = useLocation();
  const { title } = (matches.at(-1)?.handle ?? {}) as { title?: string };
  const shown = useRef(pathname);

  useEffect(() => {
    if (title) document.title = `${title} · Terrarium`;
  }, [title]);

  useEffect(() => {
    // The browser puts the focus itself when a page is loaded.
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <>
      <ScrollRestoration />
      <Outlet />
    </>
  );
}
