import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { CONTROLS } from "../../components/list/controls.ts";

const controlsOf = (place: HTMLElement) => [...place.querySelectorAll<HTMLElement>(CONTROLS)];
/** What opens the device of a place. */
const doorOf = (place: HTMLElement | undefined) => place?.querySelector<HTMLElement>(CONTROLS) ?? undefined;

/** Where a key leads, by the place that has the focus, the number of places, and how many stand side by side. */
const steps: Record<string, (at: number, count: number, columns: number) => number> = {
  ArrowRight: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at, _, columns) => at + columns,
  ArrowUp: (at, _, columns) => at - columns,
  Home: () => 0,
  End: (_, count) => count - 1,
};

interface Acts {
  onSelect: (id: string, event: KeyboardEvent) => void;
  onMenu: (id: string, anchor: HTMLElement) => void;
}

/**
 * Makes a wall of places one stop of the Tab key. The arrows move between places, the next tab stops are the controls of the place that
 * has the focus; Enter opens it, Space selects it, Shift+F10 and the menu key ask for its menu. Places carry `data-id`.
 */
export function useWallKeys(wall: RefObject<HTMLElement | null>, { onSelect, onMenu }: Acts) {
  const current = useRef<{ element: HTMLElement; at: number }>(undefined);
  const placesOf = () => [...(wall.current?.querySelectorAll<HTMLElement>("[data-id]") ?? [])];

  /** Gives the one stop to the place of `to`, or lets it stay; where its place is gone, to the one that has its room. */
  const rove = (to?: HTMLElement) => {
    const places = placesOf();
    const was = current.current;
    const element = to ?? was?.element;
    const chosen =
      places.find((place) => element !== undefined && place.contains(element)) ??
      places[Math.min(was?.at ?? 0, places.length - 1)];
    for (const place of places) for (const control of controlsOf(place)) control.tabIndex = place === chosen ? 0 : -1;
    const door = doorOf(chosen);
    if (!chosen || !door) return;
    if (was && !was.element.isConnected && document.activeElement === document.body) door.focus();
    if (to || was) current.current = { element: element?.isConnected ? element : door, at: places.indexOf(chosen) };
  };
  // Places and their controls come and go with what runs.
  useEffect(() => rove());

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    const places = placesOf();
    const at = places.findIndex((place) => place.contains(target));
    const place = places[at];
    const id = place?.dataset.id;
    if (!place || id === undefined) return;
    const step = steps[event.key];
    if (step) {
      event.preventDefault();
      const top = places[0]?.offsetTop;
      const columns = places.filter(({ offsetTop }) => offsetTop === top).length;
      doorOf(places[step(at, places.length, columns)])?.focus();
    } else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      event.preventDefault();
      onMenu(id, place);
    } else if (event.key === " " && target === doorOf(place)) {
      event.preventDefault();
      onSelect(id, event);
    }
  };

  return {
    onKeyDown,
    // Browsers press a button when Space is let go. Where it selects, it must not also open.
    onKeyUp: (event: KeyboardEvent) => {
      if (event.key === " " && placesOf().some((place) => event.target === doorOf(place))) event.preventDefault();
    },
    onFocus: ({ target }: { target: EventTarget }) => rove(target as HTMLElement),
  };
}
