import { AdbError, type AdbLink, type ShellResult } from "@terrarium/adb";
import { type Clock, within } from "@terrarium/clock";
import { AppError, type ToolTrouble } from "@terrarium/contract";
import type { ToolRequest } from "@terrarium/player";
import type { DeviceAct } from "../../features/instances/device-acts.ts";
import type { Maker, OpenCapture, Recorder } from "../captures/recorder.ts";
import type { Replay } from "../replay/replay.ts";

/** What is needed of an adb link. */
export type ToolLink = Pick<AdbLink, "banner" | "list" | "pull" | "shell" | "spawn" | "stat">;

/** Saves what is seen on a device, for whoever opened the tool. */
export interface ToolCaptures {
  maker: Maker;
  open: OpenCapture;
  /** Called with each pending save, which a process that ends waits for. It may fail. */
  onSaving: (saving: Promise<unknown>) => void;
  recorder: Recorder;
}

/** What a tool works with. */
export interface ToolDeps {
  link: ToolLink;
  clock: Clock;
  /** Aborts when nobody wants it any more. */
  signal: AbortSignal;
  /** Of what to download. */
  path: string | undefined;
  /** Undefined where nothing can be saved. */
  captures: ToolCaptures | undefined;
  replay: Replay;
  /** See `recorded`. */
  onAct(act: DeviceAct): void;
  /** Sends bytes; resolves when there is room for more. Rejects with the signal's reason. */
  send(bytes: Uint8Array): Promise<void>;
}

/** One tool that somebody has open. */
export interface Tool {
  /** Answers a request. Rejects with a `ToolError`, or with an error of the link. */
  answer?(request: ToolRequest): Promise<object>;
  /** Takes what somebody types; resolves when the device has. */
  type?(bytes: Uint8Array): Promise<void>;
  /** Resolves when it ends by itself, with what to report about it. */
  over: Promise<object>;
}

/** Opens a tool. Rejects as `answer` does. */
export type OpenTool = (deps: ToolDeps) => Promise<Tool>;

/** Why something was not done, and the device's own words for it. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ToolTrouble;
  readonly words: string | undefined;

  constructor(code: ToolTrouble, words?: string) {
    super(code);
    this.code = code;
    this.words = words?.slice(0, MAX_WORDS);
  }
}

/** Of a device's words, as much as is passed on. */
const MAX_WORDS = 500;
/** Deleting a large folder takes a slow device a while. */
export const COMMAND_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Runs a command, each word of it one argument. Rejects when it takes too long, and with the signal's reason. */
export function runTool({ link, clock, signal }: ToolDeps, words: readonly string[] | string): Promise<ShellResult> {
  return within(COMMAND_TIMEOUT_MS, clock, signal, (limited) =>
    link.shell(words, { signal: limited, maxBytes: MAX_OUTPUT_BYTES }),
  );
}

/** Has an act recorded once it is done, or is refused by the device. What nobody waits for any more may be done. */
export async function recorded<Value>({ onAct }: ToolDeps, act: DeviceAct, doing: Promise<Value>): Promise<Value> {
  try {
    const value = await doing;
    onAct(act);
    return value;
  } catch (error) {
    onAct(notDone.has(toolErrorOf(error)?.code) ? { ...act, outcome: "refused" } : act);
    throw error;
  }
}

/** What a device says when it has not done it. A link that breaks off says nothing. */
const notDone = new Set<ToolTrouble | undefined>(["refused", "missing", "invalid", "unsupported"]);

/** What to report about an error; undefined for one that nobody expects. */
export function toolErrorOf(error: unknown): ToolError | undefined {
  if (error instanceof ToolError) return error;
  if (error instanceof AppError && error.code === "CAPTURES_FULL") return new ToolError("full");
  if (!(error instanceof AdbError)) return undefined;
  if (error.code === "FAILED") return new ToolError("refused", error.message);
  if (error.code === "TOO_LARGE") return new ToolError("tooLarge");
  // Such a device has no shell protocol v2: Android 6 and older.
  return new ToolError(error.code === "REFUSED" ? "unsupported" : "failed");
}

/** A tool that only answers; it ends when nobody wants it any more. */
export const neverOver = new Promise<never>(() => undefined);
