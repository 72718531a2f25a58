/** Acts on all items, a few at once, until it fails on one. Resolves or rejects when nothing is under way any more. */
export async function inTurns<Item>(items: readonly Item[], atOnce: number, act: (item: Item) => Promise<void>) {
  // Unlike an array's own iterator, a generator is closed for all once a loop over it throws.
  const left = (function* () {
    yield* items;
  })();
  const outcomes = await Promise.allSettled(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const item of left) await act(item);
    }),
  );
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
