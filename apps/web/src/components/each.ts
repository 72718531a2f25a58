/** Some of several could not be done. */
export class SomeFailed<Item> extends Error {
  readonly failed: readonly { item: Item; error: unknown }[];

  constructor(failed: readonly { item: Item; error: unknown }[]) {
    super(`${failed.length} could not be done`, { cause: failed[0]?.error });
    this.failed = failed;
  }
}

/** Acts on each, side by side; one that fails holds up no other. Throws `SomeFailed` when all have ended and some failed. */
export async function each<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled(items.map(act));
  const failed = results.flatMap((result, index) => {
    const item = items[index];
    return result.status === "rejected" && item !== undefined ? [{ item, error: result.reason as unknown }] : [];
  });
  if (failed.length > 0) throw new SomeFailed(failed);
}
