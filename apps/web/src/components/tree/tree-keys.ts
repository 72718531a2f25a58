import type { TreeRow } from "./tree-rows.ts";

/** What a key does in a tree: the focus goes to another row, or branches open or close. */
export type TreeStep = { focus: string } | { open: readonly string[] } | { close: string };

const focus = (row: TreeRow | undefined): TreeStep | undefined => row && { focus: row.item.id };

/**
 * What a key does while the row with the id `at` has the focus, by ARIA's tree pattern; undefined for a key that does nothing there.
 * https://www.w3.org/WAI/ARIA/apg/patterns/treeview/#keyboardinteraction
 */
export function stepOf(rows: readonly TreeRow[], at: string, key: string): TreeStep | undefined {
  const index = rows.findIndex(({ item }) => item.id === at);
  const row = rows[index];
  if (!row) return undefined;
  switch (key) {
    case "ArrowDown":
      return focus(rows[index + 1]);
    case "ArrowUp":
      return focus(rows[index - 1]);
    case "Home":
      return focus(rows[0]);
    case "End":
      return focus(rows.at(-1));
    case "ArrowRight":
      if (row.isOpen === undefined) return undefined;
      return row.isOpen ? focus(rows[index + 1]) : { open: [at] };
    case "ArrowLeft":
      if (row.isOpen) return { close: at };
      return row.parent === undefined ? undefined : { focus: row.parent };
    case "*": {
      const siblings = rows.filter(({ parent, isOpen }) => parent === row.parent && isOpen === false);
      return { open: siblings.map(({ item }) => item.id) };
    }
    default:
      return undefined;
  }
}

/** Letters that follow sooner belong to the same name. */
const PAUSE_MS = 500;

/** Finds rows by the letters that their names begin with. */
export class TypeAhead {
  #typed = "";
  #lastAt = -Infinity;

  /**
   * The id of the next row whose name begins with what was typed, after the one that has the focus, and again from the top.
   * `atMs` is when the key was pressed.
   */
  find(rows: readonly TreeRow[], at: string, key: string, atMs: number): string | undefined {
    const isFirst = atMs - this.#lastAt > PAUSE_MS;
    this.#typed = (isFirst ? "" : this.#typed) + key.toLowerCase();
    this.#lastAt = atMs;
    const index = rows.findIndex(({ item }) => item.id === at);
    // While a name is being typed, the row that it led to may still be the one.
    const from = index + Number(isFirst);
    return [...rows.slice(from), ...rows.slice(0, from)].find(({ item }) =>
      item.name.toLowerCase().startsWith(this.#typed),
    )?.item.id;
  }

  /** Whether a space belongs to the name that is being typed. */
  isTyping(atMs: number): boolean {
    return this.#typed !== "" && atMs - this.#lastAt <= PAUSE_MS;
  }
}
