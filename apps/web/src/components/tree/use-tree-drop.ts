import { type DragEvent, useState } from "react";

/** Takes what is dragged onto rows of a tree from elsewhere on the page. */
export interface TreeDrop {
  /** Asked of what is being dragged now. */
  accepts: (onto: string) => boolean;
  onDrop: (onto: string) => void;
}

const idAt = (event: DragEvent): string | undefined =>
  (event.target as Element).closest<HTMLElement>("[data-id]")?.dataset.id;

/** The listeners of a tree with `data-id` on its rows, and over which of them something hangs that may be dropped. */
export function useTreeDrop(drop: TreeDrop | undefined) {
  const [over, setOver] = useState<string>();
  if (!drop) return { over: undefined, listeners: {} };
  const hang = (event: DragEvent) => {
    const id = idAt(event);
    const takes = id !== undefined && drop.accepts(id);
    // Unless it is prevented, the browser refuses the drop.
    if (takes) event.preventDefault();
    setOver(takes ? id : undefined);
  };
  return {
    over,
    listeners: {
      onDragEnter: hang,
      onDragOver: hang,
      onDragLeave: (event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(undefined);
      },
      onDrop: (event: DragEvent) => {
        const id = idAt(event);
        setOver(undefined);
        if (id === undefined || !drop.accepts(id)) return;
        event.preventDefault();
        drop.onDrop(id);
      },
    },
  };
}
