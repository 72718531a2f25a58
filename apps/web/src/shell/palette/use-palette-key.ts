import { useEffect } from "react";

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** As keyboards name it. */
export const PALETTE_KEY = isMac ? "⌘ K" : "Ctrl K";

/** Opens the palette with Ctrl-K or Cmd-K, even while somebody types; not above another dialog. */
export function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isKey =
        event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isKey || event.defaultPrevented) return;
      // Else the browser would go to its own search.
      event.preventDefault();
      if (!document.querySelector("[role=dialog],[role=menu]")) open();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [open]);
}
