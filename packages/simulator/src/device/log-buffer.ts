export type LogLevel = "V" | "D" | "I" | "W" | "E" | "F";

export interface LogLine {
  timeMs: number;
  pid: number;
  tid: number;
  uid: number;
  level: LogLevel;
  tag: string;
  message: string;
}

const MAX_LINES = 4096;
/** A device's share of memory for its log; old lines go first. */
const MAX_BYTES = 256 * 1024;
/** As liblog cuts an entry. */
const MAX_MESSAGE = 4068;

/** logcat's ring buffer. */
export class LogBuffer {
  #lines: LogLine[] = [];
  #bytes = 0;
  /** How many lines were dropped from the front since the device started. */
  #dropped = 0;
  #waiting = new Set<() => void>();

  add(line: LogLine): void {
    const entry = { ...line, message: line.message.slice(0, MAX_MESSAGE) };
    this.#lines.push(entry);
    this.#bytes += weight(entry);
    while (this.#lines.length > MAX_LINES || this.#bytes > MAX_BYTES) {
      this.#bytes -= weight(this.#lines.shift()!);
      this.#dropped++;
    }
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  clear(): void {
    this.#dropped += this.#lines.length;
    this.#lines = [];
    this.#bytes = 0;
  }

  /** Lines from a position on, and the position after them. */
  since(position: number): { lines: LogLine[]; position: number } {
    const from = Math.max(0, position - this.#dropped);
    return { lines: this.#lines.slice(from), position: this.#dropped + this.#lines.length };
  }

  /** Resolves when a line beyond `position` is there, or when the signal aborts. */
  async more(position: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#dropped + this.#lines.length > position) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const stop = () => resolve();
    this.#waiting.add(stop);
    signal.addEventListener("abort", stop, { once: true });
    await promise;
    signal.removeEventListener("abort", stop);
    this.#waiting.delete(stop);
  }
}

const weight = (line: LogLine): number => 64 + line.tag.length + line.message.length;
