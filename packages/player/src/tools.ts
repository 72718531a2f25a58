import { integerWithin, type Json, member, parseObject, textWithin } from "./json.ts";
import { MAX_SIGNAL_CHARS, MAX_TOKEN_CHARS } from "./limits.ts";

/** The tools beside the screen. Each has a socket of its own. */
export const toolNames = ["logcat", "shell", "files", "apps", "captures", "download", "replay", "story", "ui"] as const;
export type ToolName = (typeof toolNames)[number];

/**
 * What is said on the socket of a tool, whichever it is. The player does not know it: it is our own page's.
 *
 *     page                                                            service
 *       {"token": "…", "tool": "logcat"}  ------------------------------>
 *       <------------------------------  {"type": "READY"}, or {"type": "FAIL", "error": {…}} and the end
 *       {"id": 1, "do": "clear", …}  ----------------------------------->
 *       <------------------------------  {"id": 1, …}, or {"id": 1, "error": {"code": "refused", "words": "…"}}
 *       bytes  <-------------------------------------------------------->  bytes
 *       {"received": N}  ----------------------------------------------->
 *       <------------------------------  {"type": "END", "exitCode": 0} and the end, when the tool ends by itself
 *
 * Bytes are the lines of a log, what a terminal shows and what is typed in it, or a file, cut anywhere. The page says how many it has dealt
 * with, as in adb's tunnel: of more than a window it is sent nothing. A download says with `path` what of. A replay is asked
 * for with `read`, after which it is `size` bytes, and saved with `save`. A story is JSON, sent without being asked for, and the end.
 */
export interface ToolHello {
  token: string;
  tool: ToolName;
  /** Of a file on the device. */
  path?: string | undefined;
}

/** Something to do, and its number by which it is answered. */
export interface ToolRequest {
  id: number;
  what: string;
  /** All that was said. */
  said: Json;
}

const MAX_WORD_CHARS = 32;

/** Parses a page's first message; undefined if no page says that. Never throws. */
export function parseToolHello(text: string): ToolHello | undefined {
  const object = parseObject(text, MAX_SIGNAL_CHARS);
  if (!object) return undefined;
  const token = textWithin(member(object, "token"), MAX_TOKEN_CHARS);
  const tool = toolNames.find((name) => name === member(object, "tool"));
  if (token === undefined || !tool) return undefined;
  return { token, tool, path: devicePathOf(member(object, "path")) };
}

/** Parses any later message; undefined if no page says that. Never throws. */
export function parseToolRequest(text: string): ToolRequest | undefined {
  const said = parseObject(text, MAX_SIGNAL_CHARS);
  if (!said) return undefined;
  const id = integerWithin(member(said, "id"), 0, Number.MAX_SAFE_INTEGER);
  const what = textWithin(member(said, "do"), MAX_WORD_CHARS);
  return id === undefined || what === undefined ? undefined : { id, what, said };
}

/** A device takes 1,024 bytes, of which the last few may be a file's mode. */
const MAX_PATH_BYTES = 1_000;

/** A path on a device: absolute, and without `.` and `..`, so that it says where it leads. Undefined for anything else. */
export function devicePathOf(value: unknown): string | undefined {
  const path = textWithin(value, MAX_PATH_BYTES);
  if (!path?.startsWith("/") || path.includes("\0")) return undefined;
  const parts = path.split("/").filter((part) => part !== "");
  if (parts.includes(".") || parts.includes("..")) return undefined;
  const whole = `/${parts.join("/")}`;
  return new TextEncoder().encode(whole).length <= MAX_PATH_BYTES ? whole : undefined;
}
