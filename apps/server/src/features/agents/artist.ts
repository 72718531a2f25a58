import type { Clock } from "@terrarium/clock";
import type { Element } from "@terrarium/mcp/mark-picture";
import { Gate } from "../../platform/gate.ts";
import { inThread, type ThreadLimits } from "../../platform/in-thread.ts";

/** The largest picture takes two seconds where nothing else runs. */
const MAX_MS = 20_000;
const MEMORY_MB = 256;

/** Draws frames on screenshots, each in a thread of its own, few at once; others wait, each user in a lane. */
export class Artist {
  readonly #limits: ThreadLimits;
  readonly #gate = new Gate({ maxRunning: 2, maxWaiting: 40, maxWaitingPerLane: 4 });

  constructor({ clock }: { clock: Clock }) {
    this.#limits = { clock, maxMs: MAX_MS, maxMemoryMb: MEMORY_MB };
  }

  /** @throws AppError TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE when too many wait; ThreadError */
  mark(lane: string, png: Uint8Array, elements: readonly Element[]): Promise<Uint8Array> {
    const module = new URL("draw-worker.ts", import.meta.url);
    return this.#gate.run(lane, () => inThread<Uint8Array>(module, { png, elements }, this.#limits));
  }
}
