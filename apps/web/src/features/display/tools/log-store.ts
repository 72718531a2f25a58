export const logLevels = ["V", "D", "I", "W", "E", "F"] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogLine {
  /** Counts up from the first. */
  key: number;
  text: string;
  level: LogLevel;
  tag: string;
}

/** What is shown of a log. */
export interface LogFilter {
  /** The lowest. */
  level: LogLevel;
  /** A part of the tag, and of the whole line, in any case. */
  tag: string;
  search: string;
}

/** The most that is held: so many lines, and so many characters. Old ones go first, some at once. */
const MAX_LINES = 20_000;
const MAX_CHARS = 8_000_000;
const SLACK = 1.1;
/** A line of Android's log has 4,068 bytes at most, and a prefix. */
const MAX_LINE_CHARS = 5_000;

/** `11-23 12:00:00.000  1234  1240 I Tag: message` */
const THREADTIME = /^(?:\d{4}-)?\d\d-\d\d +[\d:.]+ +(?:\S+ +)?\d+ +\d+ ([VDIWEF]) (.*?) *: /;

/** The lines of a device's log as they come, what of them is shown, and nothing beyond what a page can hold. */
export class LogStore {
  readonly #decoder = new TextDecoder();
  #filter: LogFilter = { level: "V", tag: "", search: "" };
  #lines: LogLine[] = [];
  #shown: LogLine[] = [];
  #chars = 0;
  #key = 0;
  /** The beginning of a line whose end has not come. */
  #rest = "";
  /** What has come since it was paused; undefined when it is not. */
  #held: LogLine[] | undefined;

  get shown(): readonly LogLine[] {
    return this.#shown;
  }

  /** Lines that are held, whether they are shown or not. */
  get count(): number {
    return this.#lines.length;
  }

  /** Lines that have come since it was paused. */
  get held(): number {
    return this.#held?.length ?? 0;
  }

  get isPaused(): boolean {
    return this.#held !== undefined;
  }

  push(bytes: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, MAX_LINE_CHARS);
    const read = lines.map((line) => this.#read(line));
    if (!this.#held) return this.#add(read);
    for (const line of read) this.#held.push(line);
    if (this.#held.length > MAX_LINES * SLACK) this.#held = this.#held.slice(-MAX_LINES);
  }

  show(filter: LogFilter): void {
    this.#filter = filter;
    const passes = filterOf(filter);
    this.#shown = this.#lines.filter(passes);
  }

  pause(): void {
    this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#add(held);
  }

  clear(): void {
    [this.#lines, this.#shown, this.#chars, this.#rest] = [[], [], 0, ""];
    if (this.#held) this.#held = [];
  }

  #read(line: string): LogLine {
    const text = (line.endsWith("\r") ? line.slice(0, -1) : line).slice(0, MAX_LINE_CHARS);
    const [, level = "I", tag = ""] = THREADTIME.exec(text) ?? [];
    return { key: this.#key++, text, level: level as LogLevel, tag };
  }

  #add(lines: readonly LogLine[]): void {
    const passes = filterOf(this.#filter);
    for (const line of lines) {
      this.#lines.push(line);
      this.#chars += line.text.length;
      if (passes(line)) this.#shown.push(line);
    }
    if (this.#lines.length > MAX_LINES * SLACK || this.#chars > MAX_CHARS * SLACK) this.#forgetOldest();
  }

  #forgetOldest(): void {
    let first = Math.max(0, this.#lines.length - MAX_LINES);
    this.#chars = this.#lines.slice(first).reduce((sum, { text }) => sum + text.length, 0);
    while (this.#chars > MAX_CHARS) this.#chars -= this.#lines[first++]?.text.length ?? 0;
    this.#lines = this.#lines.slice(first);
    const oldest = this.#lines[0]?.key ?? this.#key;
    this.#shown = this.#shown.filter(({ key }) => key >= oldest);
  }
}

function filterOf({ level, tag, search }: LogFilter): (line: LogLine) => boolean {
  const lowest = logLevels.indexOf(level);
  const [wantedTag, wanted] = [tag.trim().toLowerCase(), search.trim().toLowerCase()];
  return (line) =>
    logLevels.indexOf(line.level) >= lowest &&
    (wantedTag === "" || line.tag.toLowerCase().includes(wantedTag)) &&
    (wanted === "" || line.text.toLowerCase().includes(wanted));
}
