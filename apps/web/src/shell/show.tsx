import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { queryClient } from "../session/client.ts";
import { publicSettings } from "../session/settings.ts";
import { App } from "./App.tsx";
import { router } from "./router.tsx";

const app = (
  <StrictMode>
    <App />
  </StrictMode>
);

/** By then all parts of a page are taken over, also on a slow machine. Until then they must stay what they were made with. */
const TAKE_OVER_MS = 5_000;

/**
 * Shows the app. A page that came prerendered stays as it is until its code is there, and is taken over then; unless this
 * visitor is led elsewhere.
 */
export async function showIn(root: HTMLElement): Promise<void> {
  const { path, forStrangers } = root.dataset;
  const isKnown = "isKnown" in document.documentElement.dataset;
  if (path === undefined || (forStrangers !== undefined && isKnown)) {
    // Those that came with the page are the ones of the server's start.
    void queryClient.prefetchQuery({ ...publicSettings, staleTime: 0 });
    return showAnew(root);
  }
  await isReady();
  if (router.state.location.pathname.replace(/(?<=.)\/$/, "") === path) takeOver(root);
  else showAnew(root);
  setTimeout(() => void queryClient.invalidateQueries({ queryKey: publicSettings.queryKey }), TAKE_OVER_MS);
}

function takeOver(root: HTMLElement): void {
  // In slices: whoever scrolls or presses meanwhile does not wait until the whole page is taken over.
  startTransition(() => {
    hydrateRoot(root, app);
  });
  const end = performance.now() + TAKE_OVER_MS;
  const marks = new MutationObserver(() => pressAgain(root, end));
  marks.observe(root, { subtree: true, attributeFilter: ["data-is-pressed"] });
  setTimeout(() => marks.disconnect(), TAKE_OVER_MS);
  pressAgain(root, end);
}

/** Presses the button that was pressed in vain, once its part of the page is taken over: React leaves its own marks on elements then. */
function pressAgain(root: HTMLElement, end: number): void {
  const pressed = root.querySelector<HTMLElement>("[data-is-pressed]");
  if (!pressed) return;
  if (Object.keys(pressed).length > 0) {
    pressed.removeAttribute("data-is-pressed");
    pressed.click();
  } else if (performance.now() < end) requestAnimationFrame(() => pressAgain(root, end));
}

function showAnew(root: HTMLElement): void {
  root.replaceChildren();
  delete root.dataset["forStrangers"];
  createRoot(root).render(app);
}

/** Resolves once the page at the address can be rendered. */
function isReady(): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve();
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}
