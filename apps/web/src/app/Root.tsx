import { useEffect, useRef } from "react";
import { Outlet, ScrollRestoration, useLocation, useMatches } from "react-router";

/** What every page has: its title, a focus that starts at its top, and its place kept when one comes back. */
export function Root() {
  const matches = useMatches();
  const { pathname } = useLocation();
  const { title } = (matches.at(-1)?.handle ?? {}) as { title?: string };
  const first = useRef(true);

  useEffect(() => {
    if (title) document.title = `${title} · Terrarium`;
  }, [title]);

  useEffect(() => {
    // The browser puts the focus itself when a page is loaded.
    if (first.current) first.current = false;
    else document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  }, [pathname]);

  return (
    <>
      <ScrollRestoration />
      <Outlet />
    </>
  );
}
