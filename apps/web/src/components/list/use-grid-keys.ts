import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";
import { CONTROLS } from "./controls.ts";

/** Where the keys can stop in a row: the row itself, but for that of the heads, and then its controls. */
const stopsOf = (row: HTMLTableRowElement): HTMLElement[] => [
  ...(row.dataset.id === undefined ? [] : [row]),
  ...row.querySelectorAll<HTMLElement>(CONTROLS),
];

const rowOf = (element: Element | null) => element?.closest("tr") ?? null;

/** A step along a row, or undefined for another key. */
const along: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => Math.min(at + 1, last),
  ArrowLeft: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};
const across: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

interface Acts {
  onOpen: (id: string) => void;
  onSelect: (id: string, event: KeyboardEvent) => void;
  onMenu: (id: string, anchor: HTMLElement) => void;
}

/**
 * Makes a table one stop of the Tab key, as ARIA's grid pattern has it. The arrows move between rows, and along a row to its
 * controls; Enter opens the row, Space selects it (with Shift, up to it), Shift+F10 and the menu key ask for its menu. Rows carry `data-id`.
 */
export function useGridKeys(table: RefObject<HTMLTableElement | null>, { onOpen, onSelect, onMenu }: Acts) {
  const current = useRef<{ element: HTMLElement; row: number }>(undefined);

  /** Gives the one stop to `to`, or lets it stay; where its row is gone, to the row in its place. */
  const rove = (to?: HTMLElement) => {
    const rows = Array.from(table.current?.rows ?? []);
    const stops = rows.flatMap(stopsOf);
    const was = current.current;
    const inItsPlace = rows[Math.min(was?.row ?? 1, rows.length - 1)];
    const chosen = [to, was?.element, inItsPlace].find((each) => each && stops.includes(each)) ?? stops[0];
    for (const stop of stops) stop.tabIndex = stop === chosen ? 0 : -1;
    if (!chosen) return;
    if (was && !was.element.isConnected && document.activeElement === document.body) chosen.focus();
    if (to || was) current.current = { element: chosen, row: rows.findIndex((row) => row.contains(chosen)) };
  };

  // Rows and their controls come and go with what is shown.
  useEffect(() => rove());

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const row = rowOf(target);
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const move = (to: HTMLElement | undefined) => {
      event.preventDefault();
      to?.focus();
    };
    const stops = stopsOf(row);
    const at = stops.indexOf(target);
    const id = row.dataset.id;
    const step = across[event.key];
    const slide = along[event.key];
    if (slide) move(stops[slide(at, stops.length - 1)]);
    else if (step !== undefined) {
      const rows = Array.from(table.current?.rows ?? []).filter((each) => stopsOf(each).length > 0);
      const next = rows[rows.indexOf(row) + step];
      const there = next ? stopsOf(next) : [];
      const isBetweenRows = id !== undefined && next?.dataset.id !== undefined;
      move(there[isBetweenRows ? Math.min(at, there.length - 1) : 0]);
    } else if (id !== undefined && (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey))) {
      event.preventDefault();
      onMenu(id, row);
    } else if (id !== undefined && target === row && event.key === "Enter") onOpen(id);
    else if (id !== undefined && target === row && event.key === " ") {
      event.preventDefault();
      onSelect(id, event);
    }
  };

  return { onKeyDown, onFocus: (event: { target: EventTarget }) => rove(event.target as HTMLElement) };
}
