import { StrictMode } from "react";
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

/**
 * Shows the app. A page that came prerendered stays as it is until its code is there, and is taken over then; unless this
 * visitor is led elsewhere.
 */
export async function showIn(root: HTMLElement): Promise<void> {
  const { path, forStrangers } = root.dataset;
  const isKnown = "isKnown" in document.documentElement.dataset;
  if (path === undefined || (forStrangers !== undefined && isKnown)) {
    // The settings that came with the page are those of the server's start.
    void queryClient.prefetchQuery(publicSettings);
    void queryClient.invalidateQueries({ queryKey: publicSettings.queryKey });
    return showAnew(root);
  }
  await isReady();
  // The time that came with the page is over.
  void queryClient.invalidateQueries({ queryKey: publicSettings.queryKey });
  if (router.state.location.pathname.replace(/(?<=.)\/$/, "") === path) hydrateRoot(root, app);
  else showAnew(root);
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
