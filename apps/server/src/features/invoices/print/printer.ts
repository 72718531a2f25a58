import type { Clock } from "@terrarium/clock";
import { Gate } from "../../../platform/gate.ts";
import { inThread, type ThreadLimits } from "../../../platform/in-thread.ts";
import type { Printed, PrintedLine } from "./printed.ts";

/** 50,000 lines take 15 seconds and 250 MB where nothing else runs. */
const MAX_MS = 120_000;
const MEMORY_MB = 384;

/** Makes PDFs of invoices, each in a thread of its own, few at once; others wait, each organization in a lane. */
export class Printer {
  readonly #limits: ThreadLimits;
  readonly #gate = new Gate({ maxRunning: 2, maxWaiting: 40, maxWaitingPerLane: 4 });

  constructor({ clock }: { clock: Clock }) {
    this.#limits = { clock, maxMs: MAX_MS, maxMemoryMb: MEMORY_MB };
  }

  /** @throws AppError TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE when too many wait; ThreadError */
  print(lane: string, invoice: Printed, batches: () => AsyncIterable<readonly PrintedLine[]>): Promise<Uint8Array> {
    const module = new URL("worker.ts", import.meta.url);
    return this.#gate.run(lane, () =>
      inThread<Uint8Array>(module, invoice, this.#limits, async (post, ended) => {
        for await (const lines of batches()) {
          if (ended.aborted) return;
          post(lines);
        }
        post(null);
      }),
    );
  }
}
