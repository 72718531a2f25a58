import type { ByteSink } from "@terrarium/adb";
import type { ByteSource } from "./pipe.ts";
import type { WorkBudget } from "./work-budget.ts";

/** A larger piece is written in several, so that whoever reads it gets the event loop its turns as well. */
const MAX_PIECE_BYTES = 64 * 1024;

/** A source whose reader is held to a budget. */
export const budgetedSource = (source: ByteSource, budget: WorkBudget): ByteSource => ({
  read: async () => {
    const chunk = await source.read();
    await budget.spend(chunk?.length);
    return chunk;
  },
});

/** A sink whose writer is held to a budget. */
export const budgetedSink = (sink: ByteSink, budget: WorkBudget): ByteSink => ({
  write: async (data) => {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    // Nothing is written too: that the reader is gone is found out by writing.
    for (let at = 0; at === 0 || at < bytes.length; at += MAX_PIECE_BYTES) {
      const piece = bytes.subarray(at, at + MAX_PIECE_BYTES);
      await budget.spend(piece.length);
      await sink.write(piece);
    }
  },
});
