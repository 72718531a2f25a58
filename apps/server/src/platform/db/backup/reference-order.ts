/** A foreign key. */
export interface Reference {
  from: string;
  to: string;
}

/**
 * Sorts tables so that each is after those that it references, in which order their rows can be inserted. A table may reference itself.
 * @throws Error when tables reference each other in a circle
 */
export function inReferenceOrder<Table extends { name: string }>(
  tables: readonly Table[],
  references: readonly Reference[],
): Table[] {
  const sorted: Table[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const waits = ({ name }: Table) =>
      references.some(({ from, to }) => from === name && to !== name && left.some((table) => table.name === to));
    const free = left.filter((table) => !waits(table));
    if (free.length === 0)
      throw new Error(`${left.map(({ name }) => name).join(", ")} reference each other in a circle`);
    sorted.push(...free);
    left = left.filter((table) => !free.includes(table));
  }
  return sorted;
}
