/** Something in a tree, with what is below it. */
export interface TreeItem<Data = unknown> {
  id: string;
  name: string;
  data: Data;
  children: readonly TreeItem<Data>[];
}

/** An item in its line. */
export interface TreeRow<Data = unknown> {
  item: TreeItem<Data>;
  /** Counts from 1, as the place among its siblings does. */
  level: number;
  place: number;
  siblings: number;
  parent: string | undefined;
  /** Undefined if there is nothing below it. */
  isOpen: boolean | undefined;
}

/** The items that are in sight, from top to bottom. */
export function rowsOf<Data>(
  items: readonly TreeItem<Data>[],
  isOpen: (id: string) => boolean,
  level = 1,
  parent?: string,
): TreeRow<Data>[] {
  return items.flatMap((item, index) => {
    const opened = item.children.length > 0 ? isOpen(item.id) : undefined;
    const row = { item, level, place: index + 1, siblings: items.length, parent, isOpen: opened };
    return opened ? [row, ...rowsOf(item.children, isOpen, level + 1, item.id)] : [row];
  });
}

/** All items, each before those below it. */
export const allOf = <Data>(items: readonly TreeItem<Data>[]): TreeItem<Data>[] =>
  items.flatMap((item) => [item, ...allOf(item.children)]);

/** All items, each before those below it, with the names of what is above it: "Mobile / Android". */
export const withPaths = (items: readonly TreeItem[], above = ""): { id: string; name: string; above: string }[] =>
  items.flatMap(({ id, name, children }) => [
    { id, name, above },
    ...withPaths(children, above ? `${above} / ${name}` : name),
  ]);

/** The items from the top down to the one with this id; empty if there is none. */
export function pathTo<Data>(items: readonly TreeItem<Data>[], id: string): TreeItem<Data>[] {
  for (const item of items) {
    if (item.id === id) return [item];
    const below = pathTo(item.children, id);
    if (below.length > 0) return [item, ...below];
  }
  return [];
}

/** What of a tree matches, and what is above that. Below a match nothing is left out. */
export function searchTree<Data>(
  items: readonly TreeItem<Data>[],
  matches: (item: TreeItem<Data>) => boolean,
): TreeItem<Data>[] {
  return items.flatMap((item) => {
    if (matches(item)) return [item];
    const children = searchTree(item.children, matches);
    return children.length > 0 ? [{ ...item, children }] : [];
  });
}

/** The ids of what has a match somewhere below it. */
export const aboveMatches = <Data>(
  items: readonly TreeItem<Data>[],
  matches: (item: TreeItem<Data>) => boolean,
): string[] =>
  items.flatMap((item) =>
    allOf(item.children).some(matches) ? [item.id, ...aboveMatches(item.children, matches)] : [],
  );
