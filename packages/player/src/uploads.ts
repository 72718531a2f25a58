import { integerWithin, member, parseObject, textWithin } from "./json.ts";
import { MAX_SIGNAL_CHARS, MAX_TOKEN_CHARS } from "./limits.ts";
import { devicePathOf } from "./tools.ts";

const UPLOAD = "FILE_UPLOAD";
const MAX_NAME_CHARS = 1024;
const ID = /^[\w-]{8,64}$/;

/**
 * What is said on the socket for files. The player's protocol is
 *
 *     player                                                          service
 *       {"type": "token", "token": "…"}  ------------------------------>
 *       {"type": "FILE_UPLOAD", "name": "a.apk", "size": 12000000}  --->
 *       <------------------------------  {"type": "FILE_UPLOAD", "code": "NEXT"}
 *       one binary message, 5 to 75 MB  ------------------------------->
 *       <---------------  {"type": "FILE_UPLOAD", "code": "PROGRESS", "value": 0.4}, and NEXT again; at the end of the file:
 *       {"type": "FILE_UPLOAD", "done": true}  ------------------------>
 *       <------------------------------  {"type": "FILE_UPLOAD", "code": "SUCCESS"} or FAIL
 *
 * Our own page also sends an `id`. It is in each answer then, NEXT says with `offset` where to go on, so the file can be continued on
 * another socket; `cancel` ends it, SUCCESS says what was installed, and FAIL why not. With `folder` it says where on the device the file is to
 * be: an APK is a file there like any other. Messages may have any size.
 */
export type UploadCommand =
  | { type: "token"; token: string }
  | { type: "begin"; name: string; size: number; id: string | undefined; folder?: string }
  | { type: "done" }
  | { type: "cancel" };

/** Parses what a client says; undefined if no client says that. Never throws. */
export function parseUpload(text: string): UploadCommand | undefined {
  const object = parseObject(text, MAX_SIGNAL_CHARS);
  if (!object) return undefined;
  const type = member(object, "type");
  const token = textWithin(member(object, "token"), MAX_TOKEN_CHARS);
  if (type === "token") return token === undefined ? undefined : { type, token };
  if (type !== UPLOAD) return undefined;
  if (member(object, "done") === true) return { type: "done" };
  if (member(object, "cancel") === true) return { type: "cancel" };
  const name = textWithin(member(object, "name"), MAX_NAME_CHARS);
  const size = integerWithin(member(object, "size"), 0, Number.MAX_SAFE_INTEGER);
  const id = member(object, "id");
  if (name === undefined || size === undefined) return undefined;
  if (id !== undefined && !(typeof id === "string" && ID.test(id))) return undefined;
  const given = member(object, "folder");
  const folder = devicePathOf(given);
  if (given === undefined) return { type: "begin", name, size, id };
  return folder === undefined ? undefined : { type: "begin", name, size, id, folder };
}

const say = (code: string, id: string | undefined, more: object = {}): string =>
  JSON.stringify({ type: UPLOAD, code, ...(id !== undefined && { id }), ...more });

/** What the service says; `id` as the client has named its file. */
export const uploadMessages = {
  /** Send the next part, which begins at `offset`. */
  next: (id: string | undefined, offset: number) => say("NEXT", id, id === undefined ? {} : { offset }),
  /** A share of 1. */
  progress: (id: string | undefined, value: number) => say("PROGRESS", id, { value }),
  success: (id: string | undefined, app?: object) => say("SUCCESS", id, app && { app }),
  fail: (id: string | undefined, error: object) => say("FAIL", id, { error }),
};
