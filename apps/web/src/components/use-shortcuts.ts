import { useEffect } from "react";

/** True where a key is text and not a command. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Single keys that act on the page. They rest while somebody types, holds a modifier or has a dialog or menu open. */
export function useShortcuts(keys: Record<string, () => void>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const act = keys[event.key];
      if (!act || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const isChecked = event.target instanceof HTMLInputElement && event.target.type === "checkbox";
      if (isTyping(event.target) && !isChecked) return;
      if (document.querySelector("[role=dialog],[role=menu]")) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [keys]);
}
